// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/network_model.hpp>

#include <cstddef>
#include <vector>

#include "model.hpp"

namespace isserlis::cli {

/// The model as the sampling engine takes it, with an input vector of the stated norm.
/// Errors  UnsupportedError for widths too large to be sampled.
[[nodiscard]] monte_carlo::NetworkModel sampling_model(NumericModel const& model);

/// The same for a network on any graph.
[[nodiscard]] monte_carlo::GraphModel sampling_graph(NumericModel const& model);

/// The input given, or one of the stated |x|^2 and sum x_i^4.
[[nodiscard]] std::vector<double> sampling_input(NumericModel const& model, std::size_t width);

}  // namespace isserlis::cli
