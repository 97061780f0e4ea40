// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::quantity {

inline constexpr char const* strand_law =
    "independent symmetric weights or Haar-orthogonal matrices, no pre-activation with an atom at 0 but above a dead "
    "layer, one input where a "
    "gate is on the way; targets independent of the weights, mean 0 but with --target-mean, equal in each output";
inline constexpr char const* one_run =
    "one network from one seed, in double precision: a number of a run, not an expectation";

}  // namespace isserlis::quantity
