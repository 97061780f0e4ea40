// SPDX-License-Identifier: MIT
#include <isserlis/verify/traces.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/verify/cancellation.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>

namespace isserlis {
namespace {

monte_carlo::TraceModel without_minus(monte_carlo::TraceModel model) {
    for (auto& matrix : model.matrices) {
        for (double& x : matrix.diagonal) x = std::fabs(x);
        for (double& x : matrix.values) x = std::fabs(x);
    }
    for (auto& [name, x] : model.parameters) x = std::fabs(x);
    return model;
}

}  // namespace

Check check_traces(monte_carlo::TraceModel const& model, TraceExpression const& expression, double exact,
                   std::optional<double> exact_second_moment, std::uint64_t samples, std::uint64_t seed,
                   monte_carlo::RunControl const& control) {
    require_feasible(monte_carlo::trace_work(model, expression), samples, control);
    auto const sampled = monte_carlo::sample_traces(model, expression, samples, seed, control);
    if (!exact_second_moment) return compare_sampled(exact, sampled.mean, sampled.std_error, sampled.samples);
    auto const out =
        compare_with_second_moment(exact, *exact_second_moment, sampled.mean, sampled.std_error, sampled.samples);
    if (out.verdict != Check::Verdict::disagrees) return out;
    auto const size = monte_carlo::sample_traces(without_minus(model), without_minus(expression),
                                                 std::min(samples, samples_of_size), seed, control_of_size(control));
    return up_to_rounding(out, exact, size.mean);
}

}  // namespace isserlis
