// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <string>

#include "quantity/wired/wired.hpp"
#include "question/model.hpp"

namespace isserlis::quantity {

/// The node that the rate of `mup` is about, and what it is.
template <class R>
struct RatedNode {
    WiredNode<R> node;
    std::string read;  ///< z of it, as observables call it
    std::string what;  ///< "3, the last node below the output"
};

/// The last node below the output; of a residual network without plain matrices, where the branches lead to the output
/// itself, that one.
/// Errors  UnsupportedError where there is no node below the output.
[[nodiscard]] RatedNode<Surd> rated_node(NumericModel const& model, ModelText const& text);
[[nodiscard]] RatedNode<RationalFunction> rated_node(SymbolicModel const& model, ModelText const& text);

/// The depth of a residual network has a symbol.
[[nodiscard]] bool has_endless_stage(SymbolicModel const& model);
[[nodiscard]] inline bool has_endless_stage(NumericModel const&) { return false; }

/// Which weights one step trains, of any wiring.
void state_trained(ModelText const& text, Answer& answer);

/// What `mup` has of a residual or dense network or that of a file: the change of every node by one step, by its parts, and
/// the rate at which `rated_node` changes by 1.
void add_wired_mup(NumericModel const& model, ModelText const& text, Session const& session, Answer& answer);
void add_wired_mup(SymbolicModel const& model, ModelText const& text, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
