// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/decimal.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::decimal;
using isserlis::Integer;
using isserlis::Interval;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

/// "12345" with the point after `point` digits, laid out as decimal.hpp promises: plain for exponents in [-6, 21).
std::string laid_out(bool negative, std::string const& digits, long exponent) {
    std::string out = negative ? "-" : "";
    if (exponent < -6 || exponent >= 21) {
        out += digits[0];
        if (digits.size() > 1) out += "." + digits.substr(1);
        return out + (exponent < 0 ? "e-" : "e+") + std::to_string(std::labs(exponent));
    }
    if (exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    auto const whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() > whole) return out + digits.substr(0, whole) + "." + digits.substr(whole);
    return out + digits + std::string(whole - digits.size(), '0');
}

/// Long division as taught at school: digit by digit, then one look at the remainder.
std::string by_long_division(Rational const& x, int digits) {
    if (x.is_zero()) return "0";
    Integer p = abs(isserlis::numerator_of(x));
    Integer q = isserlis::denominator_of(x);
    long exponent = 0;
    while (p >= 10 * q) {
        q *= 10;
        ++exponent;
    }
    while (p < q) {
        p *= 10;
        --exponent;
    }
    std::string text;
    for (int i = 0; i < digits; ++i) {
        Integer const digit = p / q;
        text += static_cast<char>('0' + static_cast<int>(digit));
        p = (p - digit * q) * 10;
    }
    bool const whole_value = p.is_zero();
    // p/q is ten times the rest now: above, at or below 5.
    bool const up = p > 5 * q || (p == 5 * q && (text.back() - '0') % 2 == 1);
    if (up) {
        std::size_t i = text.size();
        while (i > 0 && text[i - 1] == '9') text[--i] = '0';
        if (i > 0) {
            ++text[i - 1];
        } else {
            text = "1" + text.substr(0, text.size() - 1);
            ++exponent;
        }
    }
    if (whole_value) {
        while (text.size() > 1 && text.back() == '0') text.pop_back();
    } else if (static_cast<long>(text.size()) < exponent + 1 && exponent < 21) {
        // Plain layout would have to fill with zeros that are not known to be digits.
        std::string out = x < 0 ? "-" : "";
        out += text[0];
        if (text.size() > 1) out += "." + text.substr(1);
        return out + "e+" + std::to_string(exponent);
    }
    return laid_out(x < 0, text, exponent);
}

/// sqrt(n^2 + 1) - n to `digits` digits for n = 10^k, by integers alone. The value lies just below 5 * 10^-(k+1).
std::string root_minus_n(unsigned k, unsigned digits) {
    // Twice the value times 10^s, truncated; one more and halved is the nearest integer (no ties: it is irrational).
    auto at_scale = [k](unsigned s) {
        Integer const n = power(Integer(10), k);
        Integer const scale = power(Integer(10), s);
        Integer const radicand = 4 * (n * n + 1) * scale * scale;
        // Newton's iteration from above on integers ends at the floor of the root.
        Integer x = 2 * (n + 1) * scale;
        for (;;) {
            Integer const next = (x + radicand / x) / 2;
            if (next >= x) break;
            x = next;
        }
        return Integer((x - 2 * n * scale + 1) / 2);
    };
    for (unsigned s = k; s <= k + 1; ++s) {
        std::string const text = isserlis::to_string(at_scale(s + digits));
        if (text.size() == digits) return laid_out(false, text, -static_cast<long>(s) - 1);
    }
    return "no scale fits";
}

Interval tie(unsigned bits) { return {ratio(5, 2), bits}; }

}  // namespace

