// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/network_model.hpp>

#include "model.hpp"

namespace isserlis::cli {

/// The model as the sampling engine takes it, with an input vector of the stated norm.
/// Errors  UnsupportedError for widths too large to be sampled.
[[nodiscard]] monte_carlo::NetworkModel sampling_model(NumericModel const& model);

}  // namespace isserlis::cli
