// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>
#include <isserlis/network/step_rule.hpp>

#include <optional>

#include "question/model.hpp"

namespace isserlis::quantity {

/// A network that an optimiser other than sgd moves. Each matrix acts as W = m w, m > 0 that of the parametrisation, 1 without
/// one; w is drawn and moves by minus its rate times what the rule makes of the gradient m G by w, G that by W. Signs and polar
/// factors of m G are those of G, so that W moves by m times the rate of w. The gradient over its norm moves W by m^2 times the
/// rate, and the norm is that of all m G together.
struct OptimisedModel {
    NumericModel drawn;  ///< as asked; its label factors are m^2 times the rates, what sgd takes
    NumericModel rated;  ///< the same weights W, label factors the rates of w
    NumericModel moved;  ///< label factors m times the rates: how far W moves in its direction; none under `normalised`
    NumericModel unit;   ///< .. m n^-C: the same at rates of 1 before the parametrisation's n^-C

    [[nodiscard]] StepRule rule() const { return rule_; }
    /// Errors  UnsupportedError where some m is no sum of square roots, which `normalised` does not ask for.
    OptimisedModel(ModelText const& text, Bindings const& bindings, StepRule rule);

private:
    StepRule rule_;
};

/// No rates but those of the parametrisation. Lists keep their length, by which layers are runs.
[[nodiscard]] ModelText without_rates(ModelText text);
/// W itself is what is trained, of the same variance and at the rate n^-C.
[[nodiscard]] ModelText without_multipliers(ModelText text);

}  // namespace isserlis::quantity
