// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "quantity/normalised_sections.hpp"

namespace isserlis::quantity {

/// Rows gradient_log_ratio of the `parts` that are asked of all, and what they hold for.
/// Errors  DomainError where none of them has a row, where N has no derivative, and where E log is -infinity.
void add_normalised_gradients(NumericModel const& model, NormalisedRequest const& request,
                              std::vector<Section<Surd, std::uint64_t>> const& parts,
                              std::vector<Section<Surd, std::uint64_t>> const& all, Session const& session,
                              Answer& answer);
void add_normalised_gradients(SymbolicModel const& model, NormalisedRequest const& request,
                              std::vector<Section<RationalFunction, Exponent>> const& parts,
                              std::vector<Section<RationalFunction, Exponent>> const& all, Session const& session,
                              Answer& answer);

}  // namespace isserlis::quantity
