// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include "quantity/mup/optimiser_steps.hpp"
#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// `add_first_step` where widths, rates or the depth are symbols: what is a formula in them. Fully connected networks layer by
/// layer under muon, under signs in layer 1; the one output of any wiring and depth under `normalised`, by strands.
/// Errors  UnsupportedError for what is not served.
StepRates add_first_step_formulas(Optimiser const& optimiser, SymbolicModel const& model, ModelText const& text,
                                  Bindings const& bindings, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
