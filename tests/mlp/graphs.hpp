// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/network/graph.hpp>
#include <string>
#include <vector>

// Small graphs of every kind, built by hand.
namespace graphs {

using Graph = isserlis::Graph<double, std::uint64_t>;
using Node = isserlis::GraphNode<double>;
using Edge = isserlis::GraphEdge<double>;
using isserlis::ActivationKind;

inline Node node(std::string name, double width, bool gated, double slope = 0) {
    Node out;
    out.name = std::move(name);
    out.width = width;
    if (gated) out.gate = isserlis::Gate<double>{1, slope};
    return out;
}

inline Edge weights(std::string name, std::size_t from, std::size_t to, double variance = 1) {
    Edge out;
    out.name = std::move(name);
    out.from = from;
    out.to = to;
    out.variance = variance;
    return out;
}

inline Edge skip(std::size_t from, std::size_t to) {
    Edge out;
    out.from = from;
    out.to = to;
    out.kind = Edge::Kind::skip;
    return out;
}

inline Graph flat(double input_width, std::vector<Node> nodes, std::vector<Edge> edges,
                  ActivationKind activation = ActivationKind::relu) {
    Graph out;
    out.input_width = input_width;
    out.sides = isserlis::sides_of(activation);
    out.stages.resize(1);
    out.stages[0].numbered = false;
    out.stages[0].nodes = std::move(nodes);
    out.stages[0].edges = std::move(edges);
    return out;
}

/// Layers 1, 2, .. of these widths, variance scale/fan-in (2 as in He's scheme), the head linear unless gated.
inline Graph chain(std::vector<double> const& widths, ActivationKind activation = ActivationKind::relu,
                   double scale = 2, bool gated_head = false, double slope = -0.4) {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    bool const gates = activation == ActivationKind::relu || activation == ActivationKind::leaky;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        bool const gated = gates && (q + 1 < widths.size() || gated_head);
        nodes.push_back(node(std::to_string(q), widths[q], gated, activation == ActivationKind::leaky ? slope : 0));
        edges.push_back(weights(std::to_string(q), q - 1, q, scale / widths[q - 1]));
    }
    return flat(widths[0], nodes, edges, activation);
}

/// Stages of two layers with a skip edge around them, inner variance 2/n and outer variance 1/n; no layer below or
/// above.
inline Graph residual(double width, std::uint64_t stages) {
    Graph out;
    out.input_width = width;
    out.stages.resize(1);
    auto& stage = out.stages[0];
    stage.count = stages;
    stage.nodes = {node(".1", width, true), node("", width, false)};
    stage.edges = {weights(".1", 0, 1, 2 / width), weights(".2", 1, 2, 1 / width), skip(0, 2)};
    return out;
}

/// Two layers of 2 neurons that see all before them, and a linear head of 2.
inline Graph dense(double input_width) {
    Node first = node("1", input_width + 2, false);
    Node second = node("2", input_width + 4, false);
    first.kind = second.kind = Node::Kind::concatenation;
    return flat(
        input_width, {node("1.1", 2, true), first, node("2.1", 2, true), second, node("3", 2, false)},
        {weights("1", 0, 1), skip(0, 2), skip(1, 2), weights("2", 2, 3), skip(2, 4), skip(3, 4), weights("3", 4, 5)});
}

}  // namespace graphs
