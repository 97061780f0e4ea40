// SPDX-License-Identifier: MIT
// Squared norms of maps carried forward, beside every derivative by one reverse pass a neuron.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/mlp/graph_adjoints.hpp>
#include <isserlis/mlp/graph_map_norms.hpp>

#include "drawn_graphs.hpp"

namespace {

using isserlis::mlp::forward;
using isserlis::mlp::GraphAdjoints;
using isserlis::mlp::GraphLayout;
using isserlis::mlp::GraphMapNorms;
using isserlis::mlp::GraphPass;

/// sum over v of strength_v |dh_j/dz^v|^2.
double squared_maps(GraphLayout const& layout, GraphPass const& pass, std::size_t node, std::size_t j,
                    std::vector<double> const& strengths) {
    GraphAdjoints adjoints(layout, {.node = node, .activated = true, .first = j, .count = 1});
    adjoints.backward(pass);
    double out = 0;
    for (std::size_t v = 1; v <= node; ++v) {
        double square = 0;
        for (double const d : adjoints.by_z(v)) square += d * d;
        out += strengths[v] * square;
    }
    return out;
}

bool is_read(GraphLayout const& layout, std::size_t v, std::size_t highest) {
    for (auto const& edge : layout.edges())
        if (edge.from == v && edge.to <= highest) return true;
    return false;
}

void check(GraphLayout const& layout, std::vector<double> const& strengths, std::size_t highest, GraphMapNorms& maps,
           unsigned seed) {
    auto const net = graphs::drawn(layout, seed);
    GraphPass pass;
    forward(layout, net.weights, net.x, pass);
    maps.forward(pass, strengths);
    for (std::size_t v = 1; v <= highest; ++v) {
        if (!is_read(layout, v, highest)) continue;
        for (std::size_t j = 0; j < layout.nodes()[v].width; ++j)
            CHECK(maps.h(v)[j] == doctest::Approx(squared_maps(layout, pass, v, j, strengths)).epsilon(1e-10));
    }
}

}  // namespace

TEST_SUITE("mlp/graph_map_norms") {
    TEST_CASE("from all nodes, from one and from none, on one network after another") {
        auto cases = graphs::cases();
        cases.push_back({"deep residual", flattened(graphs::residual(4, 5))});
        for (auto const& [name, graph] : cases) {
            CAPTURE(name);
            GraphLayout const layout(graph, true);
            std::size_t const nodes = layout.nodes().size();
            for (std::size_t highest = 1; highest < nodes; ++highest) {
                CAPTURE(highest);
                GraphMapNorms maps(layout, highest);
                std::vector<double> strengths(nodes);
                check(layout, strengths, highest, maps, 1);
                for (std::size_t v = 1; v < nodes; ++v) {
                    std::vector<double> one(nodes);
                    one[v] = 2;
                    check(layout, one, highest, maps, static_cast<unsigned>(v));
                    strengths[v] = 0.5 + static_cast<double>(v);
                }
                for (unsigned const seed : {8U, 9U}) check(layout, strengths, highest, maps, seed);
            }
        }
    }

    // Half of the gates of the inner layer h are open. W1 by Cov(y, y), and by that from the right; Cov(h, h) by W2, and W2
    // by the sum of it and of Cov(h, y), which the skip hands on.
    TEST_CASE("a residual block costs four products") {
        auto const cost = [](std::uint64_t blocks) {
            return GraphMapNorms(GraphLayout(flattened(graphs::residual(64, blocks))), 2 * blocks).work();
        };
        double const cube = 64 * 64 * 64;
        CHECK(cost(9) - cost(8) == doctest::Approx((0.5 + 0.25 + 0.25 + 0.5) * cube));
    }
}
