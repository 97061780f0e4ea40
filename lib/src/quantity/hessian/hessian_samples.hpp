// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "quantity/given_samples.hpp"
#include "question/batch_text.hpp"
#include "question/model.hpp"

namespace isserlis::quantity {

inline constexpr std::size_t most_samples_of_hessian = 500;  ///< through gates half a minute

/// The Hessian of the mean loss over samples with targets, or over a batch of them, at these networks.
/// Errors  UnsupportedError and DomainError naming the parameter.
void add_hessian_of_samples(SamplesText const& samples, BatchText const& batch, ModelText const& text,
                            Session const& session, Bindings const& bindings, Answer& answer);

}  // namespace isserlis::quantity
