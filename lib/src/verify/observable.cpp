// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/verify/norms.hpp>
#include <isserlis/verify/observable.hpp>
#include <string>

namespace isserlis {

void require_feasible_samples(double work_per_sample, std::uint64_t samples) {
    double const work = work_per_sample * static_cast<double>(samples);
    if (work <= max_check_work) return;
    auto const feasible = static_cast<std::uint64_t>(max_check_work / work_per_sample);
    throw UnsupportedError(
        "`check`: " + std::to_string(samples) + " networks and their derivatives take the time of about " +
            std::to_string(static_cast<std::uint64_t>(work / 1e9)) + " thousand million drawn weights; " +
            (feasible >= 2 ? "at most " + std::to_string(feasible) + " are feasible here"
                           : std::string("this observable is too large to be sampled on this network")),
        "check");
}

Check check_estimate(double exact, std::optional<double> exact_second_moment, monte_carlo::Estimate const& sampled) {
    if (!exact_second_moment) return compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples);
    double const variance = *exact_second_moment - exact * exact;
    double const error = variance < 0 ? 0 : std::sqrt(variance / static_cast<double>(sampled.samples));
    return compare(exact, sampled.mean, error, Check::ErrorKind::exact, sampled.samples);
}

Check check_observable(monte_carlo::GraphModel const& model, Query const& query,
                       monte_carlo::ObservableSettings const& settings, double exact,
                       std::optional<double> exact_second_moment, std::uint64_t samples, std::uint64_t seed,
                       monte_carlo::RunControl const& control) {
    require_feasible_samples(monte_carlo::ObservableSampler(model, query, settings).work_per_sample(), samples);
    auto const sampled = monte_carlo::sample_observable(model, query, settings, samples, seed, control);
    return check_estimate(exact, exact_second_moment, sampled);
}

Check check_statistic(monte_carlo::GraphModel const& model, StatisticQuery const& query,
                      monte_carlo::ObservableSettings const& settings, double exact, std::uint64_t samples,
                      std::uint64_t seed, monte_carlo::RunControl const& control) {
    require_feasible_samples(monte_carlo::statistic_work(model, query, settings), samples);
    auto const sampled = monte_carlo::sample_statistic(model, query, settings, samples, seed, control);
    return compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples);
}

}  // namespace isserlis
