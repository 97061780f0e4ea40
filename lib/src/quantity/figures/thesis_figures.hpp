// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/figures/figure_choice.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// Figures 2.13, 4.1, 4.3 and 4.5 of [Hettinger 2019], such as thesis-figure-4.3-cos.
/// Errors  those of `train` and of rate_sweep.
void draw_thesis_figure(FigureChoice const& choice, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
