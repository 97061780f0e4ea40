// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "question/batch_text.hpp"
#include "question/model_text.hpp"

namespace isserlis::quantity {

inline constexpr ModelParameters one_sample_parameters{.wiring = true,
                                                       .target = true,
                                                       .third = true,
                                                       .activation = true,
                                                       .variance = true,
                                                       .parametrisation = true,
                                                       .law = true,
                                                       .matrix_laws = true,
                                                       .bias = true,
                                                       .input = true,
                                                       .precision = true};

/// Whether the curve of one sample is asked, by its input, in place of that of `data`.
[[nodiscard]] bool asks_one_sample(ModelText const& typed, Session const& session);

/// Errors  ParseError for a parameter of sampled networks where none are drawn; `what` is exact.
void refuse_idle_sampling(std::string const& what, Session const& session);

/// Whether the curve on `data` is that of the strand engine: of other wirings than vanilla, and with biases.
[[nodiscard]] bool is_curve_by_strands(ModelText const& typed);

/// "with `data` biases are" or "with `data` other wirings than vanilla are": what the sentence is of, that says what for.
[[nodiscard]] std::string served_by_strands(ModelText const& typed);

/// Says what a step on `batch` samples is, if it is not one on all.
void state_batch_step(BatchText const& batch, Answer& answer);
/// Says what the step moves, where that is not the weights alone, or by another rate.
void state_stepped_parameters(ModelText const& text, Answer& answer);

/// Errors  ParseError and UnsupportedError naming what goes with `data` only, or with an input only.
void check_sample_or_data(ModelText const& typed, Session const& session);

/// Loss, slope, curvature and vertex of networks of any wiring, width and depth, through the strand engine; `target_mean` is
/// E y_i of each output, none is 0.
void add_one_sample_curves(std::vector<ModelText> const& networks, std::optional<Expression> const& target_mean,
                           Session const& session, Bindings const& bindings, Answer& answer);

}  // namespace isserlis::quantity
