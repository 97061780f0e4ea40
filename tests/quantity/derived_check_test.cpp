// SPDX-License-Identifier: MIT
#include "quantity/derived_check.hpp"

#include <doctest/doctest.h>

using isserlis::Check;
using isserlis::quantity::derived_check;

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
}
