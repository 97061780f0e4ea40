// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <isserlis/error.hpp>
#include <isserlis/ring/fractions.hpp>
#include <vector>

#include "property.hpp"
#include "random_elements.hpp"
#include "ring/word_fraction.hpp"

using namespace isserlis;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

/// Small, about the size whose products just fit a word, about the largest that fits, and above.
Integer any_size() {
    std::vector<std::uint64_t> const exponents{0, 1, 31, 32, 62, 63, 64, 90};
    Integer const near = power(Integer(2), exponents[static_cast<std::size_t>(any_int(0, 7))]);
    return near + any_int(-3, 3);
}

Rational any_fraction() {
    Integer const below = any_size();
    return ratio(any_int(0, 1) == 0 ? any_size() : Integer(-any_size()), below == 0 ? Integer(1) : below);
}

}  // namespace

TEST_SUITE("ring/word_fraction") {
    TEST_CASE("the ends of a word") {
        // -2^63 is the one word whose negative is none.
        Integer const end = power(Integer(2), 63);
        for (Integer const& top :
             {Integer(end - 1), end, Integer(end + 1), Integer(-end + 1), Integer(-end), Integer(-end - 1)}) {
            for (Rational const& x : {Rational(top), ratio(top, 3), ratio(5, top)}) {
                INFO(to_string(x));
                CHECK(WordFraction(x).to_rational() == x);
                CHECK((WordFraction(0) - WordFraction(x)).to_rational() == -x);
                CHECK((WordFraction(-1) * WordFraction(x)).to_rational() == -x);
                CHECK((WordFraction(x) / WordFraction(-1)).to_rational() == -x);
                WordFraction const inverse = WordFraction(1) / WordFraction(x);
                CHECK((inverse + inverse).to_rational() == quotient(Rational(2), x));
            }
        }
        CHECK(WordFraction(INT64_MIN).to_rational() == Rational(-end));
        CHECK((WordFraction(INT64_MIN + 1) - WordFraction(1)).to_rational() == Rational(-end));
        CHECK((WordFraction(INT64_MAX) + WordFraction(1)).to_rational() == Rational(end));
        WordFraction const half(INT64_MIN / 2);
        for (auto const& x : {half + half, half * WordFraction(2)}) {
            CHECK(x.to_rational() == Rational(-end));
            WordFraction const inverse = WordFraction(1) / x;
            CHECK((inverse + inverse).to_rational() == ratio(-2, end));
        }
    }
    TEST_CASE("arithmetic is that of rationals, on both sides of a word") {
        holds(
            [] {
                Rational const a = any_fraction();
                Rational const b = any_fraction();
                WordFraction const x(a);
                WordFraction const y(b);
                RC_ASSERT(x + y == WordFraction(Rational(a + b)));
                RC_ASSERT(x - y == WordFraction(Rational(a - b)));
                RC_ASSERT(x * y == WordFraction(Rational(a * b)));
                RC_ASSERT((x + y).to_rational() == Rational(a + b));
                RC_ASSERT((x * y).to_rational() == Rational(a * b));
                RC_ASSERT((x == y) == (a == b));
                if (b != 0) RC_ASSERT((x / y).to_rational() == quotient(a, b));
                auto const exponent = static_cast<std::uint64_t>(any_int(0, 5));
                RC_ASSERT(power(x, exponent).to_rational() == power(a, exponent));
            },
            2000);
        CHECK_THROWS_AS(WordFraction(3) / WordFraction(0), DomainError);
    }
    TEST_CASE("the least common denominator") {
        holds(
            [] {
                std::vector<Rational> values;
                std::vector<WordFraction> words;
                for (int i = any_int(0, 5); i > 0; --i) {
                    values.push_back(any_int(0, 2) == 0 ? any_fraction() : isserlis::testing::any_rational());
                    words.emplace_back(values.back());
                }
                RC_ASSERT(over_common(words) == Fractions<Rational>::over_common(values));
            },
            500);
    }
}
