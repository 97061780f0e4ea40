// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <string>

#include "question/command.hpp"

namespace isserlis::quantity {

/// What was asked, but for what a picture does not show.
[[nodiscard]] std::string chart_title(Session const& session);

/// `plot` FILE: one quantity of an answer against the first part of its index that is no sample (layers, epochs, ..) or
/// against the first symbol of `table`; a curve for each value of what the axis does not show, and sampled means with
/// their error bars. An axis is logarithmic where its values are positive and span a decade, as values, or grow by a
/// factor, as those of `table`.
///
/// Errors  as `write_plot`; ParseError for a quantity that the command does not have, DomainError when the answer has
///         none of it in numbers.
void draw_chart(CommandText const& command, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
