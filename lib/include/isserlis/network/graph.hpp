// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/activation.hpp>
#include <isserlis/network/bias.hpp>
#include <isserlis/network/weight_law.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// A node of a graph of layers: z = sum of W h over its weight edges + sum of h over its skip edges + b; h = gate * z.
template <class R>
struct GraphNode {
    enum class Kind {
        weighted,
        concatenation,  ///< h is the sources of its edges one after the other; no gate
    };
    std::string name;  ///< in a numbered stage what follows the number: "" for the stage's output, ".1", ..
    R width{};
    Kind kind = Kind::weighted;
    std::optional<Gate<R>> gate{};  ///< none for a linear node
    std::optional<Bias<R>> bias{};  ///< b; none is 0
    static constexpr auto members =
        std::tuple{&GraphNode::name, &GraphNode::width, &GraphNode::kind, &GraphNode::gate, &GraphNode::bias};
};

/// From node `from` to node `to` of a stage; 0 is the node below the stage, k its k-th own node.
template <class R>
struct GraphEdge {
    enum class Kind {
        weight,
        skip,  ///< the identity: into a linear node of equal width, or a part of a concatenation, in order
    };
    std::string name;  ///< what restrictions call it; in a numbered stage what follows the number ("" if it is alone)
    std::size_t from = 0;
    std::size_t to = 1;
    Kind kind = Kind::weight;
    R variance{};
    WeightLaw<R> law{};
    R label_factor = R(1);  ///< multiplies a summed pair of derivatives by these weights
    /// What is drawn, and differentiated by, is multiplied by this inside the network. Exact formulas have it worked into
    /// variance and label factor.
    R multiplier = R(1);
    /// m where the weights are sqrt(m variance) times the first rows, or columns, of a Haar-orthogonal m x m matrix, in
    /// place of their law, which is Gaussian: the larger of fan-in and fan-out, or 0 where symbols leave open which it is.
    std::optional<R> orthogonal{};
    static constexpr auto members = std::tuple{
        &GraphEdge::name, &GraphEdge::from,         &GraphEdge::to,         &GraphEdge::kind,      &GraphEdge::variance,
        &GraphEdge::law,  &GraphEdge::label_factor, &GraphEdge::multiplier, &GraphEdge::orthogonal};
};

/// `count` equal pieces in series, each between one node below and its last own node.
template <class R, class Count>
struct GraphStage {
    std::vector<GraphNode<R>> nodes;  ///< sources before targets
    std::vector<GraphEdge<R>> edges;
    Count count = Count(1);
    bool numbered = true;    ///< nodes are called number + name, numbers running from `first`
    Count first = Count(1);  ///< 1-based number of the first copy
    static constexpr auto members = std::tuple{&GraphStage::nodes, &GraphStage::edges, &GraphStage::count,
                                               &GraphStage::numbered, &GraphStage::first};
};

/// A network as a directed acyclic graph: stages in series from the input up. The output is the last stage's last node.
template <class R, class Count>
struct Graph {
    std::string input_name = "0";
    R input_width{};
    std::vector<GraphStage<R, Count>> stages;
    /// With two sides every weight edge has P for relu(h) and N for min(h, 0), and no node a gate.
    WeightSides sides = WeightSides::one;
    static constexpr auto members = std::tuple{&Graph::input_name, &Graph::input_width, &Graph::stages, &Graph::sides};

    [[nodiscard]] R const& output_width() const { return stages.back().nodes.back().width; }
};

/// Is some node's pre-activation shifted by a random bias?
template <class R, class Count>
[[nodiscard]] bool has_biases(Graph<R, Count> const& graph) {
    for (auto const& stage : graph.stages) {
        for (auto const& node : stage.nodes) {
            if (node.bias) return true;
        }
    }
    return false;
}

/// The same network as one stage with full names, every repeat written out.
template <class R>
[[nodiscard]] Graph<R, std::uint64_t> flattened(Graph<R, std::uint64_t> const& graph) {
    Graph<R, std::uint64_t> out = graph;
    GraphStage<R, std::uint64_t> whole;
    whole.numbered = false;
    std::size_t below = 0;
    for (auto const& stage : graph.stages) {
        for (std::uint64_t copy = 0; copy < stage.count; ++copy) {
            std::string const number = stage.numbered ? std::to_string(stage.first + copy) : "";
            std::size_t const base = whole.nodes.size();
            for (auto node : stage.nodes) {
                node.name = number + node.name;
                whole.nodes.push_back(std::move(node));
            }
            for (auto edge : stage.edges) {
                edge.name = number + edge.name;
                edge.from = edge.from == 0 ? below : base + edge.from;
                edge.to += base;
                whole.edges.push_back(std::move(edge));
            }
            below = whole.nodes.size();
        }
    }
    out.stages = {std::move(whole)};
    return out;
}

/// Does `place` mean this edge: by its own name, by that of the node it leads into, or by the number before the dot?
[[nodiscard]] inline bool names_edge(std::string const& place, std::string const& edge, std::string const& target) {
    return edge == place || target == place || edge.compare(0, place.size() + 1, place + ".") == 0;
}

}  // namespace isserlis
