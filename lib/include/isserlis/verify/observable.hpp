// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/monte_carlo/statistic_sampler.hpp>
#include <isserlis/verify/check.hpp>
#include <optional>
#include <vector>

namespace isserlis {

/// Samples real networks and sets the mean of an observable beside its exact expectation.
///
/// Law     the model's. With `exact_second_moment`, E X^2, the standard error is the true one of the mean; else it is
///         sampled.
/// Shape   a scalar.
/// Units   those of the observable.
/// Errors  those of monte_carlo::sample_observable; those of require_feasible.
/// Source  the definition
[[nodiscard]] Check check_observable(monte_carlo::GraphModel const& model, Query const& query,
                                     monte_carlo::ObservableSettings const& settings, double exact,
                                     std::optional<double> exact_second_moment, std::uint64_t samples,
                                     std::uint64_t seed, monte_carlo::RunControl const& control);

/// The mean of an observable, and the mean of its square where that is known.
struct ExactMean {
    Query query;
    double mean = 0;
    std::optional<double> second_moment;
};

/// Several on the same networks, each the same as alone.
[[nodiscard]] std::vector<Check> check_observables(monte_carlo::GraphModel const& model,
                                                   std::vector<ExactMean> const& exact,
                                                   monte_carlo::ObservableSettings const& settings,
                                                   std::uint64_t samples, std::uint64_t seed,
                                                   monte_carlo::RunControl const& control);

/// Sets a rational expression of sampled expectations beside its exact value.
///
/// Law     the model's. The standard error is sampled, by the delta method.
/// Shape   a scalar.
/// Units   those of the statistic.
/// Errors  those of monte_carlo::sample_statistic; those of require_feasible.
/// Source  the definition
[[nodiscard]] Check check_statistic(monte_carlo::GraphModel const& model, StatisticQuery const& query,
                                    monte_carlo::ObservableSettings const& settings, double exact,
                                    std::uint64_t samples, std::uint64_t seed, monte_carlo::RunControl const& control);

/// A sampled mean beside the exact value, with the true standard error where E X^2 is known.
///
/// Law     independent samples of X.
/// Errors  UnsupportedError for a sampled mean, or an error of it, that is beyond double.
[[nodiscard]] Check check_estimate(double exact, std::optional<double> exact_second_moment,
                                   monte_carlo::Estimate const& sampled);

}  // namespace isserlis
