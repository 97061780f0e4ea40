// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <isserlis/mlp/graph_network.hpp>
#include <vector>

#include "plan/label_sets.hpp"

namespace isserlis::monte_carlo::detail {

/// Does neuron j meet the same side of the matrices in both passes, and one whose weights are among the labels?
///
/// Law     none.
/// Shape   with P and N, P where h > 0 and N elsewhere; always, with one side.
/// Units   none.
/// Errors  none.
/// Source  the convention of GraphDerivatives
[[nodiscard]] inline bool meets_one_side(mlp::GraphLayout const& layout, EdgeFactors const& factors,
                                         mlp::GraphPass const& a, mlp::GraphPass const& b, std::size_t j) {
    return !layout.concatenated() ||
           (a.positive[j] == b.positive[j] && (a.positive[j] != 0 || !factors.positive_side_alone));
}

/// The sum over the neurons j that enter edge e, and meet one side, of at(j), times the factor and the squared scale.
template <class At>
[[nodiscard]] double edge_strength(mlp::GraphLayout const& layout, EdgeFactors const& factors, std::size_t e,
                                   double factor, mlp::GraphPass const& a, mlp::GraphPass const& b, At const& at) {
    auto const& edge = layout.edges()[e];
    auto const& from = layout.nodes()[edge.from];
    double sum = 0;
    for (std::size_t j = from.first; j < from.first + from.width; ++j)
        if (meets_one_side(layout, factors, a, b, j)) sum += at(j);
    return factor * edge.scale * edge.scale * sum;
}

/// By edge: its factor, squared scale and the inner product of the activations that enter it; behind the edges by node
/// the factor of its biases; 0 for those that the labels do not run over.
inline void fill_strengths(mlp::GraphLayout const& layout, EdgeFactors const& factors, mlp::GraphPass const& a,
                           mlp::GraphPass const& b, std::vector<double>& out) {
    out.assign(layout.edges().size() + layout.nodes().size(), 0.0);
    for (auto const& [e, factor] : factors.edges)
        out[e] = edge_strength(layout, factors, e, factor, a, b, [&](std::size_t j) { return a.h[j] * b.h[j]; });
    for (auto const& [v, factor] : factors.biased_nodes) out[layout.edges().size() + v] = factor;
}

/// The first node that an edge of the labels leads to, or that has biases among them.
[[nodiscard]] inline std::size_t lowest_target(mlp::GraphLayout const& layout, EdgeFactors const& factors) {
    std::size_t out = layout.output();
    for (auto const& [e, factor] : factors.edges) out = std::min(out, layout.edges()[e].to);
    for (auto const& [v, factor] : factors.biased_nodes) out = std::min(out, v);
    return out;
}

}  // namespace isserlis::monte_carlo::detail
