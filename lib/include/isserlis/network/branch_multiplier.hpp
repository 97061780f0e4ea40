// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/graph.hpp>

#include <algorithm>

namespace isserlis {

/// The last matrix of a residual branch; null in a block without a skip.
template <class R, class Count>
[[nodiscard]] GraphEdge<R>* last_of_branch(GraphStage<R, Count>& block) {
    using Kind = typename GraphEdge<R>::Kind;
    auto const last = block.nodes.size();
    bool const has_skip = std::any_of(block.edges.begin(), block.edges.end(),
                                      [&](auto const& edge) { return edge.kind == Kind::skip && edge.from == 0; });
    auto const at = std::find_if(block.edges.begin(), block.edges.end(),
                                 [&](auto const& edge) { return edge.kind == Kind::weight && edge.to == last; });
    return has_skip && at != block.edges.end() ? &*at : nullptr;
}

/// Makes residual blocks y + m F(y) of y + F(y), s = m^2, where derivatives stay those by the matrices, beside which m
/// stands: the last matrix of a branch and the bias behind it have s in their variances and label factors.
template <class R, class Count>
void multiply_branches(Graph<R, Count>& graph, R const& s) {
    for (auto& stage : graph.stages) {
        auto* const last = last_of_branch(stage);
        if (last == nullptr) continue;
        last->variance = last->variance * s;
        last->label_factor = last->label_factor * s;
        auto& bias = stage.nodes.back().bias;
        if (!bias) continue;
        bias->variance = bias->variance * s;
        bias->label_factor = bias->label_factor * s;
    }
}

}  // namespace isserlis
