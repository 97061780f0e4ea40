// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/observable/statistic.hpp>
#include <isserlis/observable/trace_expression.hpp>

#include <string>

namespace isserlis {

/// LaTeX (amsmath) of what is asked, `\operatorname{Var}\left[z_{i}^{2}\right]`; the mean of a whole query has an
/// `\mathbb{E}` around it. Sums over letters and labels that occur twice are not written, as in EXPR.
/// Errors  none.
[[nodiscard]] std::string latex(StatisticQuery const& query);

/// LaTeX (amsmath) of an expression of traces, `\mathbb{E}\left[\operatorname{tr}\left(W W^{\mathsf{T}}\right)\right]`.
/// Errors  none.
[[nodiscard]] std::string latex(TraceExpression const& expression);

}  // namespace isserlis
