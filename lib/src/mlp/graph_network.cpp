// SPDX-License-Identifier: MIT
#include <isserlis/mlp/graph_network.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/acting_product.hpp>

#include "activated.hpp"

namespace isserlis::mlp {
namespace {

constexpr std::size_t most_neurons = std::size_t{1} << 24U;
constexpr std::size_t most_weights = std::size_t{1} << 28U;  ///< 2 GB

std::size_t whole_width(double width, std::string const& name) {
    if (!(width >= 1) || width != std::floor(width))
        throw DomainError("graph: node " + printable(name) + " has width " + std::to_string(width) +
                              "; a whole number from 1 is required",
                          "widths");
    if (width > static_cast<double>(most_neurons))
        throw UnsupportedError("graph: node " + printable(name) + " is too wide to be drawn", "widths");
    return static_cast<std::size_t>(width);
}

std::string sized(GraphLayout::Node const& node) {
    return "node " + printable(node.name) + " (width " + std::to_string(node.width) + ")";
}

/// z += scale * W h for `rows` rows: each sum in the order of its entries, several of them side by side.
template <std::size_t rows>
void add_rows(std::size_t width, double const* w, double const* h, double scale, double* z) {
    std::array<double, rows> sums{};
    for (std::size_t j = 0; j < width; ++j)
        for (std::size_t i = 0; i < rows; ++i) sums[i] += w[i * width + j] * h[j];
    for (std::size_t i = 0; i < rows; ++i) z[i] += scale * sums[i];
}

/// Adds W h, or P relu(h) + N min(h, 0), to z; |W| |h| to magnitude if ties are looked for.
void add_product(GraphLayout const& layout, GraphLayout::Edge const& edge, GraphPass& pass,
                 std::vector<double>* magnitude) {
    constexpr std::size_t together = 8;
    auto const& from = layout.nodes()[edge.from];
    auto const& to = layout.nodes()[edge.to];
    double const* const h = pass.h.data() + from.first;
    double* const z = pass.z.data() + to.first;
    std::vector<double> copy;
    if (pass.floats != nullptr) {
        copy.resize(to.width);
        ActingProducts().times(pass, edge.first, to.width, from.width, h, copy.data());
        for (std::size_t i = 0; i < to.width; ++i) z[i] += edge.scale * copy[i];
    } else {
        auto const row = [&](std::size_t i) { return pass.acting(edge.first + i * from.width); };
        std::size_t i = 0;
        for (; i + together <= to.width; i += together) add_rows<together>(from.width, row(i), h, edge.scale, z + i);
        for (; i < to.width; ++i) add_rows<1>(from.width, row(i), h, edge.scale, z + i);
    }
    if (magnitude == nullptr) return;
    for (std::size_t i = 0; i < to.width; ++i) {
        double const* const row = pass.acting(edge.first + i * from.width, from.width, copy);
        for (std::size_t j = 0; j < from.width; ++j) (*magnitude)[to.first + i] += edge.scale * std::abs(row[j] * h[j]);
    }
}

/// Which of P and N each neuron of the source meets.
void choose_sides(GraphLayout const& layout, GraphLayout::Edge const& edge, GraphPass& pass) {
    auto const& from = layout.nodes()[edge.from];
    for (std::size_t i = 0; i < layout.nodes()[edge.to].width; ++i)
        for (std::size_t j = 0; j < from.width; ++j) {
            std::size_t const entry = i * from.width + j;
            bool const positive = pass.positive[from.first + j] != 0;
            pass.chosen[edge.first + entry] = pass.weights[(positive ? edge.first : edge.negative) + entry];
        }
}

/// `weights`, of either precision, are in `out` already.
void pass_through(GraphLayout const& layout, std::size_t weights, std::span<double const> x,
                  TieBreak<double> const* ties, GraphPass& out) {
    if (weights != layout.drawn() || x.size() != layout.nodes().front().width)
        throw DomainError("forward: " + std::to_string(weights) + " weights and " + std::to_string(x.size()) +
                              " inputs for a network of " + std::to_string(layout.drawn()) + " and " +
                              std::to_string(layout.nodes().front().width),
                          "input");
    out.z.assign(layout.neurons(), 0);
    out.h.resize(layout.neurons());
    out.gates.assign(layout.neurons(), 1);
    out.positive.resize(layout.neurons());
    out.chosen.resize(layout.concatenated() ? weights : 0);
    std::vector<double> magnitude(ties != nullptr ? layout.neurons() : 0);
    std::copy(x.begin(), x.end(), out.z.begin());
    for (std::size_t v = 0; v < layout.nodes().size(); ++v) {
        auto const& node = layout.nodes()[v];
        for (std::size_t const e : node.incoming) {
            auto const& edge = layout.edges()[e];
            if (edge.weighted) {
                if (layout.concatenated()) choose_sides(layout, edge, out);
                add_product(layout, edge, out, ties != nullptr ? &magnitude : nullptr);
                continue;
            }
            auto const& from = layout.nodes()[edge.from];
            for (std::size_t i = 0; i < from.width; ++i) out.z[node.first + edge.part + i] += out.h[from.first + i];
            if (ties == nullptr || node.concatenation) continue;
            for (std::size_t i = 0; i < from.width; ++i) magnitude[node.first + i] += std::abs(out.h[from.first + i]);
        }
        for (std::size_t i = 0; node.first_bias && i < node.width; ++i) {
            double const b = out.drawn(*node.first_bias + i);
            out.z[node.first + i] += b;
            if (ties != nullptr) magnitude[node.first + i] += std::abs(b);
        }
        bool const can_tie = ties != nullptr && v != 0 && !node.concatenation;
        bool const gated = layout.has_gate(v);
        for (std::size_t i = node.first; i < node.first + node.width; ++i) {
            bool const tied = can_tie && std::abs(out.z[i]) <= ties->tolerance * magnitude[i];
            if (tied) out.z[i] = 0;
            if (gated && !(tied ? ties->open() : out.z[i] > 0)) out.gates[i] = node.slope;
            out.h[i] = activated(out.gates[i], out.z[i]);
            out.positive[i] = out.h[i] > 0 ? 1 : 0;
        }
    }
}

void take_weights(GraphLayout const&, std::span<double const> weights, GraphPass& out) {
    out.weights = weights.data();
    out.floats = nullptr;
}

void take_weights(GraphLayout const& layout, std::span<float const> weights, GraphPass& out) {
    if (layout.concatenated())
        throw UnsupportedError("forward: the weights of a concatenated ReLU are doubles", "precision");
    out.weights = nullptr;
    out.floats = weights.data();
}

}  // namespace

GraphLayout::GraphLayout(Graph<double, std::uint64_t> const& flat, bool unit_parameters)
    : concatenated_(flat.sides != WeightSides::one),
      tied_(flat.sides == WeightSides::tied),
      unit_parameters_(unit_parameters) {
    if (flat.stages.size() != 1 || flat.stages.front().count != 1 || flat.stages.front().nodes.empty())
        throw DomainError("graph: a flat graph of one block with at least one node is required", "graph");
    GraphNode<double> input;
    input.name = flat.input_name;
    input.width = flat.input_width;
    add_node(input);
    for (auto const& node : flat.stages.front().nodes) add_node(node);
    for (auto const& edge : flat.stages.front().edges) add_edge(edge);
    require_parts();
    drawn_ = size_;
    for (std::size_t v = 1; v < nodes_.size(); ++v) {
        if (!flat.stages.front().nodes[v - 1].bias) continue;
        if (nodes_[v].concatenation)
            throw DomainError("graph: the concatenation " + printable(nodes_[v].name) + " has a bias", "graph");
        nodes_[v].first_bias = drawn_;
        drawn_ += nodes_[v].width;
    }
}

void GraphLayout::add_node(GraphNode<double> const& node) {
    bool const concatenation = node.kind == GraphNode<double>::Kind::concatenation;
    if (node.gate && (concatenation || concatenated_))
        throw DomainError("graph: node " + printable(node.name) + " has a gate, which " +
                              (concatenation ? "a concatenation" : "a node of a concatenated ReLU network") +
                              " has not",
                          "graph");
    Gate<double> const gate = node.gate.value_or(Gate<double>::open());
    if (gate.positive != 1)
        throw DomainError("graph: the gate of node " + printable(node.name) + " is " + std::to_string(gate.positive) +
                              " above 0; only 1 is drawn",
                          "graph");
    if (!std::isfinite(gate.negative))
        throw DomainError("graph: the slope of node " + printable(node.name) + " is not finite", "graph");
    nodes_.push_back({.name = node.name,
                      .width = whole_width(node.width, node.name),
                      .first = neurons_,
                      .concatenation = concatenation,
                      .gated = node.gate.has_value(),
                      .slope = gate.negative,
                      .incoming = {},
                      .first_bias = std::nullopt});
    neurons_ += nodes_.back().width;
    if (neurons_ > most_neurons) throw UnsupportedError("graph: the network has too many neurons to be drawn", "graph");
}

void GraphLayout::add_edge(GraphEdge<double> const& edge) {
    bool const weighted = edge.kind == GraphEdge<double>::Kind::weight;
    if (edge.to >= nodes_.size() || edge.from >= edge.to)
        throw DomainError("graph: an edge leads from node " + std::to_string(edge.from) + " to node " +
                              std::to_string(edge.to) + " of " + std::to_string(nodes_.size() - 1) +
                              "; sources come before targets",
                          "graph");
    auto const& from = nodes_[edge.from];
    auto& to = nodes_[edge.to];
    if (weighted && to.concatenation)
        throw DomainError("graph: a weight edge leads into the concatenation " + printable(to.name), "graph");
    Edge out{.name = edge.name, .from = edge.from, .to = edge.to, .weighted = weighted};
    if (weighted) {
        double const entries = static_cast<double>(from.width) * static_cast<double>(to.width);
        if (entries * (concatenated_ ? 2 : 1) + static_cast<double>(size_) > static_cast<double>(most_weights))
            throw UnsupportedError("graph: a network of more than " + std::to_string(most_weights / 1'000'000) +
                                       " million weights is not drawn; take smaller widths or fewer layers",
                                   "graph");
        out.scale = unit_parameters_ ? std::sqrt(edge.variance) : edge.multiplier;
        out.first = size_;
        out.negative = out.first + from.width * to.width;
        size_ = concatenated_ ? out.negative + from.width * to.width : out.negative;
    } else if (to.concatenation) {
        for (std::size_t const e : to.incoming) out.part += nodes_[edges_[e].from].width;
    } else if (from.width != to.width) {
        throw DomainError(
            "graph: a skip edge leads from " + sized(from) + " to " + sized(to) + "; equal widths are required",
            "graph");
    }
    if (to.concatenation && out.part + from.width > to.width)
        throw DomainError("graph: the parts of " + sized(to) + " are wider than it", "graph");
    to.incoming.push_back(edges_.size());
    edges_.push_back(out);
}

std::vector<GraphLayout::Weight> const& GraphLayout::weights() const {
    std::call_once(listed_->once, [this] { list_weights(listed_->weights); });
    return listed_->weights;
}

void GraphLayout::list_weights(std::vector<Weight>& out) const {
    out.reserve(size_);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (!edges_[e].weighted) continue;
        auto const& from = nodes_[edges_[e].from];
        auto const& to = nodes_[edges_[e].to];
        for (bool const negative : {false, true}) {
            if (negative && !concatenated_) break;
            for (std::size_t i = 0; i < to.width; ++i)
                for (std::size_t j = 0; j < from.width; ++j)
                    out.push_back({.row = static_cast<std::uint32_t>(to.first + i),
                                   .column = static_cast<std::uint32_t>(from.first + j),
                                   .edge = static_cast<std::uint32_t>(e),
                                   .negative = negative});
        }
    }
}

