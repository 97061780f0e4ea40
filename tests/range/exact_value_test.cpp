// SPDX-License-Identifier: MIT
// Numbers by hand, and numbers that no memory holds.
#include "range/exact_value.hpp"

#include <doctest/doctest.h>

#include <isserlis/error.hpp>

using namespace isserlis;
using quantity::ExactValue;

namespace {

ExactValue at(char const* formula, Rational const& n) { return {Expression::parse(formula, "formula"), {{"n", n}}}; }

}  // namespace

TEST_SUITE("range/exact_value") {
    TEST_CASE("signs beside what an enclosure tells from the number, and what none does") {
        ExactValue const third = at("n/3", 1);
        CHECK(third.sign_against(ratio(1, 4)) == 1);
        CHECK(third.sign_against(ratio(1, 3)) == 0);
        CHECK(third.sign_against(ratio(1, 2)) == -1);
        ExactValue const root = at("sqrt(n)", 2);
        CHECK(root.sign_against(sqrt(Surd(2))) == 0);
        CHECK(root.sign_against(ratio(7, 5)) == 1);
        CHECK(root.sign_against(ratio(3, 2)) == -1);
        CHECK_THROWS_AS((void)at("1/(n - 1)", 1).sign_against(0), DomainError);
    }

    TEST_CASE("signs of numbers that are too long to be written") {
        Rational const n = 100'000'000;
        CHECK(at("3^n", n).sign_against(2) == 1);
        CHECK(at("1 - 3^n", n).sign_against(2) == -1);
        CHECK(at("2 + 3^n/3^n/10^60", n).sign_against(2) == 1);  // no 128 bits tell
        CHECK_THROWS_AS((void)at("3^n/3^n", n).sign_against(1), UnsupportedError);
        CHECK_THROWS_AS((void)at("3^n", n).value(), UnsupportedError);
    }

    TEST_CASE("digits") {
        ExactValue const third = at("n/3", 1);
        CHECK(third.shown() == "0.3333");
        CHECK(at("n/8", 1).shown() == "0.1250");
        CHECK(third.digits().decimal(1000)->size() == 1002);
        CHECK_FALSE(third.digits().decimal(1001));
        CHECK(at("3^n", 100'000'000).shown().find("e+47712125") != std::string::npos);  // 10^8 log10 3
    }
}
