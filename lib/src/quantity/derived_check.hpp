// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/verify/check.hpp>

#include <cmath>
#include <optional>

namespace isserlis::quantity {

/// The check of a number that is made of sampled means, such as a quotient of two or what a change is added to, beside
/// that of one of these: networks too few for the mean refute nothing made of it, whose own sample may look as if it had no
/// tail.
[[nodiscard]] inline std::optional<Check> derived_check(std::optional<Check> derived,
                                                        std::optional<Check> const& of_mean) {
    using Verdict = Check::Verdict;
    if (derived && of_mean && of_mean->verdict == Verdict::inconclusive && derived->verdict == Verdict::disagrees)
        derived->verdict = Verdict::inconclusive;
    return derived;
}

/// The check of a value that is this many times the one that was checked: its verdict is the same.
[[nodiscard]] inline Check scaled_by(double factor, Check check) {
    check.mean *= factor;
    check.z = std::copysign(1.0, factor) * check.z;
    check.std_error *= std::fabs(factor);
    if (check.sampled_error) check.sampled_error = *check.sampled_error * std::fabs(factor);
    return check;
}

}  // namespace isserlis::quantity
