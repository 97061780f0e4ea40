// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/ring/power.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Exponent;
using isserlis::from_count;
using isserlis::power;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::ScaledDouble;
using isserlis::testing::any_int;
using isserlis::testing::holds;

TEST_SUITE("ring/power") {
    TEST_CASE("x^0 is 1 and x^1 is x in every ring, also for x = 0") {
        for (double const x : {0.0, -2.5, 3.0}) {
            CHECK(power(x, 0) == 1.0);
            CHECK(power(x, 1) == x);
            CHECK(power(ScaledDouble(x), 0) == ScaledDouble(1));
            CHECK(power(ScaledDouble(x), 1) == ScaledDouble(x));
        }
    }

    TEST_CASE("powers of scaled doubles agree with the double's where both exist") {
        holds([] {
            double const base = any_int(-30, 30) / 7.0;
            auto const exponent = static_cast<std::uint64_t>(any_int(0, 60));
            double const expected = std::pow(base, static_cast<double>(exponent));
            RC_ASSERT(std::abs(power(ScaledDouble(base), exponent).value() - expected) <= 1e-13 * std::abs(expected));
        });
    }

    TEST_CASE("a count of layers becomes the same number in every ring") {
        std::uint64_t const count = 9'007'199'254'740'993U;  // 2^53 + 1: no double
        CHECK(isserlis::to_string(from_count<Rational>(count)) == "9007199254740993");
        CHECK(from_count<isserlis::Surd>(count) == isserlis::Surd(Rational(isserlis::Integer(count))));
        CHECK(from_count<double>(std::uint64_t{7}) == 7.0);
        CHECK(from_count<RationalFunction>(Exponent::symbol("L") - Exponent(1)) == RationalFunction::symbol("L") - 1);
        CHECK(from_count<RationalFunction>(std::uint64_t{3}) == RationalFunction(3));
    }

    TEST_CASE("simplified changes the form, never the value") {
        auto const n = RationalFunction::symbol("n");
        RationalFunction sum = 0;
        for (int i = 1; i <= 6; ++i) sum = sum + RationalFunction(i) / (n + i);
        CHECK(isserlis::simplified(sum).terms().size() == 1);
        CHECK(isserlis::simplified(sum) == sum);
        CHECK(isserlis::simplified(Rational(3)) == Rational(3));
        CHECK(isserlis::simplified(2.5) == 2.5);
    }
}
