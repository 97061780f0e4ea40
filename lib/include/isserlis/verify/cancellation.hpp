// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/observable/trace_expression.hpp>
#include <isserlis/verify/check.hpp>

#include <cstdint>
#include <vector>

namespace isserlis {

/// The check of a difference of numbers of this size: what is up to 1e-12 of them away from the exact value is equal to it but for
/// rounding, and agrees, with z = 0. Where that is more than a tenth of a value other than 0, nothing is told.
[[nodiscard]] Check up_to_rounding(Check check, double exact, double size);

/// The query, or the expression, with a plus for every minus: its values have the size of what cancels.
[[nodiscard]] Query without_minus(Query query);
[[nodiscard]] TraceExpression without_minus(TraceExpression expression);

/// Vectors with absolute values.
[[nodiscard]] std::vector<std::vector<double>> without_minus(std::vector<std::vector<double>> vectors);

/// Samples that show the size of what cancels, and how they are run: every process that shares the work does all of them.
inline constexpr std::uint64_t samples_of_size = 30;
[[nodiscard]] monte_carlo::RunControl control_of_size(monte_carlo::RunControl control);

}  // namespace isserlis
