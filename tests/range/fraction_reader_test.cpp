// SPDX-License-Identifier: MIT
// Fractions by hand, and what is left to other readers.
#include "range/fraction_reader.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace isserlis;
using quantity::FractionReader;

namespace {

std::optional<Rational> fraction(std::string const& text) {
    std::map<std::string, Rational> const values{{"n", 3}, {"k", ratio(5, 2)}, {"z", 0}};
    auto const e = Expression::parse(text, "value");
    return FractionReader(values).value(e);
}

}  // namespace

TEST_SUITE("range/fraction_reader") {
    TEST_CASE("fractions by hand") {
        struct {
            std::string text;
            Rational value;
        } const cases[] = {
            {"7", 7},
            {"n", 3},
            {"-k", ratio(-5, 2)},
            {"n/2", ratio(3, 2)},
            {"n - 1 - 5", -3},
            // 1/6 + 3/4 + 5/2 + 2 = (2 + 9 + 30 + 24)/12
            {"1/6 + n/4 + k + 2", ratio(65, 12)},
            {"1/2 + 1/2", 1},
            {"2*n*k*2", 30},
            {"(2/3)*(5/7)*n", ratio(10, 7)},
            {"(n + 2)*n", 15},
            {"n*(2 - n)^3", -3},
            {"2^n*k", 20},
            {"k^n", ratio(125, 8)},
            {"k^2*k^2*k^3", ratio(78125, 128)},
            {"k^(-2) + n^(-1)", ratio(37, 75)},
            {"(n - 1)^(-2)", ratio(1, 4)},
            {"z^1 + z^2", 0},
            {"n^0 + k^0", 2},
        };
        for (auto const& c : cases) {
            CAPTURE(c.text);
            auto const found = fraction(c.text);
            REQUIRE(found);
            CHECK(*found == c.value);
        }
    }

    TEST_CASE("roots, words, divisors that are 0 and powers that are not whole have no fraction") {
        for (std::string const text :
             {"sqrt(4)", "exp(0)", "m", "m + n", "m*n", "n/m", "m/n", "-m", "n/(k - 5/2)", "z^(-1)", "z^0", "0^(-1)",
              "n^(1/2)", "4^k", "m^2", "2^m", "n*m^2", "n*sqrt(4)"}) {
            CAPTURE(text);
            CHECK_FALSE(fraction(text));
        }
    }

    // 1 has two bits, one above the line and one below it; 2 and 1/2 have three. A million bits are too many.
    TEST_CASE("large powers are left") {
        // 31 bits and one.
        for (std::string const base : {"1073741824", "(1/1073741824)"}) {
            CAPTURE(base);
            CHECK(fraction(base + "^31249"));
            CHECK_FALSE(fraction(base + "^31250"));
        }
        CHECK(fraction("1^499999") == Rational(1));
        CHECK_FALSE(fraction("1^500000"));
        for (std::string const base : {"2", "(1/2)", "(-2)"}) {
            CAPTURE(base);
            auto const shorter = fraction(base + "^333333");
            REQUIRE(shorter);
            Rational const x = *fraction(base);
            CHECK(*shorter == power(x, 333'333));
            CHECK_FALSE(fraction(base + "^333334"));
            CHECK_FALSE(fraction(base + "^(-333334)"));
        }
    }
}
