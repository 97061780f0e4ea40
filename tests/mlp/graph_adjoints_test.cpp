// SPDX-License-Identifier: MIT
// Every derivative that the batched passes give, beside one reverse pass a neuron.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/mlp/graph_adjoints.hpp>
#include <isserlis/mlp/graph_derivatives.hpp>

#include "drawn_graphs.hpp"

namespace {

using isserlis::mlp::forward;
using isserlis::mlp::GraphAdjoints;
using isserlis::mlp::GraphDerivatives;
using isserlis::mlp::GraphLayout;
using isserlis::mlp::GraphPass;
using isserlis::mlp::GraphTangents;
using isserlis::mlp::NeuronRange;

std::vector<NeuronRange> ranges(GraphLayout const& layout) {
    std::vector<NeuronRange> out;
    for (std::size_t v = 1; v < layout.nodes().size(); ++v) {
        std::size_t const width = layout.nodes()[v].width;
        for (bool const activated : {false, true}) {
            out.push_back({.node = v, .activated = activated, .first = 0, .count = width});
            out.push_back({.node = v, .activated = activated, .first = width - 1, .count = 1});
        }
    }
    return out;
}

bool on_acting_side(GraphLayout const& layout, GraphPass const& pass, GraphLayout::Weight const& w) {
    return !layout.concatenated() || (pass.positive[w.column] != 0) != w.negative;
}

/// By every weight, neuron after neuron of the range.
std::vector<std::vector<double>> gradients(GraphLayout const& layout, GraphPass const& pass, NeuronRange const& of) {
    GraphDerivatives<0> derivatives(layout);
    derivatives.begin(pass);
    derivatives.forward({});
    std::vector<std::vector<double>> out;
    for (std::size_t r = 0; r < of.count; ++r) {
        derivatives.backward(of.node, of.activated, of.first + r);
        out.emplace_back();
        for (std::size_t m = 0; m < layout.size(); ++m) out.back().push_back(derivatives.derivative(m));
    }
    return out;
}

}  // namespace

TEST_SUITE("mlp/graph_adjoints") {
    TEST_CASE("adjoint times activation is the derivative by each weight, down to the lowest node") {
        for (auto const& [name, graph] : graphs::cases()) {
            CAPTURE(name);
            for (bool const unit : {false, true}) {
                GraphLayout const layout(graph, unit);
                auto const net = graphs::drawn(layout, 5);
                GraphPass pass;
                forward(layout, net.weights, net.x, pass);
                for (auto const& of : ranges(layout)) {
                    auto const expected = gradients(layout, pass, of);
                    for (std::size_t lowest = 1; lowest <= of.node; ++lowest) {
                        GraphAdjoints adjoints(layout, of, lowest);
                        adjoints.backward(pass);
                        for (std::size_t m = 0; m < layout.size(); ++m) {
                            auto const& w = layout.weights()[m];
                            auto const& edge = layout.edges()[w.edge];
                            if (edge.to < lowest || edge.to > of.node || !on_acting_side(layout, pass, w)) continue;
                            auto const& to = layout.nodes()[edge.to];
                            for (std::size_t r = 0; r < of.count; ++r) {
                                double const by_z = adjoints.by_z(edge.to)[r * to.width + (w.row - to.first)];
                                CHECK(edge.scale * by_z * pass.h[w.column] ==
                                      doctest::Approx(expected[r][m]).epsilon(1e-12));
                            }
                        }
                    }
                }
            }
        }
    }

    // By the chain rule the move is the sum over weights of both derivatives, whatever the second input is.
    TEST_CASE("tangents along gradients at another input are inner products of gradients") {
        for (auto const& [name, graph] : graphs::cases()) {
            CAPTURE(name);
            GraphLayout const layout(graph, true);
            auto const net = graphs::drawn(layout, 6);
            auto const other = graphs::drawn(layout, 7);
            GraphPass here;
            GraphPass there;
            forward(layout, net.weights, net.x, here);
            forward(layout, net.weights, other.x, there);
            NeuronRange const along{
                .node = layout.output(), .activated = true, .first = 0, .count = layout.nodes().back().width};
            GraphAdjoints adjoints(layout, along);
            adjoints.backward(there);
            std::vector<double> strengths(layout.edges().size() + layout.nodes().size());
            for (std::size_t e = 0; e < layout.edges().size(); ++e) {
                auto const& edge = layout.edges()[e];
                if (!edge.weighted) continue;
                auto const& from = layout.nodes()[edge.from];
                for (std::size_t j = from.first; j < from.first + from.width; ++j)
                    if (!layout.concatenated() || here.positive[j] == there.positive[j])
                        strengths[e] += edge.scale * edge.scale * here.h[j] * there.h[j];
            }
            GraphTangents tangents(layout, along.count, layout.output());
            tangents.forward(here, adjoints, strengths);
            auto const directions = gradients(layout, there, along);
            for (auto const& of : ranges(layout)) {
                auto const own = gradients(layout, here, of);
                auto const moved = of.activated ? tangents.h(of.node) : tangents.z(of.node);
                for (std::size_t i = 0; i < of.count; ++i)
                    for (std::size_t r = 0; r < along.count; ++r) {
                        double sum = 0;
                        for (std::size_t m = 0; m < own[i].size(); ++m) sum += own[i][m] * directions[r][m];
                        CHECK(moved[(of.first + i) * along.count + r] == doctest::Approx(sum).epsilon(1e-10));
                    }
            }
        }
    }
}
