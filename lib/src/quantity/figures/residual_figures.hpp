// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/figures/figure_choice.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// Figures 2 and 3 of [Residual 2019], each in two parts: exact curves, and points of sampled networks.
/// Errors  those of `expect` and `norm`.
void draw_residual_figure(FigureChoice const& choice, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
