// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/mup/step_samples.hpp"
#include "question/model.hpp"

namespace isserlis::quantity {

/// What one step on samples, or on a batch of them, changes in the hidden layers of a linear network, and the rate at which the
/// last one moves by 1; at symbolic depth of one layer, with limits.
///
/// Errors  UnsupportedError for gates, for no hidden layer and too many; those of `step_samples`.
void add_step_on_samples(NumericModel const& model, ModelText const& text, StepSamples<Surd> const& samples,
                         Session const& session, Answer& answer);
void add_step_on_samples(SymbolicModel const& model, ModelText const& text,
                         StepSamples<RationalFunction> const& samples, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
