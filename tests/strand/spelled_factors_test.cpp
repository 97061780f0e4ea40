// SPDX-License-Identifier: MIT
// Eigenvalues from the digits of numbers that spell them.
#include "strand/spelled_factors.hpp"

#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>

#include <set>
#include <string>
#include <vector>

using namespace isserlis;

namespace {

Polynomial polynomial(std::string const& text) { return parse_rational_function(text, "").as_fraction().first; }

}  // namespace

TEST_SUITE("strand/spelled_factors") {
    // Their product has ten thousand bits where n is 2^64.
    TEST_CASE("as many eigenvalues as a block has") {
        constexpr unsigned count = 70;
        PolynomialRows rows(count);
        std::set<std::string> expected;
        for (unsigned s = 0; s < count; ++s) {
            std::string const eigenvalue = "n + " + std::to_string(s + 1);
            rows[s].emplace_back(s, polynomial(eigenvalue));
            expected.insert(eigenvalue);
        }
        std::set<std::string> found;
        for (auto const& [trace, product] : spelled_factors(rows, std::vector<Polynomial>(count, Polynomial(1)), 0)) {
            CHECK_FALSE(product);
            found.insert(to_string(RationalFunction(trace)));
        }
        CHECK(found == expected);
    }

    // Coefficients are digits to the base 2^64, from -2^63 to 2^63.
    TEST_CASE("eigenvalues of large coefficients of either sign") {
        for (std::string const x :
             {"9*10^18*n - 7*10^18", "-9*10^18*n + 7*10^18", "-9*10^18*n - 9*10^18", "9*10^18*n^2*m - n"}) {
            CAPTURE(x);
            auto const factors = spelled_factors({{{0U, polynomial(x)}}}, {Polynomial(1)}, 1);
            REQUIRE(factors.size() == 1);
            CHECK(factors[0] == DepthFactor{.trace = polynomial(x), .product = std::nullopt});
        }
    }

    // Fibonacci's x^2 - x - 1, and x^2 - n x + n.
    TEST_CASE("factors of degree 2") {
        PolynomialRows rows(4);
        rows[0] = {{0U, Polynomial(1)}, {1U, Polynomial(1)}};
        rows[1] = {{0U, Polynomial(1)}};
        rows[2] = {{3U, Polynomial(1)}};
        rows[3] = {{2U, polynomial("-n")}, {3U, polynomial("n")}};
        auto const factors = spelled_factors(rows, std::vector<Polynomial>(4, Polynomial(1)), 3);
        REQUIRE(factors.size() == 2);
        std::set<std::string> traces;
        for (auto const& [trace, product] : factors) {
            REQUIRE(product);
            traces.insert(to_string(RationalFunction(trace)) + ", " + to_string(RationalFunction(*product)));
        }
        CHECK(traces == std::set<std::string>{"1, -1", "n, n"});
    }

    // 41 numbers of 64 bits are room for degree 40.
    TEST_CASE("entries of too high a degree are refused by name") {
        CHECK_NOTHROW(require_short({{{0U, polynomial("n^40")}}}));
        CHECK_THROWS_WITH_AS(require_short({{{0U, polynomial("n^41")}}}), doctest::Contains("would fill pages"),
                             UnsupportedError);
    }
}
