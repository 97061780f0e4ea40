// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/network/graph.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// What multiplies derivatives by each weight, and behind them by each bias: the label factors of the flat graph, which are
/// rates where a step is taken.
[[nodiscard]] inline std::vector<double> parameter_factors(mlp::Architecture const& architecture,
                                                           Graph<double, std::uint64_t> const& flat) {
    auto const& stage = flat.stages.front();
    std::vector<double> out;
    for (auto const& w : architecture.wiring().weights()) out.push_back(stage.edges[w.edge].label_factor);
    for (std::size_t v = 1; v <= stage.nodes.size(); ++v) {
        auto const& node = architecture.wiring().nodes()[v];
        if (node.first_bias) out.insert(out.end(), node.width, stage.nodes[v - 1].bias->label_factor);
    }
    return out;
}

}  // namespace isserlis::monte_carlo
