// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/quantities.hpp>

#include <vector>

namespace isserlis::quantity {

inline constexpr char const* first_step_law =
    "networks of any wiring without concatenated units, Gaussian weights, of files also of other laws, zero biases, "
    "one fixed input, linear head; one step of sign, adam, normalised or muon on one sample, to first order, of w with "
    "a "
    "parametrisation; y independent of the weights, of random signs where it is sampled";

/// What every command says that has the first step of an optimiser other than sgd on one network.
[[nodiscard]] std::vector<Quantity> first_step_quantities();

}  // namespace isserlis::quantity
