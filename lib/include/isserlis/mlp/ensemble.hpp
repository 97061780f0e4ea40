// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/data_loss.hpp>
#include <span>
#include <vector>

namespace isserlis::mlp {

/// The mean output of several networks of one architecture: d_n x s.
///
/// Law     none: parameters are given.
/// Shape   `members` has one parameter vector for each network; a column is a sample.
/// Units   those of the outputs.
/// Errors  DomainError for no member; those of network_outputs.
/// Source  [Liquet 2024, eq. (5.49)]
template <class T>
[[nodiscard]] Matrix<T> ensemble_outputs(Architecture const& architecture, std::span<std::vector<T> const> members,
                                         Matrix<T> const& inputs);

/// The variance of the mean of M outputs of equal variance and pairwise correlation rho: v (rho + (1 - rho)/M).
///
/// Law     any; no independence.
/// Units   those of the variance.
/// Errors  DomainError for no member, a negative variance, and a correlation outside [-1/(M - 1), 1], which no M
///         variables have.
/// Source  [Liquet 2024, eqs. (5.50) and (5.52)]
[[nodiscard]] double ensemble_variance(std::size_t members, double variance, double correlation);

}  // namespace isserlis::mlp
