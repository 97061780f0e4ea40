// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "question/session.hpp"

namespace isserlis::quantity {

/// What the figures of [Iyer 2023] are made of besides their id.
struct FigureChoice {
    bool quick = false;
    std::string data;                       ///< idx:.. or cifar10:.., in place of drawn classes
    std::optional<std::uint64_t> hold_out;  ///< samples of `data` that are for validation
};

/// Figures 1, 2, 4, 5, 6, 8, 9 and 11 of [Iyer 2023], small: `id` is that of the recipe.
/// Errors  those of `max-rate` and `sharpness`.
void draw_maximal_rate_figure(std::string const& id, FigureChoice const& choice, Session const& session,
                              Answer& answer);

}  // namespace isserlis::quantity
