// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/domain.hpp>
#include <isserlis/ring/power.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::DenominatorPower;
using isserlis::Domain;
using isserlis::Integer;
using isserlis::Polynomial;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::ScaledDouble;
using isserlis::testing::any_int;
using isserlis::testing::holds;

TEST_SUITE("ring/domain") {
    // Oracle: one big fraction, cancelled by GMP.
    TEST_CASE("finish over the integers is numerator over the product of powers, in lowest terms") {
        holds(
            [] {
                // Small primes, a prime above the trial bound of 1000, and products that share primes.
                static constexpr std::array<int, 9> bases = {1, 2, 3, 12, 18, 1009, 2018, 1009 * 1013, 30030};
                Integer numerator = any_int(-50, 50);
                for (int i = any_int(0, 5); i > 0; --i) numerator *= bases[static_cast<std::size_t>(any_int(0, 8))];
                std::vector<DenominatorPower<Integer>> denominator;
                Integer product = 1;
                for (int i = any_int(0, 4); i > 0; --i) {
                    Integer const base = bases[static_cast<std::size_t>(any_int(0, 8))];
                    auto const exponent = static_cast<std::uint64_t>(any_int(0, 4));
                    denominator.push_back({.base = base, .exponent = exponent});
                    product *= power(base, exponent);
                }
                Rational const out = Domain<Rational>::finish(numerator, denominator);
                RC_ASSERT(out == ratio(numerator, product));
                // Boost compares by parts, so that a fraction left uncancelled would not be equal; make sure of it.
                RC_ASSERT(gcd(isserlis::numerator_of(out), isserlis::denominator_of(out)) == 1);
            },
            300);
        CHECK(Domain<Rational>::finish(Integer(7), {}) == Rational(7));
    }

    TEST_CASE("0 over many equal factors is 0 over 1") {
        std::vector<DenominatorPower<Integer>> const denominator{{.base = 6, .exponent = 1000}};
        auto const out = Domain<Rational>::reduced(Integer(0), denominator);
        CHECK(out.numerator == 0);
        CHECK(out.denominator.empty());
        CHECK(Domain<Rational>::finish(Integer(0), denominator) == Rational(0));
        CHECK(Domain<Rational>::finish(out, Integer(5), denominator) == Rational(0));
    }

    TEST_CASE("a denominator whose base is not positive is refused, whatever the numerator") {
        for (int const base : {0, -1, -3}) {
            std::vector<DenominatorPower<Integer>> const denominator{{.base = base, .exponent = 2}};
            for (int const numerator : {0, 7}) {
                CHECK_THROWS_AS((void)Domain<Rational>::reduced(Integer(numerator), denominator),
                                isserlis::DomainError);
                CHECK_THROWS_AS((void)Domain<Rational>::finish(Integer(numerator), denominator), isserlis::DomainError);
                CHECK_THROWS_AS(
                    (void)Domain<Rational>::finish({.numerator = 1, .denominator = {}}, numerator, denominator),
                    isserlis::DomainError);
            }
        }
    }

    TEST_CASE("numerator and denominator rebuild the element, in each domain") {
        Rational const x = ratio(-9, 5);
        CHECK(ratio(Domain<Rational>::numerator(x), Domain<Rational>::denominator(x)) == x);
        auto const n = RationalFunction::symbol("n");
        RationalFunction const f = (n * n - 1) / (3 * n);
        CHECK(RationalFunction(Domain<RationalFunction>::numerator(f)) /
                  RationalFunction(Domain<RationalFunction>::denominator(f)) ==
              f);
        CHECK(Domain<double>::numerator(0.3).value() == 0.3);
        CHECK(Domain<double>::denominator(0.3).value() == 1.0);
    }

    TEST_CASE("finish over polynomials cancels what the numerator shares") {
        Polynomial const n = Polynomial::variable("n");
        RationalFunction const out = Domain<RationalFunction>::finish(
            n * power(n + 2, 3), {{.base = n, .exponent = 2}, {.base = n + 2, .exponent = 2}});
        auto const s = RationalFunction::symbol("n");
        CHECK(out == (s + 2) / s);
        CHECK(to_string(out) == "(n + 2)/n");
    }

    // 10^400 overflows a double; 10^400 / 10^399 does not.
    TEST_CASE("finish over doubles divides before it leaves the scaled range") {
        ScaledDouble const big = power(ScaledDouble(10), 400);
        CHECK(Domain<double>::finish(big, {{.base = ScaledDouble(10), .exponent = 399}}) == doctest::Approx(10.0));
        CHECK(Domain<double>::finish(
                  big, {{.base = ScaledDouble(10), .exponent = 200}, {.base = ScaledDouble(5), .exponent = 200}}) ==
              doctest::Approx(std::pow(2.0, 200)));
    }
}
