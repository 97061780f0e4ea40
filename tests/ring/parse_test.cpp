// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>

#include "property.hpp"
#include "random_elements.hpp"
#include "survives.hpp"

using isserlis::Exponent;
using isserlis::parse_rational_function;
using isserlis::parse_surd;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::to_string;
using isserlis::testing::any_int;
using isserlis::testing::any_tree;
using isserlis::testing::holds;
using isserlis::testing::Leaves;
using isserlis::testing::Tree;

namespace {

RationalFunction read(std::string const& text) { return parse_rational_function(text, "EXPR"); }

std::string message_of(std::string const& text) {
    try {
        (void)read(text);
    } catch (isserlis::Error const& e) {
        CHECK(e.argument() == "EXPR");
        return e.what();
    }
    return "no error";
}

void printed_text_reads_back(Leaves leaves) {
    holds(
        [leaves] {
            Tree const tree = any_tree(any_int(0, 4), leaves);
            std::map<std::string, RationalFunction> const symbols = {{"m", RationalFunction::symbol("m")},
                                                                     {"n", RationalFunction::symbol("n")}};
            RationalFunction f;
            try {
                f = isserlis::testing::evaluated<RationalFunction>(tree, symbols);
            } catch (isserlis::DomainError const&) {
                RC_DISCARD("divides by 0");
            }
            RC_LOG() << to_string(tree) << " prints as " << to_string(f);
            RC_ASSERT(read(to_string(f)) == f);
        },
        150);
}

}  // namespace

