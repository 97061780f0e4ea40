// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/figures/figure_choice.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// Figures of Theorem 1.1 of [Jelassi 2023]: the rate against the depth, and what refutes the uniform bound.
/// Errors  those of `mup` and of sample_steps; ParseError for a number of networks where none is sampled.
void draw_mup_figure(FigureChoice const& choice, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
