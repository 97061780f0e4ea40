// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational_function.hpp>

#include <string>

#include "question/model.hpp"

namespace isserlis::quantity {

/// The depth of the network has a symbol.
[[nodiscard]] bool is_endless(SymbolicModel const& model);
[[nodiscard]] inline bool is_endless(NumericModel const&) { return false; }

/// A hidden layer as observables call it.
struct HiddenLayer {
    std::string name;
    RationalFunction width;
};

/// The hidden layer of `layer`, else the last one; a letter is any layer of the one repeated run.
/// Errors  UnsupportedError for any layer of one of several repeated runs, and for the output.
[[nodiscard]] HiddenLayer asked_hidden_layer(SymbolicModel const& model, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
