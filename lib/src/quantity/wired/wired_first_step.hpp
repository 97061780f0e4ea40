// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/step_rule.hpp>
#include <isserlis/report/answer.hpp>

#include <optional>

#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// The first step of an optimiser other than sgd on a residual or dense network or that of a file, whose rates are the label
/// factors: exact where it is known, sampled with `check`. `width` is shown in place of the nodes' own where a symbol is swept.
void add_wired_first_step(StepRule rule, NumericModel const& model, std::optional<Integer> const& width,
                          Session const& session, Answer& answer);

}  // namespace isserlis::quantity
