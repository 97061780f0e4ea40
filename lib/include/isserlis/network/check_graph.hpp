// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/graph.hpp>
#include <isserlis/network/known.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace isserlis {

namespace check_graph_detail {

/// One pass over the stages of a graph from the input up.
template <class R, class Count>
class GraphCheck {
public:
    GraphCheck(Graph<R, Count> const& graph, std::string const& what) : graph_(graph), what_(what) {}

    void all() {
        if (graph_.stages.empty()) refuse("there are no stages; at least one is required");
        if (!may_be_width(graph_.input_width)) refuse(not_a_width("the input", graph_.input_width));
        below_ = &graph_.input_width;
        for (auto const& stage : graph_.stages) {
            if (stage.nodes.empty()) refuse("a stage has no nodes; the last node of each stage is its output");
            if (!may_be_count(stage.count)) refuse("a stage occurs " + shown(stage.count) + " times; at least 1");
            if (!stage.numbered && !(stage.count == Count(1)))
                refuse("a stage that is not numbered occurs several times, so that its names are not unique");
            for (auto const& node : stage.nodes) check_node(node);
            check_edges(stage);
            check_repeat(stage);
            below_ = &stage.nodes.back().width;
        }
        check_names();
    }

private:
    using Block = GraphStage<R, Count>;
    using Node = GraphNode<R>;
    using Edge = GraphEdge<R>;

    [[noreturn]] void refuse(std::string const& why) const { throw DomainError(what_ + ": " + why, what_); }
    [[noreturn]] void refuse(Node const& node, std::string const& why) const {
        refuse("node '" + printable(node.name) + "' " + why);
    }
    [[noreturn]] void refuse(Edge const& edge, std::string const& why) const {
        refuse("edge '" + printable(edge.name) + "' " + why);
    }
    static std::string not_a_width(std::string const& of, R const& width) {
        return of + " has the width " + shown(width) + "; a whole number from 1 is required";
    }

    void check_node(Node const& node) const {
        if (!may_be_width(node.width)) refuse(not_a_width("node '" + printable(node.name) + "'", node.width));
        if (node.gate && node.kind == Node::Kind::concatenation) refuse(node, "is a concatenation and has no gate");
        if (node.gate && graph_.sides != WeightSides::one) refuse(node, "has a gate, which concatenated ReLU has not");
        if (!node.bias) return;
        if (node.kind == Node::Kind::concatenation) refuse(node, "is a concatenation and has no bias");
        if (!may_be_at_least_zero(node.bias->variance))
            refuse(node, "has a bias of variance " + shown(node.bias->variance) + "; it is at least 0");
        if (!may_be_at_least_zero(R(node.bias->law.kurtosis() - R(1))))
            refuse(node, "has a bias of kurtosis " + shown(node.bias->law.kurtosis()) + "; a kurtosis is at least 1");
    }

    [[nodiscard]] R const& width_of(Block const& stage, std::size_t v) const {
        return v == 0 ? *below_ : stage.nodes[v - 1].width;
    }

    void check_edge(Block const& stage, Edge const& edge) const {
        if (edge.to == 0 || edge.to > stage.nodes.size()) refuse(edge, "leads to no node");
        if (edge.from >= edge.to) refuse(edge, "leads to a node that is listed before its source");
        auto const& target = stage.nodes[edge.to - 1];
        bool const skip = edge.kind == Edge::Kind::skip;
        if (target.kind == Node::Kind::concatenation) {
            if (!skip) refuse(edge, "carries weights into a concatenation; only parts lead there");
        } else if (skip) {
            if (target.gate)
                refuse(edge, "skips into the gated node '" + printable(target.name) + "'; skips lead to linear nodes");
            if (!(width_of(stage, edge.from) == target.width)) refuse(edge, "skips between nodes of different widths");
        } else {
            if (!may_be_at_least_zero(edge.variance))  // 0 for biases that are 0 and yet have derivatives
                refuse(edge, "has the variance " + shown(edge.variance) + "; it is at least 0");
            if (!may_be_at_least_zero(R(edge.law.kurtosis() - R(1))))
                refuse(edge, "has the kurtosis " + shown(edge.law.kurtosis()) + "; a kurtosis is at least 1");
            check_orthogonal(edge, width_of(stage, edge.from), target.width);
        }
    }

