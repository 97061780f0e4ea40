// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/ring/rational.hpp>
#include <vector>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Integer;
using isserlis::parse_integer;
using isserlis::parse_rational;
using isserlis::power;
using isserlis::quotient;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::to_string;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

std::string refusal_of(std::string const& text) {
    try {
        (void)parse_rational(text, "--variance");
    } catch (isserlis::Error const& e) {
        CHECK(e.argument() == "--variance");
        return e.what();
    }
    return "no error";
}

}  // namespace

TEST_SUITE("ring/rational") {
    // Boost 1.74 gives 1/18446744073709551614 for Rational(1, -2) and dies of SIGFPE for Rational(1, 0).
    TEST_CASE("ratio puts the sign on top and cancels") {
        CHECK(to_string(ratio(1, -2)) == "-1/2");
        CHECK(to_string(ratio(-6, -4)) == "3/2");
        CHECK(to_string(ratio(0, -7)) == "0");
        CHECK(ratio(10, 5) == Rational(2));
        CHECK(isserlis::denominator_of(ratio(4, -6)) == 3);
        CHECK(isserlis::numerator_of(ratio(4, -6)) == -2);
    }

    TEST_CASE("a zero denominator is a DomainError that says so") {
        CHECK_THROWS_AS(ratio(1, 0), isserlis::DomainError);
        CHECK_THROWS_AS(ratio(0, 0), isserlis::DomainError);
        CHECK_THROWS_AS(quotient(Rational(3), Rational(0)), isserlis::DomainError);
        CHECK_THROWS_WITH_AS(quotient(Rational(3), Rational(0)), "quotient: division of 3 by 0", isserlis::DomainError);
        CHECK(quotient(Rational(3), ratio(-3, 2)) == Rational(-2));
    }

    // By hand. Boost takes "6/4" and " 1 / 2" uncanonicalised and reads Integer("010") as 8.
    TEST_CASE("text becomes the number that a person reads in it") {
        CHECK(parse_rational("6/4", "x") == ratio(3, 2));
        CHECK(to_string(parse_rational("6/4", "x")) == "3/2");
        CHECK(parse_rational("-9/5", "x") == ratio(-9, 5));
        CHECK(parse_rational("-0", "x") == Rational(0));
        CHECK(to_string(parse_rational("-0", "x")) == "0");
        CHECK(to_string(parse_rational("-0/7", "x")) == "0");
        CHECK(parse_rational("0.1", "x") == ratio(1, 10));
        CHECK(parse_rational("-2.50", "x") == ratio(-5, 2));
        CHECK(parse_rational("0.010", "x") == ratio(1, 100));
        CHECK(parse_integer("-17", "x") == Integer(-17));
        CHECK(parse_integer("0", "x") == Integer(0));
    }

    TEST_CASE("exponents and separators are read exactly") {
        struct Spelling {
            char const* text;
            Rational value;
        };
        for (auto const& s : std::vector<Spelling>{{"1e3", 1000},
                                                   {"1E+3", 1000},
                                                   {"2.5e6", 2'500'000},
                                                   {"1e-3", ratio(1, 1000)},
                                                   {"-1.50e-2", ratio(-3, 200)},
                                                   {"1_000", 1000},
                                                   {"1_000/3", ratio(1000, 3)},
                                                   {"1_0.2_5e1_0", Rational(Integer(102'500'000'000))},
                                                   {"0e5", 0},
                                                   {"0.001e3", 1},
                                                   {"7e0", 7}}) {
            INFO("text: ", s.text);
            CHECK(parse_rational(s.text, "x") == s.value);
        }
        CHECK(parse_integer("1e6", "x") == 1'000'000);
        CHECK(parse_integer("-2.50e2", "x") == -250);
        CHECK(parse_integer("12_345", "x") == 12'345);
    }

    TEST_CASE("aeb is a 10^b, for random a and b") {
        auto const tens = [](int b) {
            Rational out = 1;
            for (int i = 0; i < std::abs(b); ++i) out *= b < 0 ? ratio(1, 10) : Rational(10);
            return out;
        };
        holds([&] {
            int const a = any_int(-100'000, 100'000);
            int const b = any_int(-60, 60);
            RC_ASSERT(parse_rational(std::to_string(a) + "e" + std::to_string(b), "x") == Rational(a) * tens(b));
        });
    }

    // 10^(10^9) has 400 MB: the exponent is refused as text.
    TEST_CASE("exponents whose digits would fill the memory are refused before anything is computed") {
        for (auto const* far : {"1e10001", "1e-10001", "1e1000000000", "1e-1000000000", "0e99999999999999999999"}) {
            INFO("text: ", far);
            CHECK_THROWS_AS(parse_rational(far, "--variance"), isserlis::UnsupportedError);
            CHECK_THROWS_AS(parse_integer(far, "--check"), isserlis::UnsupportedError);
            CHECK(refusal_of(far).find("10000") != std::string::npos);
        }
        CHECK(parse_rational("1e-10000", "x") * parse_rational("1e10000", "x") == Rational(1));
    }

    TEST_CASE("text that is no number is refused, with the argument and the text in the message") {
        for (auto const* bad :
             {"",      "-",   "010",   "-010", "1/010", "010/3", " 1/2",  "1/2 ",  "1 / 2", "1e",    "0x10",
              "+1",    "--1", "1/-2",  "1/",   "/2",    "1//2",  "1/2/3", ".5",    "5.",    "1.2.3", "1.-2",
              "1/2.5", "00",  "00.5",  "inf",  "nan",   "n",     "1,5",   "1__0",  "1\n",   "\t1",   "٣",
              "e3",    "1e+", "1e1.5", "_1",   "1_",    "1_.5",  "1._5",  "1/2e3", "1e3/2", "01e3",  "1e_3"}) {
            INFO("text: ", bad);
            CHECK_THROWS_AS(parse_rational(bad, "--variance"), isserlis::ParseError);
            CHECK(refusal_of(bad).find("--variance") != std::string::npos);
        }
        CHECK(refusal_of("1e").find("'1e'") != std::string::npos);
        for (auto const* bad : {"", "-", "010", "1/2", "1.0", " 1", "1 ", "1e-3", "1.5e0", "0x10", "+1", "--1", "n"}) {
            INFO("text: ", bad);
            CHECK_THROWS_AS(parse_integer(bad, "--order"), isserlis::ParseError);
        }
        CHECK_THROWS_AS(parse_rational("1/0", "x"), isserlis::DomainError);
        CHECK_THROWS_AS(parse_rational("0/0", "x"), isserlis::DomainError);
        CHECK(refusal_of("1/0").find("'1/0'") != std::string::npos);
        CHECK_THROWS_AS(parse_rational(std::string_view("1\0002", 3), "x"), isserlis::ParseError);
    }

    // A terminal obeys escape sequences and JSON refuses invalid UTF-8, so neither may be echoed.
    TEST_CASE("control characters and bytes above ASCII are not echoed in messages") {
        for (auto const* bad : {"\x1b[31m", "1\n2", "\xff", "1\x7f"}) {
            std::string const message = refusal_of(bad);
            for (char const c : message) {
                INFO("message: ", message);
                CHECK(static_cast<unsigned char>(c) >= 0x20);
                CHECK(static_cast<unsigned char>(c) < 0x7f);
            }
        }
    }

    // 10^400 + 1 has 401 digits; no machine type may be on the way.
    TEST_CASE("numbers of hundreds of digits survive reading and printing") {
        std::string const big = "1" + std::string(399, '0') + "1";
        CHECK(to_string(parse_rational(big, "x")) == big);
        CHECK(to_string(parse_rational("-" + big + "/" + big, "x")) == "-1");
        CHECK(to_string(parse_integer("-" + big, "x")) == "-" + big);
        CHECK(parse_integer(big, "x") == power(Integer(10), 400) + 1);
    }

    TEST_CASE("what is printed reads back as the same number") {
        holds([] {
            Rational const x =
                ratio(isserlis::testing::integer_of_digits(any_int(1, 40)) * (any_int(0, 1) == 0 ? 1 : -1),
                      isserlis::testing::integer_of_digits(any_int(1, 40)));
            RC_ASSERT(parse_rational(to_string(x), "x") == x);
        });
    }

    // Oracle: repeated multiplication by Boost.
    TEST_CASE("powers equal repeated products, and 0^0 is 1") {
        holds([] {
            Rational const base = isserlis::testing::any_rational();
            int const exponent = any_int(0, 20);
            Rational product = 1;
            for (int i = 0; i < exponent; ++i) product *= base;
            RC_ASSERT(power(base, static_cast<std::uint64_t>(exponent)) == product);
        });
        CHECK(power(Integer(0), 0) == 1);
        CHECK(power(Integer(-1), ~std::uint64_t{0}) == -1);
        CHECK(power(ratio(-2, 3), 3) == ratio(-8, 27));
    }

    // GMP would abort the process: 10^(10^12) has 3.3 * 10^12 bits.
    TEST_CASE("a power too large for the machine is an UnsupportedError, not an abort") {
        CHECK_THROWS_AS(power(Integer(10), 1'000'000'000'000U), isserlis::UnsupportedError);
        CHECK_THROWS_AS(power(ratio(1, 10), 1'000'000'000'000U), isserlis::UnsupportedError);
    }

    TEST_CASE("is_integer looks at the value, not at how it was written") {
        CHECK(isserlis::is_integer(ratio(6, 3)));
        CHECK(isserlis::is_integer(Rational(0)));
        CHECK_FALSE(isserlis::is_integer(ratio(6, 4)));
    }
}
