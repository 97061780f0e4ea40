// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/trace_sampler.hpp>
#include <isserlis/verify/check.hpp>

#include <cstdint>
#include <optional>

namespace isserlis {

/// Samples matrices and sets an expression of expectations of traces beside its exact value.
///
/// Law     the model's. With `exact_second_moment`, E X^2 of the one X whose mean it is, the standard error is the true
///         one; else it is sampled.
/// Shape   a scalar.
/// Units   those of the expression.
/// Errors  those of monte_carlo::sample_traces; those of require_feasible.
/// Source  the definition
[[nodiscard]] Check check_traces(monte_carlo::TraceModel const& model, TraceExpression const& expression, double exact,
                                 std::optional<double> exact_second_moment, std::uint64_t samples, std::uint64_t seed,
                                 monte_carlo::RunControl const& control);

}  // namespace isserlis
