// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/network_model.hpp>

#include <cstddef>
#include <vector>

namespace isserlis {

/// The model as the sampling engine takes it, with an input vector of the stated norm. What derivatives are by is read
/// from `model.derivatives`: parameters of variance 1, or of that of the parametrisation, and the scales that multiply
/// them inside the network.
/// Errors  UnsupportedError for widths too large to be sampled.
[[nodiscard]] monte_carlo::NetworkModel sampling_model(NumericModel const& model);

/// The same for a network on any graph; label factors are those of `model.derivatives`, not those of the exact side.
[[nodiscard]] monte_carlo::GraphModel sampling_graph(NumericModel const& model);

/// What multiplies a sampled pair of derivatives by each layer, or the rates of a step, from `model.derivatives` and
/// the widths that are drawn.
[[nodiscard]] std::vector<double> sampling_factors(NumericModel const& model);

/// The input given, or one of the stated |x|^2 and sum x_i^4.
[[nodiscard]] std::vector<double> sampling_input(NumericModel const& model, std::size_t width);

}  // namespace isserlis
