// SPDX-License-Identifier: MIT
// Residues modulo p = 2^61 - 1 by hand: 2^61 = 1, so that 2^31 is a root of 2; -1 is no square, nor is 3.
#include "range/residue_reader.hpp"

#include <doctest/doctest.h>

#include <isserlis/error.hpp>

#include <string>
#include <vector>

using namespace isserlis;
using quantity::Residue;
using quantity::ResidueReader;

namespace {

constexpr WordModulus::Number prime = 2'305'843'009'213'693'951;

/// What one reader reads of these, one after the other.
std::vector<std::optional<Residue>> residues(std::vector<std::string> const& texts) {
    ResidueReader::Values const values{
        {"n", 3}, {"k", ratio(5, 2)}, {"z", 0}, {"p", Rational(Integer(prime))}, {"q", ratio(1, Integer(prime))}};
    std::vector<Expression> read;
    for (auto const& text : texts) read.push_back(Expression::parse(text, "value"));
    ResidueReader reader(values);
    std::vector<std::optional<Residue>> out;
    for (auto const& e : read) out.push_back(reader.value(e));
    return out;
}
std::optional<Residue> residue(std::string const& text) { return residues({text})[0]; }
Residue whole(WordModulus::Number x) { return {.re = x, .im = 0}; }

}  // namespace

