// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/figures/figure_choice.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// Worked numbers of [Liquet 2024, chapter 5], and logistic regression as one unit; a table is not drawn.
/// Errors  ParseError for a number of networks, since none is sampled, and for a chart of the table.
void draw_book_figure(FigureChoice const& choice, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
