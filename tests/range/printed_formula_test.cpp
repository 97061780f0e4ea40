// SPDX-License-Identifier: MIT
// Formulas beside numbers, by hand.
#include "range/printed_formula.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace isserlis;
using quantity::PrintedFormula;

TEST_SUITE("range/printed_formula") {
    TEST_CASE("fractions, roots and half powers") {
        struct {
            std::string formula;
            std::string number;
            bool same;
        } const cases[] = {
            {"n/(n + 1) - 1/n", "5/12", true},
            {"n/(n + 1) - 1/n", "5/13", false},
            // (1 + sqrt(3))^2 = 4 + 2 sqrt(3)
            {"(1 + sqrt(n))^2", "2*sqrt(3) + 4", true},
            {"(1 + sqrt(n))^2", "2*sqrt(3) + 5", false},
            // 3^(5/2) = 9 sqrt(3), 12^(1/2) = 2 sqrt(3)
            {"n^(5/2) + (4*n)^(1/2)", "11*sqrt(3)", true},
            {"1/n^(5/2)", "sqrt(3)/27", true},
            {"1/n^(5/2)", "sqrt(3)/9", false},
            // sqrt(2) sqrt(6) = 2 sqrt(3)
            {"sqrt(n - 1)*sqrt(2*n) + sqrt(n)", "3*sqrt(3)", true},
            // (sqrt(3) - sqrt(2)) (sqrt(3) + sqrt(2)) = 1
            {"1/(sqrt(n) - sqrt(n - 1))", "sqrt(2) + sqrt(3)", true},
            {"-sqrt(n)", "sqrt(3)", false},
            // sqrt(1/3) = sqrt(3)/3; 25/9 is a square
            {"sqrt(1/n) + sqrt(25/n^2)", "(sqrt(3) + 5)/3", true},
            // sqrt(6) sqrt(10) sqrt(15) = 30, positive whatever roots the first two are given
            {"sqrt(2*n)*sqrt(10)*sqrt(15)", "30", true},
            {"sqrt(2*n)*sqrt(10)*sqrt(15)", "-30", false},
            {"sqrt(15) - sqrt(5*n)", "0", true},
            // 1.7320508 is near sqrt(3)
            {"sqrt(n)", "4330127/2500000", false},
            // 2^61 - 1 and its multiples are not 0
            {"2305843009213693951*n", "0", false},
            {"n/2305843009213693951", "3/2305843009213693951", true},
            {"sqrt(2305843009213693951*n)", "sqrt(6917529027641081853)", true},
            {"n + 2305843009213693951", "3", false},
            // more radicands than are told apart in words, and a root in a root
            {"sqrt(2) + sqrt(n) + sqrt(5) + sqrt(7) + sqrt(11) + sqrt(13) + sqrt(17)",
             "sqrt(17) + sqrt(13) + sqrt(11) + sqrt(7) + sqrt(5) + sqrt(3) + sqrt(2)", true},
            {"sqrt(2) + sqrt(n) + sqrt(5) + sqrt(7) + sqrt(11) + sqrt(13) + sqrt(17)",
             "sqrt(17) + sqrt(13) + sqrt(11) + sqrt(7) + sqrt(5) + sqrt(3) - sqrt(2)", false},
        };
        for (auto const& c : cases) {
            CAPTURE(c.formula);
            CAPTURE(c.number);
            auto const found = PrintedFormula(c.formula).agrees({{"n", 3}}, c.number);
            REQUIRE(found);
            CHECK(*found == c.same);
        }
    }

    TEST_CASE("what cannot be told, and divisors that are 0") {
        CHECK_FALSE(PrintedFormula("certified digits").agrees({{"n", 3}}, "1"));
        auto const divided = PrintedFormula("1/(n - 3)").agrees({{"n", 3}}, "1");
        REQUIRE(divided);
        CHECK_FALSE(*divided);
        auto const rooted = PrintedFormula("1/(sqrt(n) - sqrt(3))").agrees({{"n", 3}}, "1");
        REQUIRE(rooted);
        CHECK_FALSE(*rooted);
        auto const negative = PrintedFormula("sqrt(n - 4)").agrees({{"n", 3}}, "1");
        REQUIRE(negative);
        CHECK_FALSE(*negative);
    }
}
