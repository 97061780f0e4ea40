// SPDX-License-Identifier: MIT
// Each check is shown to agree with the right value and to refuse a wrong one.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/verify/observable.hpp>
#include <limits>

#include "../mlp/graphs.hpp"

namespace {

using graphs::chain;
using isserlis::Check;
using isserlis::check_observable;
using isserlis::parse_query;
using isserlis::monte_carlo::GraphModel;
using isserlis::monte_carlo::ObservableSettings;
using isserlis::monte_carlo::RunControl;

/// On the ReLU net 2-3-1 with variance 2/fan-in and |x|^2 = 2.
Check check(char const* query, double exact, std::optional<double> second, std::uint64_t samples = 50'000) {
    ObservableSettings settings;
    settings.inputs[""] = {1, 1};
    return check_observable({.graph = chain({2, 3, 1})}, parse_query(query), settings, exact, second, samples, 1, {});
}

}  // namespace

TEST_SUITE("verify/observable") {
    // Strand calculus, section 5: E |Hess|^2 = 266/3; and E z^2 = 2, E z^4 = 4 * 3 (1 + 5/3) = 32 by hand.
    TEST_CASE("exact means agree, with exact standard errors where the second moment is known") {
        auto const hessian = check("(D[m,n] loss)^2", 266.0 / 3, std::nullopt);
        CHECK(hessian.verdict == Check::Verdict::agrees);
        CHECK(hessian.std_error_kind == Check::ErrorKind::sampled);
        auto const square = check("z^2", 2, 32);
        CHECK(square.verdict == Check::Verdict::agrees);
        CHECK(square.std_error_kind == Check::ErrorKind::exact);
        CHECK(square.std_error == doctest::Approx(std::sqrt(28.0 / 50'000)));
        CHECK(square.samples == 50'000);
    }

    TEST_CASE("wrong means disagree") {
        // A sampled error may have missed the tail: a gap of some of them refutes nothing, a gap of a hundred does.
        CHECK(check("(D[m,n] loss)^2", 1.2 * 266 / 3, std::nullopt).verdict == Check::Verdict::inconclusive);
        CHECK(check("(D[m,n] loss)^2", 5.0 * 266 / 3, std::nullopt).verdict == Check::Verdict::disagrees);
        CHECK(check("z^2", 2.2, 32).verdict == Check::Verdict::disagrees);
    }

    // dz^1_i / dW_ij = x_j: 3 |x|^2 in every network.
    TEST_CASE("a constant agrees without any error, and a second moment rounded below its square does no harm") {
        CHECK(check("z{1}[i;m]^2", 6, 36, 100).verdict == Check::Verdict::agrees);
        CHECK(check("z{1}[i;m]^2", 6, 36 - 1e-14, 100).verdict == Check::Verdict::agrees);
        CHECK(check("z{1}[i;m]^2", 6.001, 36, 100).verdict == Check::Verdict::disagrees);
    }

    // The same of x = (3/10, 7/10), less what it is: doubles leave 2.2e-16.
    TEST_CASE("what rounding leaves of numbers that cancel is 0, and nothing else is") {
        ObservableSettings settings;
        settings.inputs[""] = {0.3, 0.7};
        GraphModel const model{.graph = chain({2, 3, 1})};
        auto const query = parse_query("z{1}[i;m]^2 - 87/50");
        auto const zero = check_observable(model, query, settings, 0, 0, 100, 1, {});
        CHECK(zero.mean != 0);
        CHECK(zero.verdict == Check::Verdict::agrees);
        CHECK(zero.z == 0);
        CHECK(check_observable(model, query, settings, 1e-9, 1e-18, 100, 1, {}).verdict == Check::Verdict::disagrees);
    }

    TEST_CASE("several means are sampled at once") {
        ObservableSettings settings;
        settings.inputs[""] = {1, 1};
        auto const checks = isserlis::check_observables(
            {.graph = chain({2, 3, 1})},
            {{parse_query("z^2"), 2, 32}, {parse_query("z{1}[i;m]^2"), 6, 36}, {parse_query("z^2"), 3, std::nullopt}},
            settings, 20'000, 1, {});
        REQUIRE(checks.size() == 3);
        CHECK(checks[0].verdict == Check::Verdict::agrees);
        CHECK(checks[1].std_error == 0);
        CHECK(checks[1].mean == doctest::Approx(6));
        CHECK(checks[2].verdict != Check::Verdict::agrees);
        CHECK(checks[2].mean == checks[0].mean);
        CHECK(isserlis::check_observables({.graph = chain({2, 3, 1})}, {}, settings, 20'000, 1, {}).empty());
    }

    // E x = 2, E x^2 = 32, 100 samples: sqrt(28/100). A mean of 2 below the root of the second moment, by rounding: 0.
    TEST_CASE("an estimate that was sampled elsewhere") {
        double const infinite = std::numeric_limits<double>::infinity();
        CHECK(isserlis::check_estimate(2, 32.0, {2.1, 9, 100}).std_error == doctest::Approx(std::sqrt(0.28)));
        CHECK(isserlis::check_estimate(2, 4 - 1e-15, {2, 9, 100}).std_error == 0);
        CHECK(isserlis::check_estimate(2, 4.0, {2, 9, 100}).std_error == 0);
        CHECK(isserlis::check_estimate(2, 4.5, {2, 9, 100}).std_error == doctest::Approx(std::sqrt(0.005)));
        CHECK(isserlis::check_estimate(2, std::nullopt, {2.1, 0.5, 100}).std_error == 0.5);
        CHECK_THROWS_AS((void)isserlis::check_estimate(2, std::nullopt, {infinite, 1, 100}),
                        isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)isserlis::check_estimate(2, std::nullopt, {1, infinite, 100}),
                        isserlis::UnsupportedError);
    }

    TEST_CASE("errors: work without end, an interrupt") {
        CHECK_THROWS_AS((void)check("(D[m,n] loss)^2", 1, 1, 1'000'000'000'000), isserlis::UnsupportedError);
        std::atomic<bool> const stop = true;
        RunControl stopped;
        stopped.stop = &stop;
        ObservableSettings settings;
        settings.inputs[""] = {1, 1};
        CHECK_THROWS_AS((void)check_observable({.graph = chain({2, 3, 1})}, parse_query("z^2"), settings, 2, 32,
                                               1'000'000, 1, stopped),
                        isserlis::Interrupted);
    }
}
