// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/verify/norms.hpp>
#include <isserlis/verify/traces.hpp>

#include <cmath>
#include <string>

namespace isserlis {

Check check_traces(monte_carlo::TraceModel const& model, TraceExpression const& expression, double exact,
                   std::optional<double> exact_second_moment, std::uint64_t samples, std::uint64_t seed,
                   monte_carlo::RunControl const& control) {
    double const work = monte_carlo::trace_work(model, expression);
    if (work * static_cast<double>(samples) > max_check_work)
        throw UnsupportedError(
            "`check`: " + std::to_string(samples) + " draws of these matrices are too many; at most " +
                std::to_string(static_cast<std::uint64_t>(max_check_work / work)) + " are feasible here",
            "check");
    auto const sampled = monte_carlo::sample_traces(model, expression, samples, seed, control);
    if (!exact_second_moment) return compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples);
    double const variance = *exact_second_moment - exact * exact;
    double const error = variance < 0 ? 0 : std::sqrt(variance / static_cast<double>(sampled.samples));
    return compare(exact, sampled.mean, error, Check::ErrorKind::exact, sampled.samples);
}

}  // namespace isserlis