    /// What formulas and samplers rely on; 0 stands for a side that is not known.
    void check_orthogonal(Edge const& edge, R const& fan_in, R const& fan_out) const {
        if (!edge.orthogonal || *edge.orthogonal == R(0)) return;
        if (edge.law.kind != LawKind::gaussian)
            refuse(edge, "is orthogonal and has another law than gaussian beside it");
        bool const is_side = *edge.orthogonal == fan_in || *edge.orthogonal == fan_out;
        if (!is_side || !may_be_at_least_zero(R(*edge.orthogonal - fan_in)) ||
            !may_be_at_least_zero(R(*edge.orthogonal - fan_out)))
            refuse(edge, "is a part of an orthogonal matrix of " + shown(*edge.orthogonal) + " rows; the larger of " +
                             shown(fan_in) + " and " + shown(fan_out) + " is required");
    }

    void check_edges(Block const& stage) const {
        std::vector<bool> fed(stage.nodes.size(), false);
        std::vector<R> parts(stage.nodes.size(), R(0));
        for (auto const& edge : stage.edges) {
            check_edge(stage, edge);
            fed[edge.to - 1] = true;
            if (stage.nodes[edge.to - 1].kind == Node::Kind::concatenation)
                parts[edge.to - 1] = parts[edge.to - 1] + width_of(stage, edge.from);
        }
        for (std::size_t v = 0; v < stage.nodes.size(); ++v) {
            auto const& node = stage.nodes[v];
            if (!fed[v]) refuse(node, "has no edge into it");
            if (node.kind == Node::Kind::concatenation && !(parts[v] == node.width))
                refuse("the concatenation '" + printable(node.name) + "' has the width " + shown(node.width) +
                       ", its parts together " + shown(parts[v]));
        }
    }

    /// The second copy of a stage stands on the first: what skips from below has to fit there too.
    void check_repeat(Block const& stage) const {
        if (stage.count == Count(1) || *below_ == stage.nodes.back().width) return;
        for (auto const& edge : stage.edges) {
            if (edge.kind == Edge::Kind::skip && edge.from == 0)
                refuse(edge, "of a repeated stage starts below it, where the second copy finds another width");
        }
    }

    /// Do [a.first, a.first + a.count) and that of b have a number in common? Of symbols only what is certain.
    static bool overlap(Block const& a, Block const& b) {
        auto const below = [](Count const& x, Count const& y) {  // certainly, or possibly, x <= y
            if constexpr (requires { x.is_constant(); }) {
                Count const gap = y - x;
                return gap.is_constant() ? may_be_at_least_zero(gap.constant()) : true;
            } else {
                return x <= y;
            }
        };
        return !below(Count(a.first + a.count), b.first) && !below(Count(b.first + b.count), a.first);
    }

    void check_names() const {
        std::set<std::string> full{graph_.input_name};
        for (std::size_t b = 0; b < graph_.stages.size(); ++b) {
            auto const& stage = graph_.stages[b];
            std::set<std::string> own;
            for (auto const& node : stage.nodes) {
                bool const fresh = stage.numbered ? own.insert(node.name).second : full.insert(node.name).second;
                if (!fresh) refuse("there are two nodes called '" + printable(node.name) + "'");
            }
            // Stages come in the order of their numbers, so that neighbours tell.
            if (stage.numbered && b > 0 && graph_.stages[b - 1].numbered && overlap(graph_.stages[b - 1], stage))
                refuse("two stages have the number " + shown(stage.first) + "; `first` goes on where the last ended");
        }
    }

    Graph<R, Count> const& graph_;
    std::string const& what_;
    R const* below_ = nullptr;
};

}  // namespace check_graph_detail

/// Checks what every leg relies on: at least one stage and node, sources before targets, every node fed, whole widths,
/// positive variances, kurtoses from 1, skips between equal widths and into linear nodes, concatenations as wide as
/// their parts together, names that are unique. Of symbols only what is certain is refused. `what` names the graph in
/// the message.
///
/// Errors  DomainError naming the node or edge.
template <class R, class Count>
void check_graph(Graph<R, Count> const& graph, std::string const& what = "graph") {
    check_graph_detail::GraphCheck<R, Count>(graph, what).all();
}

}  // namespace isserlis
