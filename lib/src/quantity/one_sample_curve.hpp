// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <vector>

#include "question/model_text.hpp"

namespace isserlis::quantity {

inline constexpr ModelParameters one_sample_parameters{.wiring = true,
                                                       .target = true,
                                                       .activation = true,
                                                       .variance = true,
                                                       .parametrisation = true,
                                                       .law = true,
                                                       .matrix_laws = true,
                                                       .bias = true,
                                                       .input = true};

/// Whether the curve of one sample is asked, by its input, in place of that of `data`.
[[nodiscard]] bool asks_one_sample(ModelText const& typed, Session const& session);

/// Errors  ParseError and UnsupportedError naming what goes with `data` only, or with an input only.
void check_sample_or_data(ModelText const& typed, Session const& session);

/// Loss, slope, curvature and vertex of networks of any wiring, width and depth, through the strand engine.
void add_one_sample_curves(std::vector<ModelText> const& networks, Session const& session, Bindings const& bindings,
                           Answer& answer);

}  // namespace isserlis::quantity
