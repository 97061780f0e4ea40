// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/network/weight_law.hpp>
#include <vector>

namespace isserlis::train {

/// c / fan_in for each weight edge, in their order: 2 is He's scheme, 1 Xavier's in [Liquet 2024, section 5.5].
[[nodiscard]] std::vector<double> variances_by_fan_in(mlp::Architecture const& architecture, double c);

/// Weights of a law with these variances; everything else as Architecture::neutral_parameters has it.
///
/// Law     weights independent, of mean 0; with tied sides N = P.
/// Shape   one variance for each weight edge, of the matrix (with unit parameters its root is in the edge's scale, and
///         the parameter has variance 1). The network of (seed, sample) that monte_carlo draws, rounded to T.
/// Units   [weight]^2.
/// Errors  DomainError for a variance that is negative, not finite or missing; those of UnitWeight.
/// Source  [Liquet 2024, section 5.5]
template <class T>
[[nodiscard]] std::vector<T> initial_parameters(mlp::Architecture const& architecture,
                                                std::vector<double> const& variances, std::uint64_t seed,
                                                std::uint64_t sample = 0, WeightLaw<double> const& law = {});

}  // namespace isserlis::train
