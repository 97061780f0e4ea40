// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/graph_model.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/random/stream.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <span>
#include <string>

#include "monte_carlo/semi_orthogonal.hpp"

namespace isserlis::monte_carlo {
namespace {

using FlatGraph = Graph<double, std::uint64_t>;
using Edge = GraphEdge<double>;

constexpr double most_nodes = 1U << 20U;

bool can_tie(FlatGraph const& flat, Edge const& edge) {
    auto const& target = flat.stages.front().nodes[edge.to - 1];
    return edge.kind == Edge::Kind::weight && has_atoms(edge.law) && target.gate && target.gate->negative != 1;
}

/// A semi-orthogonal matrix row by row, its entries of variance 1.
template <class T>
void draw_orthogonal(Stream& stream, std::size_t rows, std::size_t columns, std::span<T> entries) {
    double const scale = std::sqrt(static_cast<double>(std::max(rows, columns)));
    auto const q = semi_orthogonal(rows, columns, stream);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j)
            entries[i * columns + j] =
                static_cast<T>(scale * q(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    }
}

}  // namespace

FlatGraph GraphModel::flat_graph() const {
    double nodes = 0;
    for (auto const& stage : graph.stages) {
        nodes += static_cast<double>(stage.nodes.size()) * static_cast<double>(stage.count);
        for (auto const& node : stage.nodes) {
            if (node.bias && (!(node.bias->variance >= 0) || !std::isfinite(node.bias->variance)))
                throw DomainError("GraphModel: the bias of node " + printable(node.name) + " has variance " +
                                      std::to_string(node.bias->variance) + "; a finite one from 0 is required",
                                  "bias_variances");
        }
        for (auto const& edge : stage.edges) {
            if (edge.kind != Edge::Kind::weight) continue;
            if (edge.orthogonal && graph.sides == WeightSides::independent)
                throw UnsupportedError(
                    "GraphModel: a concatenated ReLU with two orthogonal matrices in each layer is not sampled", "law");
            if (!(edge.variance >= 0) || !std::isfinite(edge.variance))
                throw DomainError("GraphModel: edge " + printable(edge.name) + " has variance " +
                                      std::to_string(edge.variance) + "; a finite one from 0 is required",
                                  "variances");
            if (!(edge.law.kurtosis() >= 1) || !std::isfinite(edge.law.kurtosis()))
                throw DomainError("GraphModel: edge " + printable(edge.name) + " has kurtosis " +
                                      std::to_string(edge.law.kurtosis()) + "; a kurtosis is finite and at least 1",
                                  "laws");
        }
    }
    if (nodes > most_nodes)
        throw UnsupportedError("GraphModel: " + std::to_string(nodes) + " nodes are too many to be drawn", "graph");
    return flattened(graph);
}

bool gates_can_tie(FlatGraph const& flat) {
    auto const& edges = flat.stages.front().edges;
    auto const& nodes = flat.stages.front().nodes;
    // Above a layer without an active unit z = 0, which no derivative but that by a bias of 0 sees.
    if (std::any_of(nodes.begin(), nodes.end(), [](auto const& node) {
            return node.gate && node.gate->negative == 0 && node.bias && node.bias->variance == 0 &&
                   node.bias->label_factor != 0;
        }))
        return true;
    return std::any_of(edges.begin(), edges.end(), [&](Edge const& edge) { return can_tie(flat, edge); });
}

namespace {

void refuse_ties(FlatGraph const& flat, std::string const& way_out, std::string const& parameter) {
    for (auto const& edge : flat.stages.front().edges)
        if (can_tie(flat, edge))
            throw UnsupportedError("edge " + printable(edge.name) + " has law " + name(edge.law.kind) +
                                       " and leads into a gate, so a pre-activation can be exactly 0; " + way_out,
                                   parameter);
}

}  // namespace

void require_decided_ties(FlatGraph const& flat, TieRule ties) {
    if (ties == TieRule::refuse)
        refuse_ties(flat, "decide such ties with `ties` fair-coin or take a law with a density", "ties");
}

void require_no_ties(FlatGraph const& flat) {
    refuse_ties(flat, "steps are sampled with laws that have a density", "network");
}

namespace {

template <class T>
void draw(FlatGraph const& flat, mlp::GraphLayout const& layout, std::uint64_t seed, std::uint64_t sample,
          std::vector<T>& weights) {
    Stream stream(seed, sample);
    weights.resize(layout.drawn());
    for (std::size_t e = 0; e < layout.edges().size(); ++e) {
        auto const& edge = layout.edges()[e];
        if (!edge.weighted) continue;
        auto const& law = flat.stages.front().edges[e];
        std::size_t const entries = layout.entries(edge);
        bool const both = layout.concatenated() && !layout.tied();
        auto const drawn = std::span(weights).subspan(edge.first, both ? 2 * entries : entries);
        if (law.orthogonal) {
            draw_orthogonal(stream, layout.nodes()[edge.to].width, layout.nodes()[edge.from].width, drawn);
        } else {
            UnitWeight(law.law).fill(stream, drawn);
        }
        T const deviation = static_cast<T>(layout.unit_parameters() ? 1 : std::sqrt(law.variance));
        for (T& w : drawn) w *= deviation;
        if (layout.tied()) {
            auto const first = weights.begin() + static_cast<std::ptrdiff_t>(edge.first);
            std::copy_n(first, entries, weights.begin() + static_cast<std::ptrdiff_t>(edge.negative));
        }
    }
    for (std::size_t v = 1; v < layout.nodes().size(); ++v) {
        auto const& node = layout.nodes()[v];
        if (!node.first_bias) continue;
        auto const& bias = *flat.stages.front().nodes[v - 1].bias;
        auto const drawn = std::span(weights).subspan(*node.first_bias, node.width);
        UnitWeight(bias.law).fill(stream, drawn);
        T const deviation = static_cast<T>(std::sqrt(bias.variance));
        for (T& b : drawn) b *= deviation;
    }
}

}  // namespace

void draw_weights(FlatGraph const& flat, mlp::GraphLayout const& layout, std::uint64_t seed, std::uint64_t sample,
                  std::vector<double>& weights) {
    draw(flat, layout, seed, sample, weights);
}

void draw_weights(FlatGraph const& flat, mlp::GraphLayout const& layout, std::uint64_t seed, std::uint64_t sample,
                  std::vector<float>& weights) {
    draw(flat, layout, seed, sample, weights);
}

}  // namespace isserlis::monte_carlo
