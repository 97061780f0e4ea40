// SPDX-License-Identifier: MIT
#include <isserlis/verify/traces.hpp>

#include <algorithm>
#include <isserlis/verify/cancellation.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>

namespace isserlis {
Check check_traces(monte_carlo::TraceModel const& model, TraceExpression const& expression, double exact,
                   std::optional<double> exact_second_moment, std::uint64_t samples, std::uint64_t seed,
                   monte_carlo::RunControl const& control) {
    require_feasible(monte_carlo::trace_work(model, expression), samples, control);
    auto const sampled = monte_carlo::sample_traces(model, expression, samples, seed, control);
    auto const out = exact_second_moment ? compare_with_second_moment(exact, *exact_second_moment, sampled.mean,
                                                                      sampled.std_error, sampled.samples)
                                         : compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples);
    if (!is_off(out)) return out;
    auto const size = monte_carlo::sample_traces(uncancelled(model), uncancelled(expression),
                                                 std::min(samples, samples_of_size), seed, control_of_size(control));
    return up_to_rounding(out, exact, size_of(size));
}

}  // namespace isserlis
