// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace isserlis {

/// E (X - E X)^k from the raw moments E X^0 .. E X^k, by the binomial theorem.
/// Errors  none.
/// Source  definition.
template <Ring R>
[[nodiscard]] R central_moment(std::vector<R> const& raw, unsigned k) {
    R sum(0);
    R mean_power(1);  // (-mean)^(k-j), from j = k downwards
    std::uint64_t binomial = 1;
    for (unsigned j = k;; --j) {
        sum = sum + from_count<R>(binomial) * mean_power * raw[j];
        if (j == 0) break;
        mean_power = mean_power * (R(0) - raw[1]);
        binomial = binomial * j / (k - j + 1);
    }
    return simplified(sum);
}

/// E (X - E X)^3 / Var^(3/2).
/// Errors  DomainError when the variance is 0.
template <Field R>
[[nodiscard]] R skewness(std::vector<R> const& raw) {
    using std::sqrt;
    R const variance = central_moment(raw, 2);
    if (variance == R(0)) throw DomainError("skewness: variance = 0; a constant has no skewness");
    return central_moment(raw, 3) / (variance * R(sqrt(variance)));
}

/// E (X - E X)^4 / Var^2, 3 for a Gaussian.
/// Errors  DomainError when the variance is 0.
template <Field R>
[[nodiscard]] R kurtosis(std::vector<R> const& raw) {
    R const variance = central_moment(raw, 2);
    if (variance == R(0)) throw DomainError("kurtosis: variance = 0; a constant has no kurtosis");
    return central_moment(raw, 4) / (variance * variance);
}

}  // namespace isserlis
