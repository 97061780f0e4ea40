// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/exponent.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Exponent;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::to_string;
using isserlis::testing::any_int;

namespace {

Exponent const L = Exponent::symbol("L");
Exponent const K = Exponent::symbol("K");

Exponent any_exponent() {
    return Exponent(isserlis::testing::any_rational()) * L + Exponent(isserlis::testing::any_rational()) * K +
           Exponent(isserlis::testing::any_rational());
}

Rational at(Exponent const& e, Rational const& l, Rational const& k) {
    Rational value = e.constant();
    for (auto const& [name, coefficient] : e.symbols()) value += coefficient * (name == "L" ? l : k);
    return value;
}

}  // namespace

TEST_SUITE("ring/exponent") {
    TEST_CASE("linear forms print as a person writes them") {
        CHECK(to_string(L - Exponent(1)) == "L - 1");
        CHECK(to_string(Exponent(ratio(3, 2))) == "3/2");
        CHECK(to_string(L + L) == "2*L");
        CHECK(to_string(Exponent(ratio(1, 2)) * L + Exponent(ratio(1, 2))) == "L/2 + 1/2");
        CHECK(to_string(Exponent(1) - L) == "-L + 1");
        CHECK(to_string(Exponent(ratio(-3, 2)) * L) == "-3*L/2");
        CHECK(to_string(L + K) == "K + L");
        CHECK(to_string(Exponent(0)) == "0");
        CHECK(to_string(L - L) == "0");
    }

    TEST_CASE("equal forms are equal however they were made, and cancelled symbols are gone") {
        CHECK(L - L == Exponent(0));
        CHECK((L - L).is_zero());
        CHECK((L - L).is_constant());
        CHECK(L + K - L == K);
        CHECK((L + K).symbols().front().first == "K");
        CHECK(Exponent(0) * L == Exponent(0));
    }

    TEST_CASE("arithmetic commutes with putting numbers in") {
        isserlis::testing::holds([] {
            Exponent const a = any_exponent();
            Exponent const b = any_exponent();
            Rational const c = isserlis::testing::any_rational();
            Rational const l = isserlis::testing::any_rational();
            Rational const k = isserlis::testing::any_rational();
            RC_ASSERT(at(a + b, l, k) == at(a, l, k) + at(b, l, k));
            RC_ASSERT(at(a - b, l, k) == at(a, l, k) - at(b, l, k));
            RC_ASSERT(at(a * Exponent(c), l, k) == at(a, l, k) * c);
            RC_ASSERT(at(Exponent(c) * a, l, k) == at(a, l, k) * c);
            RC_ASSERT((a + b) - b == a);
        });
    }

    TEST_CASE("the leading sign is the first symbol's, else the constant's") {
        CHECK((Exponent(5) - L).leading_sign() == -1);
        CHECK((L - Exponent(5)).leading_sign() == 1);
        CHECK((K - L).leading_sign() == 1);  // K comes before L
        CHECK(Exponent(-2).leading_sign() == -1);
        CHECK(Exponent(0).leading_sign() == 0);
    }

    TEST_CASE("a product of two symbols is refused, since exponents are linear") {
        CHECK_THROWS_AS(L * L, isserlis::UnsupportedError);
        CHECK_THROWS_AS((L + Exponent(1)) * K, isserlis::UnsupportedError);
        CHECK((L + Exponent(1)) * Exponent(2) == L + L + Exponent(2));
    }
}
