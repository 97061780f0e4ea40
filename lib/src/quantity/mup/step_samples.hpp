// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include "quantity/given_samples.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {

/// One line on the samples, one on the step.
void state_step_samples(SamplesText const& samples, std::optional<std::uint64_t> batch, Answer& answer);

/// Of a network of these widths.
/// Errors  DomainError for samples of other sizes, and for products of no vectors; UnsupportedError for targets whose sums are
///         no surds.
[[nodiscard]] StepSamples step_samples(SamplesText const& samples, std::optional<std::uint64_t> batch,
                                       NumericModel const& model, Bindings const& bindings);

}  // namespace isserlis::quantity
