// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include "quantity/mup/optimiser_steps.hpp"
#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// The first step of an optimiser other than sgd on one network, as `coord-check` has it, and the rates at which the last hidden
/// layer and the output move by 1.
/// Errors  UnsupportedError and DomainError naming the parameter.
void add_mup_optimiser(Optimiser const& optimiser, ModelText const& text, Bindings const& bindings,
                       Session const& session, Answer& answer);

}  // namespace isserlis::quantity
