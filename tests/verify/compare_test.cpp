// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/verify/check.hpp>
#include <limits>
#include <string>

using isserlis::Check;
using isserlis::compare;
using Kind = Check::ErrorKind;
using Verdict = Check::Verdict;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_SUITE("verify/compare") {
    TEST_CASE("z is the gap in standard errors; what was given is kept") {
        auto const c = compare(10, 10.5, 0.25, Kind::exact, 42);
        CHECK(c.z == 2);
        CHECK(c.mean == 10.5);
        CHECK(c.std_error == 0.25);
        CHECK(c.std_error_kind == Kind::exact);
        CHECK(c.samples == 42);
        CHECK(c.verdict == Verdict::agrees);
        CHECK(compare(10, 9.5, 0.25, Kind::sampled, 42).z == -2);
    }

    TEST_CASE("more than five standard errors disagree, on both sides; five do not") {
        CHECK(compare(10, 10 + 5 * 0.125, 0.125, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(10, 10 - 5 * 0.125, 0.125, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(10, 10 + 5.001 * 0.125, 0.125, Kind::exact, 9).verdict == Verdict::disagrees);
        CHECK(compare(-10, -10 - 5.001 * 0.125, 0.125, Kind::exact, 9).verdict == Verdict::disagrees);
    }

    TEST_CASE("a sampled error is compared by the quantile of Student's t that is as seldom") {
        // 2.8665e-7 to each side: t_29 = 6.37, t_99 = 5.35 by integrating the density.
        CHECK(isserlis::sampled_threshold(30) == doctest::Approx(6.37).epsilon(2e-3));
        CHECK(isserlis::sampled_threshold(100) == doctest::Approx(5.348).epsilon(1e-3));
        CHECK(isserlis::sampled_threshold(1'000'000'000) == doctest::Approx(5));
        CHECK(compare(10, 10 - 6.3 * 0.125, 0.125, Kind::sampled, 30).verdict == Verdict::agrees);
        CHECK(compare(10, 10 - 6.4 * 0.125, 0.125, Kind::sampled, 30).verdict == Verdict::disagrees);
        CHECK(compare(10, 10 - 99 * 0.0125, 0.0125, Kind::sampled, 29).verdict == Verdict::inconclusive);
        CHECK(compare(10, 10 - 9 * 0.125, 0.125, Kind::exact, 2).verdict == Verdict::disagrees);
    }

    TEST_CASE("samples that are all 0, or that few of them carry, refute nothing") {
        using isserlis::compare_sampled;
        CHECK(compare(1, 0, 0, Kind::sampled, 1000).verdict == Verdict::inconclusive);
        CHECK(compare(1, 2, 0, Kind::sampled, 1000).verdict == Verdict::disagrees);  // a constant
        CHECK(compare_sampled(1000, 1, 0.2, 1000).verdict == Verdict::inconclusive);
        CHECK(compare_sampled(1000, 1, 0.05, 1000).verdict == Verdict::disagrees);
        CHECK(compare_sampled(1.5, 1, 0.05, 1000).verdict == Verdict::inconclusive);
    }

    TEST_CASE("a standard error too large for the value confirms nothing") {
        CHECK(compare(1, 1, 0.11, Kind::exact, 9).verdict == Verdict::inconclusive);
        CHECK(compare(-1, -1, 0.11, Kind::exact, 9).verdict == Verdict::inconclusive);
        CHECK(compare(1, 1, 0.09, Kind::exact, 9).verdict == Verdict::agrees);
    }

    TEST_CASE("a value of 0 has no relative error to ask for") {
        CHECK(compare(0, 0.1, 0.1, Kind::sampled, 9).verdict == Verdict::agrees);
        CHECK(compare(0, 1, 0.1, Kind::sampled, 90).verdict == Verdict::disagrees);
        CHECK(compare(0, 0, 0, Kind::sampled, 9).verdict == Verdict::agrees);
        CHECK(compare(0, 1e-30, 0, Kind::sampled, 90).verdict == Verdict::disagrees);
    }

    TEST_CASE("constants have to be equal up to rounding") {
        CHECK(compare(3, 3, 0, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(3, 3 * (1 + 1e-12), 0, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(3, 3.001, 0, Kind::exact, 9).verdict == Verdict::disagrees);
        CHECK(compare(3, 2.999, 0, Kind::exact, 9).verdict == Verdict::disagrees);
        CHECK(compare(3, 3.001, 0, Kind::exact, 9).z == infinity);
        CHECK(compare(3, 2.999, 0, Kind::exact, 9).z == -infinity);
        CHECK(compare(1e-300, 2e-300, 0, Kind::exact, 9).verdict == Verdict::disagrees);
    }

    TEST_CASE("a bound is violated beyond five standard errors on its wrong side alone") {
        using isserlis::compare_with_lower_bound;
        using isserlis::compare_with_upper_bound;
        CHECK(compare_with_upper_bound(10, 2, 0.125, 9).verdict == Verdict::holds);
        CHECK(compare_with_upper_bound(10, 10 + 5 * 0.125, 0.125, 9).verdict == Verdict::holds);
        CHECK(compare_with_upper_bound(10, 10 + 5.001 * 0.125, 0.125, 9).verdict == Verdict::fails);
        CHECK(compare_with_lower_bound(10, 20, 0.125, 9).verdict == Verdict::holds);
        CHECK(compare_with_lower_bound(10, 10 - 5.001 * 0.125, 0.125, 9).verdict == Verdict::fails);
        CHECK(compare_with_lower_bound(10, 9.5, 0.25, 9).z == -2);
        CHECK(compare_with_lower_bound(10, 9.5, 0.25, 9).mean == 9.5);
        CHECK(compare_with_upper_bound(3, 3 * (1 + 1e-12), 0, 9).verdict == Verdict::holds);
        CHECK(compare_with_upper_bound(3, 3.001, 0, 9).verdict == Verdict::fails);
        CHECK(compare_with_upper_bound(3, infinity, 1, 9).verdict == Verdict::inconclusive);
    }

    TEST_CASE("what is not a number never agrees") {
        CHECK(compare(not_a_number, 1, 0.1, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, not_a_number, 0.1, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, 1, not_a_number, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, not_a_number, 0, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(not_a_number, not_a_number, 0, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, 1, infinity, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(infinity, 1, 0.1, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(infinity, infinity, infinity, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(infinity, 5, 0, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, infinity, 0, Kind::exact, 9).verdict != Verdict::agrees);
    }

    TEST_CASE("names are those of the JSON contract") {
        CHECK(std::string(name(Kind::exact)) == "exact");
        CHECK(std::string(name(Kind::sampled)) == "sampled");
        CHECK(std::string(name(Verdict::agrees)) == "agrees");
        CHECK(std::string(name(Verdict::disagrees)) == "disagrees");
        CHECK(std::string(name(Verdict::inconclusive)) == "inconclusive");
    }
}