void GraphLayout::require_parts() const {
    for (std::size_t v = 1; v < nodes_.size(); ++v) {
        auto const& node = nodes_[v];
        if (node.incoming.empty()) throw DomainError("graph: no edge leads into " + sized(node), "graph");
        std::size_t parts = 0;
        for (std::size_t const e : node.incoming) parts += nodes_[edges_[e].from].width;
        if (node.concatenation && parts != node.width)
            throw DomainError("graph: the parts of " + sized(node) + " have width " + std::to_string(parts), "graph");
    }
}

void forward(GraphLayout const& layout, std::span<double const> weights, std::span<double const> x, GraphPass& out) {
    take_weights(layout, weights, out);
    pass_through(layout, weights.size(), x, nullptr, out);
}

void forward(GraphLayout const& layout, std::span<float const> weights, std::span<double const> x, GraphPass& out) {
    take_weights(layout, weights, out);
    pass_through(layout, weights.size(), x, nullptr, out);
}

void forward(GraphLayout const& layout, std::span<double const> weights, std::span<double const> x,
             TieBreak<double> const& ties, GraphPass& out) {
    take_weights(layout, weights, out);
    pass_through(layout, weights.size(), x, &ties, out);
}

void forward(GraphLayout const& layout, std::span<float const> weights, std::span<double const> x,
             TieBreak<double> const& ties, GraphPass& out) {
    take_weights(layout, weights, out);
    pass_through(layout, weights.size(), x, &ties, out);
}

}  // namespace isserlis::mlp
