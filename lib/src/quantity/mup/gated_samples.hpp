// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/pair_products.hpp"
#include "quantity/wired/wired.hpp"
#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// What one step on samples with targets changes in each hidden layer of a fully connected network with gates: closed for
/// one hidden layer, sampled beyond.
///
/// Errors  UnsupportedError for no hidden layer and for a depth in symbols; DomainError for an input of 0.
void add_step_through_gates(NumericModel const& model, StepSamples<Surd> const& samples,
                            TargetProducts<Surd> const& targets, Session const& session, Answer& answer);
void add_step_through_gates(SymbolicModel const& model, StepSamples<RationalFunction> const& samples,
                            TargetProducts<RationalFunction> const& targets, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
