// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/hessian/several_inputs.hpp"
#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// What one step on the mean loss over some inputs changes in the hidden layer, at each of them.
///
/// Errors  UnsupportedError for other than one hidden layer, or too many inputs; DomainError for an input of 0.
void add_batch_step(NumericModel const& model, InputRows const& inputs, Session const& session, Answer& answer);
void add_batch_step(SymbolicModel const& model, InputRows const& inputs, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
