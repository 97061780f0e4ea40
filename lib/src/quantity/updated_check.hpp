// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/verify/check.hpp>

#include <optional>

namespace isserlis::quantity {

/// The check of a second moment after a step, in which that of the change is: networks too few for the one refute nothing of
/// the other, whose sample may look as if it had no tail.
[[nodiscard]] inline std::optional<Check> updated_check(std::optional<Check> updated,
                                                        std::optional<Check> const& of_change) {
    using Verdict = Check::Verdict;
    if (updated && of_change && of_change->verdict == Verdict::inconclusive && updated->verdict == Verdict::disagrees)
        updated->verdict = Verdict::inconclusive;
    return updated;
}

}  // namespace isserlis::quantity
