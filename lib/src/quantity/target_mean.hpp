// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

namespace isserlis::quantity {

/// E|y|^2 is at least the number of outputs times the square of their mean: says so where symbols leave it open.
template <class R>
void state_mean_of_targets(R const& second, R const& mean, R const& outputs, Answer& answer) {
    R const spare = second - outputs * mean * mean;
    if (!sign_of(spare)) answer.require_not_negative(to_string(spare));
}

}  // namespace isserlis::quantity
