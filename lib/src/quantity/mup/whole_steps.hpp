// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <cstdint>
#include <optional>

#include "quantity/mup/optimiser_steps.hpp"
#include "question/model.hpp"

namespace isserlis::quantity {

/// Sampled networks after 1 .. `steps` whole steps, not to first order in them. Of one step of descent what is a square of
/// a polynomial in the step is exact beside them: where z is linear in the weights, as in the first layer, and in networks
/// without gates where it is of second degree; of what lies deeper in those, the term behind change_rms^2.
/// Errors  those of the samplers of steps.
void add_whole_steps(Optimiser const& optimiser, std::uint64_t steps, NumericModel const& model,
                     std::optional<Integer> const& width, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