TEST_SUITE("range/residue_reader") {
    TEST_CASE("whole numbers and halves") {
        struct {
            std::string text;
            WordModulus::Number residue;
        } const cases[] = {
            {"0", 0},
            {"1", 1},
            {"7", 7},
            {"-7", prime - 7},
            {"1/2", WordModulus::Number(1) << 60U},       // 2^(-1) = 2^60
            {"0.5", WordModulus::Number(1) << 60U},       // read as a fraction
            {"2^(-3)*2", WordModulus::Number(1) << 59U},  // 2^(-2)
            {"(1/3)*3", 1},
            {"n", 3},
            {"n^2*n*n^2 + n^1", 246},
            {"2^n", 8},
            {"(n + 1)^(n - 1)", 16},
            {"n - 4", prime - 1},
            {"6/n", 2},
            {"k + k", 5},
            {"k^2*4", 25},
            {"z^2 + z", 0},
            {"n^0 + z^0", 2},
            // 2^6 = 3 modulo 61, so that 2^30 = 3^5 = -1 and 2^32 = -4: 2^32 - 1 is 56
            {"2^4294967295", WordModulus::Number(1) << 56U},
        };
        for (auto const& c : cases) {
            CAPTURE(c.text);
            auto const found = residue(c.text);
            REQUIRE(found);
            CHECK(*found == whole(c.residue));
        }
    }

    TEST_CASE("roots") {
        CHECK(residue("sqrt(2)") == whole(WordModulus::Number(1) << 31U));
        CHECK(residue("sqrt(9)") == whole(3));
        CHECK(residue("sqrt(z)") == whole(0));
        CHECK(residue("z^(1/2)") == whole(0));
        CHECK(residue("sqrt(1/4)*4") == whole(2));
        auto const third = residue("sqrt(3)");
        REQUIRE(third);
        CHECK(third->re == 0);
        CHECK(WordModulus::product(third->im, third->im) == prime - 3);
        // Its inverse is sqrt(3)/3.
        CHECK(residue("sqrt(3)*sqrt(n)") == whole(3));
        CHECK(residue("3/sqrt(n)") == third);
        CHECK(residue("n^(1/2)") == third);
        CHECK(residue("n^(-1/2)*3") == third);
        CHECK(residue("-sqrt(3) + 2*sqrt(3)") == third);
        // (1 + sqrt(3)) (1 - sqrt(3)) = -2, and 1/(1 + sqrt(3)) = (sqrt(3) - 1)/2
        CHECK(residue("(1 + sqrt(n))*(1 - sqrt(n))") == whole(prime - 2));
        CHECK(residue("2/(1 + sqrt(n)) - sqrt(n)") == whole(prime - 1));
        CHECK(residue("sqrt(3/4)*2") == third);
        CHECK(residue("sqrt(1/3)*3") == third);
        CHECK(residue("n^(5/2)/9") == third);
    }

    // sqrt(15) is sqrt(3) sqrt(5) and no root of its own; the last is the square 900.
    TEST_CASE("roots of one reader belong together") {
        auto const x =
            residues({"sqrt(3)", "sqrt(5)", "sqrt(15)", "sqrt(3)*sqrt(5)", "sqrt(12)", "2*sqrt(3)", "sqrt(60)",
                      "2*sqrt(15)", "sqrt(2)*sqrt(3)*sqrt(5)*sqrt(30)", "sqrt(5/3)", "sqrt(15)/3"});
        for (auto const& each : x) REQUIRE(each);
        CHECK(x[2] == x[3]);
        CHECK(x[4] == x[5]);
        CHECK(x[6] == x[7]);
        CHECK(x[8] == whole(30));
        CHECK(x[9] == x[10]);
    }

    // Neither 3 nor 7 is a square modulo p, but 21 is, whose root is not the one that a power of 21 is.
    TEST_CASE("a product of roots, each of which is imaginary") {
        auto const x = residues({"sqrt(2)", "sqrt(3)", "sqrt(7)", "sqrt(21)", "sqrt(3)*sqrt(7)", "sqrt(5)",
                                 "sqrt(5)*sqrt(21)", "sqrt(105)"});
        for (auto const& each : x) REQUIRE(each);
        CHECK(x[3] == x[4]);
        CHECK(x[6] == x[7]);
        CHECK(x[3]->im == 0);
    }

    TEST_CASE("roots of six radicands") {
        auto const x = residues({"sqrt(2)", "sqrt(3)", "sqrt(5)", "sqrt(7)", "sqrt(11)", "sqrt(13)", "sqrt(17)",
                                 "sqrt(1001)", "sqrt(7)*sqrt(11)*sqrt(13)"});
        for (std::size_t i = 0; i < x.size(); ++i) {
            CAPTURE(i);
            CHECK(x[i].has_value() == (i != 6));
        }
        CHECK(x[7] == x[8]);
    }

    TEST_CASE("what has no residue") {
        for (std::string const text : {"exp(1)",
                                       "m",
                                       "m + 1",
                                       "2*m",
                                       "-m",
                                       "m/2",
                                       "2/m",
                                       "2^m",
                                       "m^2",
                                       "sqrt(m)",
                                       "n^(1/3)",
                                       "2^4294967296",
                                       "n^4294967296",
                                       "n^sqrt(4)",
                                       "sqrt(sqrt(2))",
                                       "sqrt(1 + sqrt(3))",
                                       "p",
                                       "q",
                                       "1/p",
                                       "p*q",
                                       "p^2",
                                       "p^(1/2)",
                                       "sqrt((p - 1) + 1)",
                                       "2305843009213693951",
                                       "0.5*1/2305843009213693951"}) {
            CAPTURE(text);
            CHECK_FALSE(residue(text));
        }
        // p, whose residue is 0, by two numbers that have another one.
        CHECK_FALSE(residue("sqrt(2305843009213693950 + 1)"));
        CHECK_FALSE(residue("sqrt((2305843009213693950 + 1)^2)"));
    }

    // sqrt(4 + sqrt(3)) is none, and 4 beside sqrt(3) not the radicand 4.
    TEST_CASE("a root in a root leaves other roots as they are") {
        auto const x = residues({"sqrt(4 + sqrt(3))", "sqrt(4)", "m", "m", "n^3", "n^3"});
        CHECK_FALSE(x[0]);
        CHECK(x[1] == whole(2));
        CHECK_FALSE(x[2]);
        CHECK_FALSE(x[3]);
        CHECK(x[4] == whole(27));
        CHECK(x[5] == whole(27));
    }

    TEST_CASE("division by 0 and roots of negative numbers are refused") {
        for (std::string const text : {"1/z", "1/(n - 3)", "z^(-1)", "0^(-2)", "z^(-1/2)", "1/(sqrt(n) - sqrt(3))"}) {
            CAPTURE(text);
            CHECK_THROWS_WITH_AS((void)residue(text), "a divisor is 0", DomainError);
        }
        for (std::string const text : {"sqrt(-2)", "(n - 4)^(1/2)", "sqrt(-1/4)"}) {
            CAPTURE(text);
            CHECK_THROWS_WITH_AS((void)residue(text), "a root of a negative number", DomainError);
        }
    }
}
