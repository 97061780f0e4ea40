// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/observable/trace_expression.hpp>
#include <isserlis/verify/traces.hpp>
#include <optional>

using isserlis::Check;
using isserlis::check_traces;
using isserlis::parse_trace_expression;
using isserlis::monte_carlo::SampledMatrix;
using isserlis::monte_carlo::TraceModel;

namespace {

/// W is 3 x 4 of standard normal numbers: norm2(W) is chi^2_12, of mean 12 and variance 24.
Check check(double exact, std::optional<double> second, std::uint64_t samples = 20'000) {
    TraceModel model;
    model.matrices.push_back(
        {.name = "W", .rows = 3, .columns = 4, .law = SampledMatrix::Law::independent, .entries = {}, .variance = 1});
    return check_traces(model, parse_trace_expression("norm2(W)"), exact, second, samples, 1, {});
}

}  // namespace

TEST_SUITE("verify/traces") {
    TEST_CASE("the mean of a chi-square agrees, with its true standard error where it is known") {
        auto const known = check(12, 168);
        CHECK(known.verdict == Check::Verdict::agrees);
        CHECK(known.std_error_kind == Check::ErrorKind::exact);
        CHECK(known.std_error == doctest::Approx(std::sqrt(24.0 / 20'000)));
        CHECK(known.samples == 20'000);
        auto const sampled = check(12, std::nullopt);
        CHECK(sampled.verdict == Check::Verdict::agrees);
        CHECK(sampled.std_error_kind == Check::ErrorKind::sampled);
        CHECK(sampled.mean == known.mean);
    }

    TEST_CASE("wrong means disagree, and work without end is refused") {
        CHECK(check(12.5, 180.25).verdict == Check::Verdict::disagrees);
        CHECK(check(24, std::nullopt).verdict == Check::Verdict::disagrees);
        CHECK_THROWS_AS((void)check(12, 168, 1'000'000'000'000'000), isserlis::UnsupportedError);
    }
}
