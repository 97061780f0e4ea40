// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "quantity/given_samples.hpp"
#include "quantity/wired/wired.hpp"
#include "question/batch_text.hpp"

namespace isserlis::quantity {

/// One line on the samples, one on the step.
void state_step_samples(SamplesText const& samples, BatchText const& batch, Answer& answer);

/// Of a network of these widths; vectors and targets in floating point for models of numbers alone.
/// Errors  DomainError for samples of other sizes, for products of no vectors, and for a batch of more; UnsupportedError for
///         targets whose sums are no surds.
[[nodiscard]] StepSamples<Surd> step_samples(SamplesText const& samples, BatchText const& batch,
                                             NumericModel const& model, Bindings const& bindings);
[[nodiscard]] StepSamples<RationalFunction> step_samples(SamplesText const& samples, BatchText const& batch,
                                                         SymbolicModel const& model, Bindings const& bindings);

}  // namespace isserlis::quantity
