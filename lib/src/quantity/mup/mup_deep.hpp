// SPDX-License-Identifier: MIT
#pragma once
#include "question/model.hpp"

namespace isserlis::quantity {

/// The change of one hidden layer of a network of symbolic depth, the last one or that of `layer`, by the strand engine;
/// with its limits for the last one.
/// Errors  UnsupportedError for a layer that has no place in one formula, or no strands.
void add_deep_step(SymbolicModel const& model, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
