// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/verify/check.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace isserlis {

/// Samples networks, backpropagates a constant output gradient for the model's one input, and sets the sizes of the
/// updates relative to the weights, over that of layer 1, beside the exact ratios.
///
/// Law     the model's; |dP|^2 + |dN|^2 for concatenated ReLU.
/// Shape   one exact ratio per layer, the first is 1; one rate per layer, or none, that multiplies its gradient;
///         `skewness` of the sizes, or a bound of it, without which only `heavy_tail_threshold` standard errors disagree.
/// Errors  those of monte_carlo::update_sizes; UnsupportedError for a run that would not end.
[[nodiscard]] std::vector<Check> check_update_ratios(monte_carlo::NetworkModel const& model,
                                                     std::vector<double> const& exact, std::uint64_t samples,
                                                     std::uint64_t seed, monte_carlo::RunControl const& control,
                                                     std::vector<double> const& rates = {},
                                                     std::optional<double> skewness = std::nullopt);

}  // namespace isserlis
