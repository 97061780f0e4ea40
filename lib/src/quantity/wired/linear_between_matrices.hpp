// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/network/graph.hpp>
#include <string>

#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {

/// Errors  UnsupportedError for gates, in these words about that parameter.
template <class R, class Count>
void require_linear(Graph<R, Count> const& graph, std::string const& of_gates, char const* parameter = "activation") {
    if (graph.sides != WeightSides::one) throw UnsupportedError(of_gates, parameter);
    for (auto const& stage : graph.stages) {
        for (auto const& node : stage.nodes) {
            if (node.gate && !(node.gate->negative == R(1) && node.gate->positive == R(1)))
                throw UnsupportedError(of_gates, parameter);
        }
    }
}

/// The networks of which derivatives at several samples have formulas, on a graph.
/// Errors  UnsupportedError for gates, in these words about that parameter, and for an input or an output that is not behind
///         a matrix of its own.
template <class R, class Count>
void require_linear_between_matrices(Graph<R, Count> const& graph, std::string const& of_gates,
                                     char const* parameter = "activation") {
    using Kind = typename GraphEdge<R>::Kind;
    require_linear(graph, of_gates, parameter);
    auto const& first = graph.stages.front();
    auto const& last = graph.stages.back();
    auto const has_own_matrix = [](auto const& block, auto const& at_end) {
        return std::all_of(block.edges.begin(), block.edges.end(),
                           [&](auto const& e) { return !at_end(e) || e.kind == Kind::weight; });
    };
    if (!has_own_matrix(first, [](auto const& e) { return e.from == 0; }) ||
        !has_own_matrix(last, [&](auto const& e) { return e.to == last.nodes.size(); }))
        throw UnsupportedError(
            "`network`: with several samples the input and the output need matrices of their own; residual networks "
            "have "
            "them with `projections`",
            "network");
}

/// Of all weights; orthogonal matrices too, which are as invariant under rotation.
template <class R, class Count>
[[nodiscard]] bool has_gaussian_weights(Graph<R, Count> const& graph) {
    return std::all_of(graph.stages.begin(), graph.stages.end(), [](auto const& block) {
        return std::all_of(block.edges.begin(), block.edges.end(), [](auto const& e) {
            return e.kind != GraphEdge<R>::Kind::weight || e.law.kind == LawKind::gaussian;
        });
    });
}

/// Errors  UnsupportedError for other weights.
template <class R, class Count>
void require_gaussian_step(Graph<R, Count> const& graph) {
    if (!has_gaussian_weights(graph))
        throw UnsupportedError("`scheme`: a step on several samples is served for Gaussian weights", "scheme");
}

/// Errors  UnsupportedError for weights that are not Gaussian at inputs of which products alone are known.
template <class R>
void require_coordinates(bool gaussian, InputSamples<R> const& samples) {
    if (!gaussian && samples.fourth.empty())
        throw UnsupportedError(
            "`law`: inputs by their inner products are served for Gaussian weights; others ask for coordinates, such "
            "as those of `data`",
            "law");
}

}  // namespace isserlis::quantity
