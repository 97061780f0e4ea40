// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/power.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Fraction;
using isserlis::Fractions;
using isserlis::Integer;
using isserlis::KnownDenominator;
using isserlis::PlainFractions;
using isserlis::Polynomial;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::ScaledDouble;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

using Known = KnownDenominator<Integer>;

Rational any_fraction() { return ratio(any_int(-9, 9), any_int(1, 12)); }

}  // namespace

TEST_SUITE("ring/fractions") {
    // Oracle: one big fraction, cancelled by GMP.
    TEST_CASE("what is divided at the end is numerator over the product of powers, in lowest terms") {
        holds(
            [] {
                // Small primes, a prime above the trial bound of 1000, and products that share primes.
                static constexpr std::array<int, 9> bases = {1, 2, 3, 12, 18, 1009, 2018, 1009 * 1013, 30030};
                Integer numerator = any_int(-50, 50);
                for (int i = any_int(0, 5); i > 0; --i) numerator *= bases[static_cast<std::size_t>(any_int(0, 8))];
                std::vector<Known::Power> denominator;
                Integer product = 1;
                for (int i = any_int(0, 12); i > 0; --i) {
                    Integer const base = bases[static_cast<std::size_t>(any_int(0, 8))];
                    auto const exponent = static_cast<std::uint64_t>(any_int(0, 4));
                    denominator.push_back({.base = base, .exponent = exponent});
                    product *= power(base, exponent);
                }
                Rational const out = Fractions<Rational>::divided(numerator, Known(denominator));
                RC_ASSERT(out == ratio(numerator, product));
                // Boost compares by parts, so that a fraction left uncancelled would not be equal; make sure of it.
                RC_ASSERT(gcd(isserlis::numerator_of(out), isserlis::denominator_of(out)) == 1);
                RC_ASSERT(Fractions<Rational>::expanded(Known(denominator)) == product);
            },
            300);
        CHECK(Fractions<Rational>::divided(Integer(7), {}) == Rational(7));
    }

    TEST_CASE("0 over many equal factors is 0 over 1") {
        Rational const out = Fractions<Rational>::divided(Integer(0), Known({{.base = 6, .exponent = 1000}}));
        CHECK(out == Rational(0));
        CHECK(isserlis::denominator_of(out) == 1);
    }

    TEST_CASE("a denominator whose base is not positive is refused, whatever the numerator") {
        for (int const base : {0, -1, -3}) {
            for (int const numerator : {0, 7}) {
                CHECK_THROWS_AS(
                    (void)Fractions<Rational>::divided(Integer(numerator), Known({{.base = base, .exponent = 2}})),
                    isserlis::DomainError);
            }
        }
    }

    TEST_CASE("powers of one base are gathered, and those of another denominator taken away") {
        Known a;
        a.multiply(6, 2);
        a.multiply(1, 9);
        a.multiply(5, 0);
        a.multiply(6, 3);
        a.multiply(7, 1);
        REQUIRE(a.powers().size() == 2);
        CHECK(a.powers()[0].exponent == 5);
        Known b;
        b.multiply(a, 2);
        CHECK(Fractions<Rational>::expanded(b.beyond(a)) == power(Integer(6), 5) * 7);
        CHECK(a.beyond(b).powers().empty());
    }

    TEST_CASE("numerators over one denominator rebuild the numbers, in each ring") {
        std::vector<Rational> const x{ratio(-9, 5), ratio(1, 4), Rational(3)};
        auto const [whole, common] = Fractions<Rational>::over_common(x);
        CHECK(common == 20);
        for (std::size_t i = 0; i < x.size(); ++i) CHECK(ratio(whole[i], common) == x[i]);
        auto const n = RationalFunction::symbol("n");
        RationalFunction const f = (n * n - 1) / (3 * n);
        auto const [formulas, below] = Fractions<RationalFunction>::over_common({f, n});
        CHECK(RationalFunction(formulas[0]) / RationalFunction(below) == f);
        CHECK(RationalFunction(formulas[1]) / RationalFunction(below) == n);
        CHECK(Fractions<double>::over_common({0.3}).first[0].value() == 0.3);
        CHECK(Fractions<double>::over_common({0.3}).second.value() == 1.0);
        CHECK(Fractions<Surd>::over_common({Surd(ratio(1, 3))}).first[0] == Surd(ratio(1, 3)));
    }

    // By hand: 5/(2 sqrt(2)) and the square root of n over n.
    TEST_CASE("numbers that go as they are can still be over something") {
        Fractions<Surd>::Denominator root;
        Surd const two = isserlis::sqrt(Rational(2));
        root.multiply(two, 3);
        CHECK(Fractions<Surd>::divided(Surd(5), root) == Surd(ratio(5, 4)) * two);
        auto const n = RationalFunction::symbol("n");
        PlainFractions<RationalFunction>::Denominator width;
        width.multiply(n, 1);
        CHECK(PlainFractions<RationalFunction>::divided(sqrt(n), width) == RationalFunction(1) / sqrt(n));
    }

    TEST_CASE("polynomials cancel what the numerator shares") {
        Polynomial const n = Polynomial::variable("n");
        KnownDenominator<Polynomial> denominator;
        denominator.multiply(n, 2);
        denominator.multiply(n + 2, 2);
        RationalFunction const out = Fractions<RationalFunction>::divided(n * power(n + 2, 3), denominator);
        auto const s = RationalFunction::symbol("n");
        CHECK(out == (s + 2) / s);
        CHECK(to_string(out) == "(n + 2)/n");
    }

    // 10^400 overflows a double; 10^400 / 10^399 does not.
    TEST_CASE("doubles are divided before they leave the scaled range") {
        ScaledDouble const big = power(ScaledDouble(10), 400);
        KnownDenominator<ScaledDouble> one;
        one.multiply(ScaledDouble(10), 399);
        CHECK(Fractions<double>::divided(big, one) == doctest::Approx(10.0));
        KnownDenominator<ScaledDouble> two;
        two.multiply(ScaledDouble(10), 200);
        two.multiply(ScaledDouble(5), 200);
        CHECK(Fractions<double>::divided(big, two) == doctest::Approx(std::pow(2.0, 200)));
    }

    // Oracle: the rationals.
    TEST_CASE("sums, products and powers of fractions are those of the ring") {
        holds(
            [] {
                Rational const a = any_fraction();
                Rational const b = any_fraction();
                auto const k = static_cast<std::uint64_t>(any_int(0, 5));
                RC_ASSERT((Fraction<Rational>(a) * Fraction<Rational>(b)).value() == a * b);
                RC_ASSERT((Fraction<Rational>(a) + Fraction<Rational>(b)).value() == a + b);
                RC_ASSERT(power(Fraction<Rational>(a), k).value() == power(a, k));
                RC_ASSERT((power(Fraction<Rational>(a), k) + Fraction<Rational>(a) * Fraction<Rational>(b)).value() ==
                          power(a, k) + a * b);
                RC_ASSERT((Fraction<Surd>(Surd(a)) + Fraction<Surd>(Surd(b))).value() == Surd(a + b));
            },
            300);
        CHECK(Fraction<Rational>().value() == 1);
    }
}
