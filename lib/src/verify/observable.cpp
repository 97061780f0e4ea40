// SPDX-License-Identifier: MIT
#include <isserlis/verify/observable.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/verify/cancellation.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>
#include <string>

namespace isserlis {
namespace {

/// The check of a value, unless it disagrees by no more than rounding leaves of what cancels.
Check settled(Check const& check, double exact, auto const& sample_uncancelled) {
    if (!is_off(check)) return check;
    return up_to_rounding(check, exact, size_of(sample_uncancelled()));
}

}  // namespace

Check check_estimate(double exact, std::optional<double> exact_second_moment, monte_carlo::Estimate const& sampled) {
    if (!std::isfinite(sampled.mean) || !std::isfinite(sampled.std_error))
        throw UnsupportedError(
            "sample_observable: the mean or its error is beyond double; scale the variances or the input down",
            "query");
    if (!exact_second_moment) return compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples);
    return compare_with_second_moment(exact, *exact_second_moment, sampled.mean, sampled.std_error, sampled.samples);
}

Check check_observable(monte_carlo::GraphModel const& model, Query const& query,
                       monte_carlo::ObservableSettings const& settings, double exact,
                       std::optional<double> exact_second_moment, std::uint64_t samples, std::uint64_t seed,
                       monte_carlo::RunControl const& control) {
    return check_observables(model, {{query, exact, exact_second_moment}}, settings, samples, seed, control).front();
}

std::vector<Check> check_observables(monte_carlo::GraphModel const& model, std::vector<ExactMean> const& exact,
                                     monte_carlo::ObservableSettings const& settings, std::uint64_t samples,
                                     std::uint64_t seed, monte_carlo::RunControl const& control) {
    if (exact.empty()) return {};
    std::vector<Query> queries;
    for (auto const& mean : exact) queries.push_back(mean.query);
    monte_carlo::ObservableSampler const sampler(model, queries, settings);
    require_feasible_sampler(sampler, samples, control);
    auto const sampled = monte_carlo::sample_observables(sampler, samples, seed, control);
    std::vector<Check> out;
    for (std::size_t q = 0; q < exact.size(); ++q) {
        out.push_back(settled(check_estimate(exact[q].mean, exact[q].second_moment, sampled[q]), exact[q].mean, [&] {
            monte_carlo::ObservableSampler const apart(uncancelled(model), {uncancelled(queries[q])},
                                                       uncancelled(settings));
            return monte_carlo::sample_observables(apart, std::min(samples, samples_of_size), seed,
                                                   control_of_size(control))
                .front();
        }));
    }
    return out;
}

Check check_statistic(monte_carlo::GraphModel const& model, StatisticQuery const& query,
                      monte_carlo::ObservableSettings const& settings, double exact, std::uint64_t samples,
                      std::uint64_t seed, monte_carlo::RunControl const& control) {
    require_feasible(monte_carlo::statistic_work(model, query, settings), samples, control);
    auto const sampled = monte_carlo::sample_statistic(model, query, settings, samples, seed, control);
    return settled(compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples), exact, [&] {
        return monte_carlo::sample_statistic(uncancelled(model), uncancelled(query), uncancelled(settings),
                                             std::min(samples, samples_of_size), seed, control_of_size(control));
    });
}

}  // namespace isserlis
