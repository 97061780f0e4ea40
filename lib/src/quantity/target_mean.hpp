// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/report/answer.hpp>

#include <string>

namespace isserlis::quantity {

/// E|y|^2 is at least the number of outputs times the square of their mean: the answer says so where symbols leave it open.
/// Errors  DomainError for a mean of a larger square.
template <class R>
void require_mean_of_targets(R const& second, R const& mean, R const& outputs, Answer& answer) {
    R const least = outputs * mean * mean;
    R const spare = second - least;
    auto const sign = sign_of(spare);
    if (!sign) answer.require_not_negative(to_string(spare));
    if (sign.value_or(0) < 0)
        throw DomainError("`target_mean`: E|y|^2, by default 1, is at least the number of outputs times its square, " +
                              printable(to_string(least)) + "; `target_second_moment` gives it",
                          "target_mean");
}

}  // namespace isserlis::quantity
