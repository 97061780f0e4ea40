// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include "quantity/mup/mup_sweep.hpp"

namespace isserlis::quantity {

/// `optimiser` with `depths` and `width_list`. Errors  ParseError and UnsupportedError naming the parameter.
void complete_optimiser_sweep(MupSweepText const& sweep, ModelText const& model);

/// Rates [width, depth] of the first step of another optimiser than sgd, and how they go with the depth and the width.
void add_optimiser_sweep(MupSweepText const& sweep, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
