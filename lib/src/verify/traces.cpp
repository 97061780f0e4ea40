// SPDX-License-Identifier: MIT
#include <isserlis/verify/traces.hpp>

#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>

namespace isserlis {

Check check_traces(monte_carlo::TraceModel const& model, TraceExpression const& expression, double exact,
                   std::optional<double> exact_second_moment, std::uint64_t samples, std::uint64_t seed,
                   monte_carlo::RunControl const& control) {
    require_feasible(monte_carlo::trace_work(model, expression), samples, control);
    auto const sampled = monte_carlo::sample_traces(model, expression, samples, seed, control);
    if (!exact_second_moment) return compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples);
    return compare_with_second_moment(exact, *exact_second_moment, sampled.mean, sampled.std_error, sampled.samples);
}

}  // namespace isserlis
