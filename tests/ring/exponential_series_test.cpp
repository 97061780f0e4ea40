// SPDX-License-Identifier: MIT
// Expansions of formulas with the growing symbol in exponents, by hand: the logarithm of (1 + c/n)^(a n + m) is
// (a n + m) (c/n - c^2/(2 n^2) + c^3/(3 n^3) - ..), and its constant part is the exponential.
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/exponential_series.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/parse.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace isserlis;

namespace {

RationalFunction formula(std::string const& text) { return parse_rational_function(text, "test"); }

ExpQuotient term(std::string const& base, std::string const& exponent, std::string const& coefficient = "1") {
    ExpPolynomial out;
    out.add({.powers = {{formula(base), as_exponent(formula(exponent))}}, .coefficient = formula(coefficient)});
    return ExpQuotient(out);
}

std::vector<std::string> coefficients(ExpQuotient const& x, std::size_t order, std::string const& n = "n") {
    auto const series = exponential_series(x, n, order);
    std::vector<std::string> out;
    for (std::size_t k = 0; k <= order; ++k) out.push_back(coefficient_text(series, k));
    return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_SUITE("ring/exponential_series") {
    // 5 - 25/(2 n) + 125/(3 n^2), and 125/3 + (25/2)^2/2 = 2875/24; the classical e (1 - 1/(2 n) + 11/(24 n^2)).
    TEST_CASE("an exponential times a series") {
        CHECK(coefficients(term("1 + 5/n", "n"), 2) == Texts{"exp(5)", "-25/2*exp(5)", "2875/24*exp(5)"});
        CHECK(coefficients(term("1 + 1/n", "n"), 2) == Texts{"exp(1)", "-1/2*exp(1)", "11/24*exp(1)"});
        auto const series = exponential_series(term("1 + 5/n", "n", "12/n^2"), "n", 1);
        CHECK(series.leading == -2);
        CHECK(coefficient_text(series, 0) == "12*exp(5)");
    }

    // (2 n + m) (5/n - 25/(2 n^2)) = 10 + (5 m - 25)/n; a base without n is left of powers m alone.
    TEST_CASE("other symbols stay as they are, in exponents too") {
        CHECK(coefficients(term("1 + 5/n", "2*n + m"), 1) == Texts{"exp(10)", "5*(m - 5)*exp(10)"});
        CHECK(coefficients(term("1 + d/n", "n") * term("3", "m"), 0) == Texts{"3^m*exp(d)"});
    }

    // Below: e (1 - 1/(2 n)) + e (1 + 1/(2 n)) = 2 e + 0/n, as n log(1 + 1/n + 1/n^2) = 1 + 1/(2 n).
    TEST_CASE("quotients") {
        auto const below = term("1 + 1/n", "n") + term("1 + 1/n + 1/n^2", "n");
        CHECK(coefficients(term("1 + 5/n", "n") / below, 1) == Texts{"1/2*exp(4)", "-25/4*exp(4)"});
        // Exponentials that differ do not add up to one.
        auto const mixed = term("1 + 5/n", "n") + term("1 - 1/n", "n");
        CHECK(coefficients(mixed, 1) == Texts{"exp(5) + exp(-1)", "-25/2*exp(5) - 1/2*exp(-1)"});
        CHECK_THROWS_WITH_AS((void)coefficients(term("1", "n") / mixed, 1), doctest::Contains("`limit` n"),
                             UnsupportedError);
    }

    TEST_CASE("what is no power times a constant is refused by name") {
        for (auto const& x : {term("2", "n"), term("1 + 1/sqrt(n)", "n"), term("(n + 1)/(2*n)", "n")}) {
            CHECK_THROWS_WITH_AS((void)coefficients(x, 1), doctest::Contains("an exponential of n"), UnsupportedError);
            CHECK_THROWS_AS((void)series_at_infinity(x, "n", 1), UnsupportedError);
        }
        CHECK_THROWS_AS((void)series_at_infinity(term("1 + 5/n", "n + L"), "n", 0), UnsupportedError);
        CHECK(stands_in_exponent(term("1 + 5/n", "n + L"), "L"));
        CHECK(!stands_in_exponent(term("1 + 5/n", "L"), "n"));
    }

    // (1 + 5/n)^n + (1 - 1/n)^n in doubles, by the logarithm: three orders leave an error of the order of 1/n^3.
    TEST_CASE("exact values approach the expansion at the order that it states") {
        auto const series = exponential_series(term("1 + 5/n", "n") + term("1 - 1/n", "n"), "n", 2);
        auto const error = [&](double n) {
            double sum = std::exp(n * std::log1p(5 / n)) + std::exp(n * std::log1p(-1 / n));
            for (std::size_t k = 0; k <= 2; ++k) {
                auto const c = enclose(Expression::parse(coefficient_text(series, k), "test"), 100);
                sum -= mpfr_get_d(c.lower(), MPFR_RNDN) * std::pow(n, -static_cast<double>(k));
            }
            return std::fabs(sum);
        };
        CHECK(error(10'000) < error(1000) / 900);
        CHECK(error(1000) > 0);
    }
}
