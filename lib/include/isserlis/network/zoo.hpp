// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/activation.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// A node with the gate of an activation, or without one.
template <class R>
[[nodiscard]] GraphNode<R> weighted_node(R width, Activation<R> const& activation, bool gated, std::string name = {}) {
    std::optional<Gate<R>> gate;
    if (gated && activation.is_gated()) gate = activation.gate();
    return {.name = std::move(name),
            .width = std::move(width),
            .kind = GraphNode<R>::Kind::weighted,
            .gate = std::move(gate)};
}

/// A weighted node under ReLU gates.
template <class R>
[[nodiscard]] GraphNode<R> relu_node(R width, std::string name = {}) {
    return {.name = std::move(name), .width = std::move(width), .gate = Gate<R>{}};
}

/// A weighted node without gates.
template <class R>
[[nodiscard]] GraphNode<R> linear_node(R width, std::string name = {}) {
    return {.name = std::move(name), .width = std::move(width)};
}

/// A fully connected network as a graph: stage l is weight layer l, its node z^l. `orthogonal` has `GraphEdge::orthogonal`
/// of each run, or nothing.
template <class R, class Count>
[[nodiscard]] Graph<R, Count> chain_graph(FullyConnected<R, Count> const& net,
                                          std::vector<std::optional<R>> const& orthogonal = {}) {
    Graph<R, Count> out;
    out.input_width = net.input_width();
    out.sides = net.activation.sides();
    Count first(1);
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        auto add = [&](Count const& count, bool gated) {
            GraphStage<R, Count> stage;
            stage.nodes = {weighted_node(run.fan_out, net.activation, gated)};
            stage.nodes[0].bias = run.bias;
            stage.edges.resize(1);
            stage.edges[0].variance = run.variance;
            stage.edges[0].law = run.law;
            stage.edges[0].label_factor = run.label_factor;
            if (!orthogonal.empty()) stage.edges[0].orthogonal = orthogonal[i];
            stage.count = count;
            stage.first = first;
            out.stages.push_back(std::move(stage));
            first = first + count;
        };
        // The output layer may differ from the hidden layers of its run.
        bool const last = i + 1 == net.layers.size();
        bool const split = last && !net.gated_head && !(run.count == Count(1));
        if (split) {
            add(run.count - Count(1), true);
            add(Count(1), false);
        } else {
            add(run.count, !last || net.gated_head);
        }
    }
    return out;
}

/// One weight matrix of a residual branch; the node above it has `width` neurons.
template <class R>
struct BranchMatrix {
    R width;
    R variance{};
    WeightLaw<R> law{};
    R label_factor = R(1);
    std::optional<Bias<R>> bias{};  ///< of the node above it
};

/// Residual stages y^k = y^(k-1) + W_m phi( .. phi(W_1 y^(k-1))): no gate after the last matrix of a branch.
///
/// Shape   `branches` are runs of equal stages: the matrices of a branch and how many stages have it. The last matrix
/// of
///         each branch has the common width. Nodes are k (that is y^k) and k.1 .. k.(m-1); weights are k.1 .. k.m.
/// Source  [Residual 2019, eq. (6)]
template <class R, class Count>
[[nodiscard]] Graph<R, Count> residual_graph(
    R const& width, Activation<R> const& activation,
    std::vector<std::pair<std::vector<BranchMatrix<R>>, Count>> const& branches) {
    Graph<R, Count> out;
    out.input_width = width;
    out.sides = activation.sides();
    Count first(1);
    for (auto const& [branch, count] : branches) {
        GraphStage<R, Count> stage;
        for (std::size_t j = 1; j <= branch.size(); ++j) {
            auto const& matrix = branch[j - 1];
            bool const last = j == branch.size();
            std::string const name = "." + std::to_string(j);
            stage.nodes.push_back(weighted_node(matrix.width, activation, !last, last ? std::string() : name));
            stage.nodes.back().bias = matrix.bias;
            stage.edges.push_back({.name = name,
                                   .from = j - 1,
                                   .to = j,
                                   .variance = matrix.variance,
                                   .law = matrix.law,
                                   .label_factor = matrix.label_factor});
        }
        GraphEdge<R> skip{.name = ".skip", .from = 0, .to = branch.size()};
        skip.kind = GraphEdge<R>::Kind::skip;
        stage.edges.push_back(std::move(skip));
        stage.count = count;
        stage.first = first;
        out.stages.push_back(std::move(stage));
        first = first + count;
    }
    return out;
}

/// A network between two plain matrices: it reads W x, and the output reads it, without gates.
///
/// Shape   the input is "x", what the network reads "0", the output "out"; the matrices are called "in" and "out".
template <class R, class Count>
[[nodiscard]] Graph<R, Count> between_matrices(Graph<R, Count> const& graph, R const& input_width,
                                               BranchMatrix<R> const& first, BranchMatrix<R> const& last) {
    auto const plain = [](BranchMatrix<R> const& matrix, std::string const& node, std::string const& edge) {
        GraphStage<R, Count> out;
        out.nodes = {linear_node(matrix.width, node)};
        out.nodes[0].bias = matrix.bias;
        out.edges.push_back({.name = edge,
                             .from = 0,
                             .to = 1,
                             .variance = matrix.variance,
                             .law = matrix.law,
                             .label_factor = matrix.label_factor});
        out.numbered = false;
        return out;
    };
    Graph<R, Count> out = graph;
    out.input_name = "x";
    out.input_width = input_width;
    out.stages.insert(out.stages.begin(), plain(first, graph.input_name, "in"));
    out.stages.push_back(plain(last, "out", "out"));
    return out;
}

/// Dense blocks y^k = phi(W^k (y^0, .., y^(k-1))): W^k meets the concatenation of everything below.
///
/// Shape   `layers[k - 1]` is W^k and the width of y^k. Nodes are k (that is y^k) and k.pool, the concatenation of
///         y^0 .. y^k; weights are k. With `first_source` = 1 only W^1 meets the input, and pools start from y^1.
/// Source  [Residual 2019, section 3.3]
template <class R, class Count>
[[nodiscard]] Graph<R, Count> dense_graph(R const& input_width, Activation<R> const& activation, bool gated_head,
                                          std::vector<BranchMatrix<R>> const& layers, unsigned first_source = 0) {
    Graph<R, Count> out;
    out.input_width = input_width;
    out.sides = activation.sides();
    R pool = first_source == 0 ? input_width : R(0);
    for (std::size_t k = 1; k <= layers.size(); ++k) {
        auto const& layer = layers[k - 1];
        bool const last = k == layers.size();
        GraphStage<R, Count> stage;
        stage.first = Count(static_cast<int>(k));
        stage.nodes = {weighted_node(layer.width, activation, !last || gated_head)};
        stage.nodes[0].bias = layer.bias;
        GraphEdge<R> weights;
        weights.variance = layer.variance;
        weights.law = layer.law;
        weights.label_factor = layer.label_factor;
        stage.edges = {weights};
        pool = pool + layer.width;
        if (!last && k > first_source) {
            stage.nodes.push_back({.name = ".pool", .width = pool, .kind = GraphNode<R>::Kind::concatenation});
            for (std::size_t from = 0; from < 2; ++from) {
                GraphEdge<R> part{.name = ".part" + std::to_string(from), .from = from, .to = 2};
                part.kind = GraphEdge<R>::Kind::skip;
                stage.edges.push_back(std::move(part));
            }
        }
        out.stages.push_back(std::move(stage));
    }
    return out;
}

}  // namespace isserlis
