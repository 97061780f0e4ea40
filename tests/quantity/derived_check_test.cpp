// SPDX-License-Identifier: MIT
#include "quantity/derived_check.hpp"

#include <doctest/doctest.h>

using isserlis::Check;
using isserlis::quantity::derived_check;
using isserlis::quantity::scaled_by;

TEST_SUITE("quantity/derived_check") {
    TEST_CASE("a mean that its networks say nothing of refutes nothing made of it") {
        using Verdict = Check::Verdict;
        auto const verdict = [](Verdict derived, Verdict mean) {
            return derived_check(Check{.verdict = derived}, Check{.verdict = mean})->verdict;
        };
        for (auto const of_mean : {Verdict::agrees, Verdict::disagrees, Verdict::inconclusive}) {
            CHECK(verdict(Verdict::agrees, of_mean) == Verdict::agrees);
            CHECK(verdict(Verdict::inconclusive, of_mean) == Verdict::inconclusive);
        }
        CHECK(verdict(Verdict::disagrees, Verdict::agrees) == Verdict::disagrees);
        CHECK(verdict(Verdict::disagrees, Verdict::disagrees) == Verdict::disagrees);
        CHECK(verdict(Verdict::disagrees, Verdict::inconclusive) == Verdict::inconclusive);
        CHECK_FALSE(derived_check(std::nullopt, Check{.verdict = Verdict::inconclusive}));
        CHECK(derived_check(Check{.verdict = Verdict::disagrees}, std::nullopt)->verdict == Verdict::disagrees);
    }

    TEST_CASE("a check of -3 times a value") {
        using Verdict = Check::Verdict;
        Check const check{
            .mean = 2, .std_error = 0.5, .z = 1.5, .samples = 9, .verdict = Verdict::agrees, .power = 0.25};
        auto const out = scaled_by(-3, check);
        CHECK(out.mean == -6);
        CHECK(out.std_error == 1.5);
        CHECK(out.z == -1.5);
        CHECK(out.verdict == Verdict::agrees);
        CHECK(out.power == 0.25);
        CHECK_FALSE(out.sampled_error);
        CHECK(scaled_by(-3, Check{.sampled_error = 0.25}).sampled_error == 0.75);
    }
}
