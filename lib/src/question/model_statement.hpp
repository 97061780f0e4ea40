// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>

#include <set>
#include <string>

#include "question/model_text.hpp"

namespace isserlis::quantity {

// What an answer says of the model that it speaks of.

/// "E|y|^2 = 5": of the targets, as typed or 1.
[[nodiscard]] std::string target_moment(ModelText const& text, std::string const& of = "E|y|^2");

/// Of y: that its mean does not enter, where a plain last matrix makes the outputs as likely as their opposites; else that it
/// is 0; with `of_outputs` of rows of the outputs too, whose changes it enters.
[[nodiscard]] std::string mean_of_target(ModelText const& text, bool of_outputs = false);

/// One line on the label factors.
void state_label_factors(ModelText const& text, Answer& answer);

/// Declares what symbols stand for: widths, depths, kurtoses; all others are positive.
void declare_symbols(ModelText const& text, Bindings const& bindings, Answer& answer);

/// That symbols other than widths and counts are positive, when some have no value; declares them.
void state_symbols(std::set<std::string> symbols, ModelText const& text, Bindings const& bindings, Answer& answer);

/// Of a network file whose last node has an activation: that it is left out, where outputs are z.
void state_gated_output(ModelText const& text, Answer& answer);

/// Which input is sampled where only its sums are given: that of `sampling_input`.
void state_sampled_input(NumericModel const& model, Answer& answer);

/// One line on what the numbers take for granted; a note on each fact that was given and plays no part.
void state_assumptions(ModelText const& text, ModelParameters const& which, Answer& answer);
/// Of sampled networks.
void state_precision(monte_carlo::Precision precision, Answer& answer);

/// Can a gate meet 0? Signs of one size have sums that vanish, and of a law that is known by its kurtosis nobody knows
/// that it has no atoms: weights of 0, a, -a have any kurtosis from 1 on.
[[nodiscard]] bool gates_can_tie(ModelText const& text);

}  // namespace isserlis::quantity
