// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace isserlis {

/// sum_j c_j cos(2 pi t_j) of pairs (c_j, t_j), if it is rational.
///
/// Law     none.
/// Shape   any number of terms. Exact: the sum is an element of the field of the N-th roots of unity, N the common
///         denominator of the t_j, and is reduced by the N-th cyclotomic polynomial.
/// Units   of c.
/// Errors  UnsupportedError for N above 20000, where it is not decided.
/// Source  this library
[[nodiscard]] std::optional<Rational> rational_cosine_sum(std::vector<std::pair<Rational, Rational>> const& terms);

/// Sums over samples in which targets occur.
struct TargetSums {
    std::vector<std::vector<Surd>> products;  ///< d_n x d_0: sum_k y^k x^k'
    Surd squares;                             ///< sum_k |y^k|^2
};

/// The sums, if they are surds; they can be where single targets are not: the cosine is orthogonal to both features of
/// cosine_data, and its squares sum to s/2.
[[nodiscard]] std::optional<TargetSums> exact_target_sums(DataSet const& data);

}  // namespace isserlis