TEST_SUITE("ring/decimal") {
    // By hand: 0.125, 0.375 and 2.5 lie exactly between two neighbours.
    TEST_CASE("ties go to the even digit") {
        CHECK(decimal(ratio(1, 8), 2) == "0.12");
        CHECK(decimal(ratio(3, 8), 2) == "0.38");
        CHECK(decimal(ratio(5, 2), 1) == "2");
        CHECK(decimal(ratio(7, 2), 1) == "4");
        CHECK(decimal(ratio(-5, 2), 1) == "-2");
        CHECK(decimal(ratio(-19, 2), 1) == "-1e+1");  // -9.5 ties to the even 10, of which one digit is known
        CHECK(decimal(Rational(10'000'000'000'000'005), 16) == "1.000000000000000e+16");
        CHECK(decimal(Rational(10'000'000'000'000'015), 16) == "1.000000000000002e+16");
    }

    TEST_CASE("a carry runs through all nines") {
        CHECK(decimal(ratio(999, 100), 2) == "10");
        CHECK(decimal(ratio(9999, 1000), 3) == "10.0");
        CHECK(decimal(ratio(-99999, 100000), 4) == "-1.000");
        CHECK(decimal(ratio(95, 1), 1) == "1e+2");
        CHECK(decimal(ratio(994, 100), 2) == "9.9");
    }

    TEST_CASE("terminating decimals that fit have no trailing zeros; others keep every digit asked") {
        CHECK(decimal(ratio(1, 2), 17) == "0.5");
        CHECK(decimal(Rational(1200), 17) == "1200");
        CHECK(decimal(Rational(1200), 2) == "1200");
        CHECK(decimal(Rational(0), 17) == "0");
        CHECK(decimal(Rational(-7), 1) == "-7");
        CHECK(decimal(ratio(1, 3), 5) == "0.33333");
        CHECK(decimal(ratio(200001, 200000), 5) == "1.0000");
        CHECK(decimal(ratio(1037, 6), 17) == "172.83333333333333");  // design.md, section 4
    }

    // The documented window of plain layout, at its edges.
    TEST_CASE("exponents outside [-6, 21) are written with e") {
        CHECK(decimal(ratio(1, 1'000'000), 5) == "0.000001");
        CHECK(decimal(ratio(1, 10'000'000), 5) == "1e-7");
        CHECK(decimal(Rational(power(Integer(10), 20)), 5) == "100000000000000000000");
        CHECK(decimal(Rational(power(Integer(10), 21)), 5) == "1e+21");
        CHECK(decimal(Rational(125 * power(Integer(10), 28)), 5) == "1.25e+30");
        CHECK(decimal(ratio(-1, 3 * power(Integer(10), 9)), 3) == "-3.33e-10");
    }

    // 10^99999 is E b^2 at the depth of 100000 that the first issue asks for.
    TEST_CASE("powers of ten are exact at every size") {
        for (std::uint64_t const exponent : {21U, 400U, 9'000U, 20'000U, 99'999U}) {
            INFO("10^", exponent);
            Integer const ten = power(Integer(10), exponent);
            CHECK(decimal(Rational(ten), 17) == "1e+" + std::to_string(exponent));
            CHECK(decimal(ratio(-3, ten), 17) == "-3e-" + std::to_string(exponent));
        }
    }

    TEST_CASE("random rationals equal long division, ties and terminating ones included") {
        holds(
            [] {
                Integer const top =
                    isserlis::testing::integer_of_digits(any_int(1, 25)) * (any_int(0, 1) == 0 ? 1 : -1);
                Integer const bottom = any_int(0, 2) == 0
                                           ? isserlis::testing::integer_of_digits(any_int(1, 25))
                                           : Integer(power(Integer(2), static_cast<std::uint64_t>(any_int(0, 12))) *
                                                     power(Integer(5), static_cast<std::uint64_t>(any_int(0, 12))));
                Rational const x = ratio(top, bottom);
                int const digits = any_int(1, 30);
                RC_ASSERT(decimal(x, digits) == by_long_division(x, digits));
            },
            400);
    }

    // GMP's size in base 10 may be one too large: 64/7 = 9.14 is then first tried as 0.914 tens, which rounds to 1 ten.
    TEST_CASE("one digit is right for every small fraction") {
        CHECK(decimal(ratio(64, 7), 1) == "9");
        CHECK(decimal(isserlis::sqrt(Rational(85)), 1) == "9");
        bool all = true;
        for (int p = 1; p <= 150; ++p) {
            for (int q = 1; q <= 150; ++q) all = all && decimal(ratio(p, q), 1) == by_long_division(ratio(p, q), 1);
        }
        CHECK(all);
    }

    // Halfway between two neighbours, and 10^-200 to either side: the last digit hangs on the 200th.
    TEST_CASE("values next to a tie fall to the right side") {
        Rational const nudge = ratio(1, power(Integer(10), 200));
        for (int const digits : {1, 2, 17}) {
            Rational const unit = ratio(1, power(Integer(10), static_cast<std::uint64_t>(digits - 1)));
            Rational const halfway = 1 + unit / 2;
            std::string const below = decimal(halfway - nudge, digits);
            std::string const above = decimal(halfway + nudge, digits);
            CHECK(below == (digits == 1 ? "1" : "1." + std::string(static_cast<std::size_t>(digits - 1), '0')));
            CHECK(above == (digits == 1 ? "2" : "1." + std::string(static_cast<std::size_t>(digits - 2), '0') + "1"));
            CHECK(decimal(halfway, digits) == (digits == 1 ? "2" : below));
        }
    }

    TEST_CASE("sqrt(n^2 + 1) - n is right to 50 digits for n = 1 .. 10^60") {
        for (unsigned k = 0; k <= 60; k += 4) {
            Integer const n = power(Integer(10), k);
            Surd const x = isserlis::sqrt(Rational(n * n + 1)) - Surd(n);
            for (unsigned const digits : {1U, 2U, 17U, 50U}) {
                INFO("n = 10^", k, ", digits = ", digits);
                CHECK(decimal(x, static_cast<int>(digits)) == root_minus_n(k, digits));
            }
        }
    }

    // sqrt 2 to 100 digits, OEIS A002193.
    TEST_CASE("the root of two has its published digits") {
        CHECK(decimal(isserlis::sqrt(Rational(2)), 100) ==
              "1.414213562373095048801688724209698078569671875376948073176679737990732478462107038850387534327641573");
        CHECK(decimal(-isserlis::sqrt(Rational(2)), 3) == "-1.41");
        // Vector S-3x10 of hettinger.json, from SymPy.
        Surd const s = Surd::monomial(ratio(216, 125), 10) + Surd::monomial(ratio(432, 125), 5) + Surd(ratio(864, 25));
        CHECK(decimal(s, 20) == "47.752266727010232676");
    }

    TEST_CASE("irrational values never lose trailing zeros") {
        // sqrt(10^20 + 1) = 10^10 (1 + 5e-21 - ..): zeros that are digits.
        Surd const x = isserlis::sqrt(Rational(power(Integer(10), 20) + 1));
        CHECK(decimal(x, 15) == "10000000000.0000");
        CHECK(decimal(x, 5) == "1.0000e+10");
        CHECK(decimal(x, 22) == "10000000000.00000000005");
    }

    TEST_CASE("enclosures are tightened until the digits settle") {
        unsigned asked = 0;
        auto const enclosure = [&asked](unsigned bits) {
            asked = bits;
            Interval const x(1L, bits);
            return (x + Interval(ratio(1, power(Integer(10), 300)), bits)) - x;
        };
        CHECK(decimal(enclosure, 3) == "1.00e-300");
        CHECK(asked > 1000);  // 10^-300 beside 1 needs 997 bits before a single digit shows
        CHECK(decimal([](unsigned bits) { return isserlis::pi(bits); }, 1) == "3");
    }

    TEST_CASE("a value that is a tie, known through enclosures only, is refused and not guessed") {
        CHECK(decimal(tie, 2) == "2.5");
        CHECK_THROWS_AS(
            decimal([](unsigned bits) { return Interval(ratio(1, 3), bits) - Interval(ratio(1, 3), bits); }, 5),
            isserlis::UnsupportedError);
    }

    TEST_CASE("fewer than 1 or more than max_digits digits is a DomainError that names the number") {
        for (int const digits : {0, -1, isserlis::max_digits + 1, 1'000'000'000}) {
            CHECK_THROWS_AS(decimal(ratio(1, 3), digits), isserlis::DomainError);
            CHECK_THROWS_AS(decimal(isserlis::sqrt(Rational(2)), digits), isserlis::DomainError);
            CHECK_THROWS_AS(decimal(tie, digits), isserlis::DomainError);
            CHECK_THROWS_AS(decimal(Rational(0), digits), isserlis::DomainError);
        }
        try {
            (void)decimal(ratio(1, 3), 0);
        } catch (isserlis::Error const& e) {
            CHECK(std::string(e.what()).find("digits = 0") != std::string::npos);
        }
        CHECK(decimal(ratio(1, 3), isserlis::max_digits).size() == static_cast<std::size_t>(isserlis::max_digits) + 2);
    }
}
