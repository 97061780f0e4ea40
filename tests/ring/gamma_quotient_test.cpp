// SPDX-License-Identifier: MIT
// Values in closed form: NIST DLMF 5.4.3, 5.4.4.
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/gamma_quotient.hpp>

#include <string>

using namespace isserlis;

TEST_SUITE("ring/gamma_quotient") {
    namespace {

    constexpr int digits = 60;

    template <class F>
    std::string text(F const& enclosure) {
        return decimal(enclosure, digits);
    }

    std::string product_text(Rational const& x, Rational const& s) {
        return text([&](unsigned bits) { return gamma_quotient(Interval(x, bits), Interval(s, bits)); });
    }

    Interval both_exponentials(Interval const& turn, long sign) {
        Interval const down = exp(Interval(0L, turn.bits()) - turn);
        return (exp(turn) + Interval(sign, turn.bits()) * down) / Interval(2L, turn.bits());
    }

    }  // namespace

    // |Gamma(1 + i s)|^2 = pi s/sinh(pi s); |Gamma(1/2 + i s)|^2 = pi/cosh(pi s), Gamma(1/2)^2 = pi.
    TEST_CASE("x = 1 and x = 1/2 are hyperbolic functions") {
        for (Rational const& s : {ratio(1, 100), ratio(1, 3), Rational(1), Rational(7), Rational(60)}) {
            CAPTURE(to_string(s));
            CHECK(product_text(1, s) == text([&](unsigned bits) {
                      Interval const turn = pi(bits) * Interval(s, bits);
                      return both_exponentials(turn, -1) / turn;
                  }));
            CHECK(product_text(ratio(1, 2), s) ==
                  text([&](unsigned bits) { return both_exponentials(pi(bits) * Interval(s, bits), 1); }));
        }
    }

    // Gamma(x + 1 + i s) = (x + i s) Gamma(x + i s): the first factor of the product.
    TEST_CASE("one factor less is x one larger") {
        for (Rational const& x : {ratio(1, 7), ratio(5, 2), Rational(40), Rational(1'000'000)}) {
            Rational const s = 2 * x;
            CAPTURE(to_string(x));
            CHECK(product_text(x, s) == text([&](unsigned bits) {
                      return gamma_quotient(Interval(Rational(x + 1), bits), Interval(s, bits)) *
                             Interval(Rational(1 + s * s / (x * x)), bits);
                  }));
        }
    }

    TEST_CASE("edges") {
        CHECK(gamma_quotient(Interval(3L, 100), Interval(0L, 100)).bits() == 100);
        Interval const one = gamma_quotient(Interval(3L, 100), Interval(0L, 100));
        CHECK((one - Interval(1L, 100)).contains_zero());
        CHECK_THROWS_AS(gamma_quotient(Interval(0L, 100), Interval(1L, 100)), DomainError);
    }
}
