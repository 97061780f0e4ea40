// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>

using isserlis::Interval;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::Value;

TEST_SUITE("report/value") {
    TEST_CASE("a rational: exact text, decimals rounded to nearest, a double") {
        Value const third{Surd(Rational(1) / 3)};
        CHECK(third.exact() == "1/3");
        CHECK(third.decimal(3) == "0.333");
        CHECK(third.decimal(1) == "0.3");
        CHECK(third.to_double() == 1.0 / 3.0);
        CHECK(third.form().empty());
        CHECK(Value(Surd(0)).exact() == "0");
        CHECK(Value(Surd(0)).to_double() == 0);
        CHECK(Value(Surd(Rational(-7) / 2)).exact() == "-7/2");
    }

    // 1 - sqrt(2) = -0.41421356237309504880...
    TEST_CASE("a surd: text that parses back, certified decimals") {
        Value const value{isserlis::parse_surd("1 - sqrt(2)", "test")};
        REQUIRE(value.exact().has_value());
        CHECK(isserlis::parse_surd(*value.exact(), "test") == isserlis::parse_surd("1 - sqrt(2)", "test"));
        CHECK(value.decimal(20) == "-0.41421356237309504880");
        CHECK(value.to_double() == doctest::Approx(1 - std::sqrt(2.0)));
    }

    TEST_CASE("a formula has no decimals and is not a number; a numeric one has both") {
        Value const formula{RationalFunction::symbol("n") + RationalFunction(1)};
        CHECK(formula.exact() == "n + 1");
        CHECK_FALSE(formula.decimal(17).has_value());
        CHECK(std::isnan(formula.to_double()));
        Value const number{RationalFunction(Rational(3) / 4)};
        CHECK(number.exact() == "3/4");
        CHECK(number.decimal(17) == "0.75");
        CHECK(number.to_double() == 0.75);
    }

    // (1 + sqrt 2)/(1 + sqrt 3) = 0.88368...: by double arithmetic.
    TEST_CASE("a quotient of surds keeps both in brackets") {
        Value const value =
            Value::quotient(isserlis::parse_surd("1 + sqrt(2)", "test"), isserlis::parse_surd("1 + sqrt(3)", "test"));
        REQUIRE(value.exact().has_value());
        CHECK(value.exact()->front() == '(');
        CHECK(value.exact()->find(")/(") != std::string::npos);
        CHECK(value.to_double() == doctest::Approx((1 + std::sqrt(2.0)) / (1 + std::sqrt(3.0))).epsilon(1e-15));
        CHECK(isserlis::parse_surd(*value.exact(), "test") ==
              isserlis::parse_surd("(1 + sqrt(2))/(1 + sqrt(3))", "test"));
    }

    // pi = 3.14159265358979323846264338327950288419716939937510...
    TEST_CASE("a certified number: no exact text, up to a hundred digits, a form that says what it is") {
        Value const value = Value::certified([](unsigned bits) { return isserlis::pi(bits); }, "pi");
        CHECK_FALSE(value.exact().has_value());
        CHECK(value.decimal(50) == "3.1415926535897932384626433832795028841971693993751");
        CHECK(value.decimal(5) == "3.1416");
        CHECK(value.decimal(isserlis::max_certified_digits)->size() == isserlis::max_certified_digits + 1);
        CHECK_FALSE(value.decimal(isserlis::max_certified_digits + 1).has_value());
        auto const longer = Value::certified([](unsigned bits) { return isserlis::pi(bits); }, "pi", 300);
        CHECK(longer.decimal(300)->size() == 301);
        CHECK_FALSE(longer.decimal(301).has_value());
        CHECK(value.form() == "pi");
        CHECK(value.to_double() == std::acos(-1.0));
    }

    TEST_CASE("an enclosure that never narrows is refused, not rounded at a guess") {
        Value const value = Value::certified(
            [](unsigned bits) {
                Interval const tiny = Interval(Rational(1), bits) / Interval(Rational(1000000), bits);
                return sqrt(tiny * tiny) - tiny;  // 0, known only up to the rounding
            },
            "0 in disguise");
        CHECK_THROWS_AS((void)value.decimal(5), isserlis::UnsupportedError);
    }

    TEST_CASE("an absent value says why in every reading") {
        Value const value = Value::absent("not here");
        CHECK_FALSE(value.exact().has_value());
        CHECK_FALSE(value.decimal(17).has_value());
        CHECK(value.form() == "not here");
        CHECK(std::isnan(value.to_double()));
        CHECK(value.latex(17).find("not here") != std::string::npos);
    }

    TEST_CASE("decimals refuse 0 digits and too many") {
        Value const value{Surd(1)};
        CHECK_THROWS_AS((void)value.decimal(0), isserlis::DomainError);
        CHECK_THROWS_AS((void)value.decimal(-3), isserlis::DomainError);
        CHECK_THROWS_AS((void)value.decimal(isserlis::max_digits + 1), isserlis::DomainError);
    }

    TEST_CASE("LaTeX: fractions and roots, or digits where there is no exact text") {
        CHECK(Value(Surd(Rational(1) / 2)).latex(5).find("frac{1}{2}") != std::string::npos);
        CHECK(Value(isserlis::parse_surd("sqrt(2)", "test")).latex(5).find("\\sqrt{2}") != std::string::npos);
        CHECK(Value::certified([](unsigned bits) { return isserlis::pi(bits); }, "pi").latex(5).find("3.1416") == 0);
    }
}
