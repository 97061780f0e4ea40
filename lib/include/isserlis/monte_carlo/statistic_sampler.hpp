// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/observable/statistic.hpp>

#include <cstdint>

namespace isserlis::monte_carlo {

/// A rational expression of expectations from sampled networks: means, sample variances and covariances of its
/// observables on the same networks, put into the expression.
///
/// Law     as ObservableSampler; variances have the divisor N - 1. A quotient of means is biased by O(1/N).
/// Shape   a scalar. Its standard error is that of the delta method, from the sampled covariances of all the means, and
///         at least what rounding leaves.
/// Units   those of the statistic.
/// Errors  those of sample_observable; UnsupportedError for a sampled denominator of 0.
/// Source  the definitions; the delta method
[[nodiscard]] Estimate sample_statistic(GraphModel const& model, StatisticQuery const& query,
                                        ObservableSettings const& settings, std::uint64_t samples, std::uint64_t seed,
                                        RunControl const& control = {});

/// Weights that could be drawn in about the time of one sample.
[[nodiscard]] double statistic_work(GraphModel const& model, StatisticQuery const& query,
                                    ObservableSettings const& settings);

}  // namespace isserlis::monte_carlo