TEST_SUITE("ring/parse") {
    TEST_CASE("what a rational function prints reads back as the same function") {
        printed_text_reads_back(Leaves::rational);
    }
    TEST_CASE("so it does with roots of symbols") { printed_text_reads_back(Leaves::roots_of_symbols); }
    TEST_CASE("so it does with roots of numbers and sums") { printed_text_reads_back(Leaves::all_roots); }

    TEST_CASE("so it does with symbolic exponents") {
        holds([] {
            RationalFunction f = RationalFunction(isserlis::testing::any_rational());
            Exponent const L = Exponent::symbol("L");
            for (int i = any_int(1, 3); i > 0; --i) {
                RationalFunction const base = any_int(0, 2) == 0
                                                  ? RationalFunction(any_int(2, 6))
                                                  : RationalFunction::symbol("n") + RationalFunction(any_int(0, 3));
                Exponent const e = Exponent(ratio(any_int(-4, 4), 2)) * L + Exponent(ratio(any_int(-4, 4), 2));
                f = any_int(0, 1) == 0 ? f * power(base, e) : f + power(base, e) * RationalFunction::symbol("L");
            }
            RC_LOG() << to_string(f);
            RC_ASSERT(read(to_string(f)) == f);
        });
    }

    TEST_CASE("what a surd prints reads back as the same surd") {
        holds([] {
            Surd const x = isserlis::testing::any_surd(5);
            RC_ASSERT(parse_surd(to_string(x), "EXPR") == x);
            RC_ASSERT(read(to_string(x)) == RationalFunction(x));
        });
    }

    // SymPy and PARI/GP agree on all of these.
    TEST_CASE("precedence is that of computer algebra systems") {
        CHECK(parse_surd("-2^2", "x") == Surd(-4));
        CHECK(parse_surd("2^3^2", "x") == Surd(512));
        CHECK(parse_surd("2^-1", "x") == Surd(ratio(1, 2)));
        CHECK(parse_surd("8/4/2", "x") == Surd(1));
        CHECK(parse_surd("8/4*2", "x") == Surd(4));
        CHECK(parse_surd("1 - 2 - 3", "x") == Surd(-4));
        CHECK(parse_surd("2*-3", "x") == Surd(-6));
        CHECK(parse_surd("--3", "x") == Surd(3));
        CHECK(parse_surd("4^(1/2)", "x") == Surd(2));
        CHECK(parse_surd("4^(-3/2)", "x") == Surd(ratio(1, 8)));
        CHECK(parse_surd("sqrt(2)*sqrt(8)", "x") == Surd(4));
        CHECK(parse_surd("0.25 + 3/4", "x") == Surd(1));
        CHECK(read("n^2/n") == RationalFunction::symbol("n"));
        CHECK(read(" ( n ) ") == RationalFunction::symbol("n"));
    }

    TEST_CASE("exponents and separators stand wherever a number does; an e without digits behind it is a letter") {
        auto const n = RationalFunction::symbol("n");
        CHECK(read("1e3*n") == RationalFunction(1000) * n);
        CHECK(read("n - 1e-3") == n - RationalFunction(Rational(1) / 1000));
        CHECK(read("2.5e1/n+1_000") == RationalFunction(25) / n + RationalFunction(1000));
        CHECK(read("n^1e1") == read("n^10"));
        CHECK(parse_surd("sqrt(4e2)", "x") == parse_surd("20", "x"));
        CHECK(read("1e3-2") == RationalFunction(998));
    }

    TEST_CASE("bad text is a ParseError that names the argument and the character") {
        for (auto const* bad :
             {"",       " ",      "n +",    "+n",   "(n",  "n)",   "n n",      "2n",  "2 n",  "n**2", "sqrt",
              "sqrt 2", "sqrt(2", "sqrt()", "1..2", ".5",  "010",  "0x10",     "1e",  "1e3n", "2e*n", "1_n",
              "1__0",   "1e+",    "n!",     "n,m",  "n=2", "\x01", "\xff\xfe", "n\n", "{n}",  "@"}) {
            INFO("text: ", bad);
            CHECK_THROWS_AS(read(bad), isserlis::ParseError);
            CHECK(message_of(bad).find("EXPR") != std::string::npos);
        }
        CHECK(message_of("n + + 2").find("character 5") != std::string::npos);
        CHECK(message_of("10 + 010").find("character 6") != std::string::npos);
        CHECK_THROWS_AS(parse_surd("n + 1", "x"), isserlis::ParseError);
        CHECK_THROWS_AS(parse_surd("1/0", "x"), isserlis::DomainError);
        CHECK_THROWS_AS(read("1/(n - n)"), isserlis::DomainError);
        CHECK_THROWS_AS(read("n^(n^2)"), isserlis::UnsupportedError);
        CHECK_THROWS_AS(parse_surd("2^(1/3)", "x"), isserlis::UnsupportedError);
        CHECK_THROWS_AS(parse_surd("2^sqrt(2)", "x"), isserlis::UnsupportedError);
        CHECK_THROWS_AS(parse_surd("sqrt(-1)", "x"), isserlis::DomainError);
    }

    TEST_CASE("nesting and sizes that would exhaust the machine are refused") {
        CHECK_THROWS_AS(read(std::string(100'000, '(')), isserlis::ParseError);
        CHECK_THROWS_AS(read(std::string(100'000, '-') + "1"), isserlis::ParseError);
        CHECK_THROWS_AS(parse_surd("10^10^10^10", "x"), isserlis::UnsupportedError);
        CHECK_THROWS_AS(read("10^10^10^10"), isserlis::UnsupportedError);
        CHECK_THROWS_AS(read("2^1000000000000000000000"), isserlis::UnsupportedError);
    }

    TEST_CASE("short texts of large values are refused by an estimate, formulas as well as numbers") {
        for (auto const* large : {"2^10000000000", "1/2^10000000000", "(2^1000000)^1000", "n^10000000000",
                                  "(2*n)^1000000000", "n^(10000000000*m)"}) {
            INFO("text: ", large);
            CHECK_THROWS_AS(read(large), isserlis::UnsupportedError);
        }
        for (auto const* large : {"(2^1000000)^1000", "(1/3^400000)^1000", "(1+sqrt(2))^900000000"}) {
            INFO("text: ", large);
            CHECK_THROWS_AS(parse_surd(large, "x"), isserlis::UnsupportedError);
        }
        std::string product = "1";
        for (int i = 0; i < 30; ++i) product += "*2^60000000";
        CHECK_THROWS_AS(parse_surd(product, "x"), isserlis::UnsupportedError);
        // 2^16 roots.
        std::string roots = "1";
        for (int const p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53})
            roots += "*(1+sqrt(" + std::to_string(p) + "))";
        CHECK_THROWS_AS(parse_surd(roots, "x"), isserlis::UnsupportedError);
        // What does not grow has no size: 1^N, (-1)^N.
        CHECK(read("1^10000000000") == RationalFunction(1));
        CHECK(read("(-1)^10000000001") == RationalFunction(-1));
        CHECK(parse_surd("2^500000", "x") == Surd(power(Rational(2), std::uint64_t{500'000})));
    }

    TEST_CASE("numbers of layers are linear; a power is seen to be none without being expanded") {
        CHECK(isserlis::as_exponent(read("2*L+n-1/2")) ==
              Exponent(2) * Exponent::symbol("L") + Exponent::symbol("n") - Exponent(ratio(1, 2)));
        CHECK(isserlis::as_exponent(read("(L+1)^2-L^2")) == Exponent(2) * Exponent::symbol("L") + Exponent(1));
        CHECK(isserlis::as_exponent(read("(L^2-1)/(L+1)")) == Exponent::symbol("L") - Exponent(1));
        CHECK(isserlis::as_exponent(read("n-n")) == Exponent(0));
        for (auto const* bad : {"(L+n+1)^3000", "L+n^100000", "L*n", "(L+1)*(L+2)", "1/L", "L/(L+1)", "sqrt(L)", "2^L",
                                "L+sqrt(2)", "L^(1/2)+1"}) {
            INFO("text: ", bad);
            CHECK_THROWS_AS((void)isserlis::as_exponent(read(bad)), isserlis::UnsupportedError);
        }
    }

    TEST_CASE("rows of divisions: left to right, of any length that is read, in linear time") {
        std::string text = "n";
        for (int i = 0; i < 190; ++i) text += "/2";
        CHECK(read(text) == RationalFunction::symbol("n") / power(RationalFunction(2), std::uint64_t{190}));
        std::string sum = "0";
        for (int i = 0; i < 500; ++i) sum += "+(" + text + ")";
        CHECK(read(sum) == RationalFunction(500) * read(text));
        std::string nested = "1";
        for (int i = 0; i < 10; ++i) {
            nested = "(" + nested;
            for (int k = 0; k < 190; ++k) nested += "/1";
            nested += ")";
        }
        CHECK(message_of(nested).find("nested too deeply") != std::string::npos);
    }

    TEST_CASE("long sums and products of numbers are those of pairs") {
        holds([] {
            int const count = any_int(1, 40);
            Surd sum;
            Surd product = 1;
            std::string sum_text;
            std::string product_text;
            for (int i = 0; i < count; ++i) {
                Surd const x = isserlis::testing::any_surd(2);
                if (x.is_zero()) continue;
                sum = sum + x;
                sum_text += (sum_text.empty() ? "(" : "+(") + to_string(x) + ")";
                if (x.terms().size() > 1) continue;
                product = product * x;
                product_text += (product_text.empty() ? "(" : "*(") + to_string(x) + ")";
            }
            RC_PRE(!sum_text.empty());
            RC_ASSERT(parse_surd(sum_text, "x") == sum);
            if (!product_text.empty()) RC_ASSERT(parse_surd(product_text, "x") == product);
        });
    }

    // 2^64 + 3 = 18446744073709551619 is 3 to a machine word.
    TEST_CASE("exponents past 64 bits are not cut off") {
        CHECK_THROWS_AS(read("2^18446744073709551619"), isserlis::UnsupportedError);
        CHECK_THROWS_AS(read("(2*n)^18446744073709551619"), isserlis::UnsupportedError);
        CHECK_THROWS_AS(parse_surd("2^18446744073709551619", "x"), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)read("n^18446744073709551619").evaluate({{"n", Rational(2)}}),
                        isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)read("n^L").evaluate({{"n", Rational(2)}, {"L", power(Rational(2), 64) + 3}}),
                        isserlis::UnsupportedError);
        CHECK(read("1^18446744073709551619") == RationalFunction(1));
    }

    TEST_CASE("half powers have enclosures, other fractions are named") {
        auto const at = [](char const* text, Rational const& n) {
            auto const e = isserlis::Expression::parse(text, "x");
            return [=](unsigned bits) { return isserlis::enclose(e, bits, {{"n", n}}); };
        };
        CHECK(isserlis::decimal(at("n^(9/2)", 2), 17) == isserlis::decimal(Surd(16) * sqrt(Surd(2)), 17));
        CHECK(isserlis::decimal(at("3*n^(-3/2)", ratio(9, 4)), 5) == "0.88889");
        CHECK_THROWS_AS((void)at("n^(1/3)", 8)(64), isserlis::UnsupportedError);
    }

    TEST_CASE("chains of 20000 operators are read or refused, and crash nothing") {
        for (std::string const link : {"+1", "-1", "*1", "/1", "^1"}) {
            std::string text = "1";
            for (int i = 0; i < 20'000; ++i) text += link;
            INFO("1", link, link, "..");
            CHECK(isserlis::testing::survives([&] {
                try {
                    (void)parse_surd(text, "x");
                } catch (isserlis::Error const&) {
                }
                return true;
            }));
        }
    }
}
