// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
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
