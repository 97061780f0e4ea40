// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/monte_carlo/run.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace isserlis::monte_carlo {

/// A quantile of sampled numbers.
struct SampledQuantile {
    double share = 0;                 ///< of the numbers that are at most the value
    double value = 0;                 ///< the one of rank ceil(share samples)
    std::optional<double> std_error;  ///< half the gap between ranks one deviation below and above; none at an end
};

/// How large a number that is not negative typically is.
struct TypicalSize {
    Estimate log;             ///< of log X over the samples with X > 0, which it counts
    std::uint64_t zeros = 0;  ///< samples with X = 0
    std::vector<SampledQuantile> quantiles;
};

/// Quantiles of these numbers, in any order.
///
/// Law     independent samples; the rank of a quantile among them is binomial.
/// Shape   0 < share < 1.
/// Errors  none; no numbers have no quantiles.
/// Source  standard: order statistics
[[nodiscard]] std::vector<SampledQuantile> sampled_quantiles(std::vector<double> numbers,
                                                             std::vector<double> const& shares);

/// Numbers of all samples together that are kept for their quantiles.
inline constexpr double most_kept_numbers = 5e7;

/// The mean logarithm and the quantiles of observables that are squares, on the networks that `sample_observables`
/// draws. Quantiles need all numbers at once: none where they are more than `most_kept_numbers`.
///
/// Law     as ObservableSampler; sample i is the network of (seed, i).
/// Errors  DomainError for fewer than 2 samples; Interrupted.
/// Source  the definitions
[[nodiscard]] std::vector<TypicalSize> sample_typical_sizes(ObservableSampler const& sampler,
                                                            std::vector<double> const& shares, std::uint64_t samples,
                                                            std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
