// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/data/real_number.hpp>
#include <isserlis/ring/parse.hpp>
#include <numbers>

namespace {

using isserlis::Interval;
using isserlis::parse_surd;
using isserlis::ratio;
using isserlis::RealNumber;

Interval known(char const* text, unsigned bits) { return isserlis::enclose(parse_surd(text, "test"), bits); }

bool contain_zero(Interval const& a, Interval const& b) { return (a - b).contains_zero(); }

}  // namespace

TEST_SUITE("data/real_number") {
    // Elementary geometry: 15, 30, 45, 60, 75 degrees, and the pentagon's 36 and 72.
    TEST_CASE("cosines of well-known angles are surds") {
        struct {
            int numerator;
            int denominator;
            char const* value;
        } const cases[] = {{0, 1, "1"},
                           {1, 2, "-1"},
                           {1, 4, "0"},
                           {3, 4, "0"},
                           {1, 6, "1/2"},
                           {1, 3, "-1/2"},
                           {1, 8, "sqrt(2)/2"},
                           {3, 8, "-sqrt(2)/2"},
                           {1, 12, "sqrt(3)/2"},
                           {5, 12, "-sqrt(3)/2"},
                           {-1, 12, "sqrt(3)/2"},
                           {1, 24, "sqrt(6)/4 + sqrt(2)/4"},
                           {5, 24, "sqrt(6)/4 - sqrt(2)/4"},
                           {7, 24, "sqrt(2)/4 - sqrt(6)/4"},
                           {1, 10, "sqrt(5)/4 + 1/4"},
                           {1, 5, "sqrt(5)/4 - 1/4"},
                           {3, 10, "1/4 - sqrt(5)/4"},
                           {2, 5, "-1/4 - sqrt(5)/4"},
                           {13, 12, "sqrt(3)/2"},
                           {-29, 24, "sqrt(6)/4 - sqrt(2)/4"}};
        for (auto const& c : cases) {
            auto const y = RealNumber::cosine_of_turns(ratio(c.numerator, c.denominator));
            CAPTURE(c.value);
            REQUIRE(y.exact());
            CHECK(*y.exact() == parse_surd(c.value, "test"));
            CHECK(y.to_double() ==
                  doctest::Approx(std::cos(2 * std::numbers::pi * c.numerator / c.denominator)).epsilon(1e-14));
        }
    }

    // Half-angle formulas: cos(pi/8) = sqrt(2 + sqrt(2))/2, cos(pi/16) = sqrt(2 + sqrt(2 + sqrt(2)))/2.
    TEST_CASE("other cosines are enclosed as tightly as asked") {
        for (unsigned const bits : {53U, 200U, 1000U}) {
            auto const root2 = known("sqrt(2)", bits + 64);
            auto const two = Interval(2L, bits + 64);
            auto const eighth = sqrt(two + root2) / two;
            auto const sixteenth = sqrt(two + sqrt(two + root2)) / two;
            auto const at = [&](int numerator, int denominator) {
                auto const y = RealNumber::cosine_of_turns(ratio(numerator, denominator));
                CHECK_FALSE(y.exact());
                auto const bounds = y.enclose(bits);
                CHECK(mpfr_get_d((bounds - bounds).upper(), MPFR_RNDU) < std::ldexp(1.0, 3 - static_cast<int>(bits)));
                return bounds;
            };
            auto const zero = Interval(0L, bits);
            CHECK(contain_zero(at(1, 16), eighth));
            CHECK(contain_zero(at(7, 16), zero - eighth));
            CHECK(contain_zero(at(9, 16), zero - eighth));
            CHECK(contain_zero(at(1, 32), sixteenth));
            CHECK(contain_zero(at(-31, 32), sixteenth));
            CHECK(contain_zero(at(15, 32), zero - sixteenth));
            // sin(pi/16) = cos(7 pi/16) by Pythagoras.
            CHECK(contain_zero(at(7, 32) * at(7, 32) + at(1, 32) * at(1, 32), Interval(1L, bits)));
        }
    }

    TEST_CASE("doubles are those of the standard library, text is SymPy's") {
        for (int k = 0; k < 200; ++k) {
            auto const y = RealNumber::cosine_of_turns(ratio(k, 97));
            CHECK(y.to_double() == doctest::Approx(std::cos(2 * std::numbers::pi * k / 97)).epsilon(1e-13));
        }
        CHECK(RealNumber::cosine_of_turns(ratio(5, 32)).text() == "cos(5*pi/16)");
        CHECK(RealNumber(ratio(-2, 3)).text() == "-2/3");
        CHECK(RealNumber(ratio(1, 10)).to_double() == 0.1);
    }
}
