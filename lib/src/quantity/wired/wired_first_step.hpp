// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <optional>
#include <string>

#include "quantity/mup/optimised_model.hpp"
#include "quantity/mup/optimiser_steps.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// `add_first_step` of a residual or dense network or that of a file.
StepRates add_wired_first_step(OptimisedModel const& model, std::string const& rated,
                               std::optional<Integer> const& width, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
