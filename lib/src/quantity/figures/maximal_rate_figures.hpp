// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/figures/figure_choice.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// Figures 1, 2, 4, 5, 6, 8, 9 and 11 of [Iyer 2023], small.
/// Errors  those of `max-rate` and `sharpness`.
void draw_maximal_rate_figure(FigureChoice const& choice, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
