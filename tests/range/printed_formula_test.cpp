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
    }
}
