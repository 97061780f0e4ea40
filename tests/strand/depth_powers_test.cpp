// SPDX-License-Identifier: MIT
// Powers of a matrix with a symbol for the exponent: by hand, and against products of numbers.
#include "strand/depth_powers.hpp"

#include <doctest/doctest.h>

#include <isserlis/ring/parse.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace isserlis;

namespace {

Polynomial polynomial(std::string const& text) { return parse_rational_function(text, "").as_fraction().first; }

PolynomialRows rows_of(std::vector<std::vector<std::string>> const& matrix) {
    PolynomialRows out(matrix.size());
    for (std::size_t s = 0; s < matrix.size(); ++s) {
        for (unsigned t = 0; t < matrix.size(); ++t) {
            Polynomial const x = polynomial(matrix[s][t]);
            if (!x.is_zero()) out[s].emplace_back(t, x);
        }
    }
    return out;
}

std::vector<Polynomial> times(std::vector<Polynomial> const& v, PolynomialRows const& rows) {
    std::vector<Polynomial> out(v.size());
    for (std::size_t s = 0; s < rows.size(); ++s) {
        for (auto const& [t, x] : rows[s]) out[t] = out[t] + v[s] * x;
    }
    return out;
}

/// v (T / d)^L by its digits, as one formula an entry.
std::vector<RationalFunction> symbolic_power(PolynomialRows const& rows, std::vector<Polynomial> const& v,
                                             Polynomial const& d) {
    DepthPowers const powers(depth_factors(rows, v), Exponent::symbol("L"));
    std::vector<RationalFunction> out(v.size());
    auto const add = [&](std::vector<Polynomial> const& at, std::vector<Quadratic> const& digit) {
        for (std::size_t i = 0; i < digit.size(); ++i) {
            for (auto const& term : powers.terms(i, digit[i], d)) {
                RationalFunction const x = term.coefficient * power(term.powers[0].first, term.powers[0].second);
                for (std::size_t s = 0; s < at.size(); ++s) out[s] = out[s] + RationalFunction(at[s]) * x;
            }
        }
    };
    auto w = v;
    DepthDigits digits(powers);
    for (std::size_t j = 0; j < powers.factors().size(); ++j) {
        auto const& [trace, product] = powers.factors()[j];
        auto const digit = digits.next();
        add(w, digit.constant);
        auto const next = times(w, rows);
        auto const twice = times(next, rows);
        if (product) add(next, digit.slope);
        for (std::size_t s = 0; s < w.size(); ++s)
            w[s] = product ? twice[s] - trace * next[s] + *product * w[s] : next[s] - trace * w[s];
    }
    for (auto const& x : w) CHECK(x.is_zero());
    return out;
}

void check_powers(std::vector<std::vector<std::string>> const& matrix, std::vector<std::string> const& start,
                  std::string const& d, std::map<std::string, Rational> values) {
    auto const rows = rows_of(matrix);
    std::vector<Polynomial> v;
    for (auto const& x : start) v.push_back(polynomial(x));
    auto const found = symbolic_power(rows, v, polynomial(d));
    RationalFunction scale(1);
    for (int depth = 0; depth < 6; ++depth) {
        values["L"] = depth;
        CAPTURE(depth);
        for (std::size_t s = 0; s < v.size(); ++s)
            CHECK(found[s].evaluate(values) == RationalFunction(RationalFunction(v[s]) / scale).evaluate(values));
        v = times(v, rows);
        scale = scale * RationalFunction(polynomial(d));
    }
}

}  // namespace

TEST_SUITE("strand/depth_powers") {
    // Fibonacci's numbers: x^2 - x - 1, roots (1 +- sqrt(5))/2, Binet's formula.
    TEST_CASE("an irreducible factor of degree 2") {
        auto const rows = rows_of({{"1", "1"}, {"1", "0"}});
        auto const factors = depth_factors(rows, {Polynomial(1), Polynomial(0)});
        REQUIRE(factors.size() == 1);
        CHECK(factors[0] == DepthFactor{.trace = Polynomial(1), .product = Polynomial(-1)});
        auto const found = symbolic_power(rows, {Polynomial(1), Polynomial(0)}, Polynomial(1));
        CHECK(found[1] == parse_rational_function("((1 + sqrt(5))^L - (1 - sqrt(5))^L)/(2^L*sqrt(5))", ""));
        CHECK(found[1].evaluate({{"L", 30}}) == Surd(832040));
        auto const both = roots(factors[0], Polynomial(2));
        REQUIRE(both.size() == 2);
        CHECK(both[0] == parse_rational_function("(1 + sqrt(5))/4", ""));
        CHECK(both[1] == parse_rational_function("(1 - sqrt(5))/4", ""));
    }

    TEST_CASE("powers at numbers are products") {
        // One factor of degree 2, with symbols, over a denominator.
        check_powers({{"k - 3", "3"}, {"k - 3", "n + 2"}}, {"1", "0"}, "n", {{"n", 5}, {"k", ratio(9, 5)}});
        // Where n is m^2, m^2 + 8 n is a square, and where m is n^2, n^2 + 8 m is.
        check_powers({{"m", "1"}, {"2*n", "0"}}, {"1", "0"}, "1", {{"n", 5}, {"m", 3}});
        check_powers({{"n", "1"}, {"2*m", "0"}}, {"1", "0"}, "1", {{"n", 5}, {"m", 3}});
        // It occurs twice, with an eigenvalue twice beside it.
        check_powers({{"1", "2", "1", "0", "1", "0"},
                      {"1", "4", "0", "1", "0", "0"},
                      {"0", "0", "1", "2", "0", "0"},
                      {"0", "0", "1", "4", "2", "0"},
                      {"0", "0", "0", "0", "n", "1"},
                      {"0", "0", "0", "0", "0", "n"}},
                     {"1", "0", "0", "0", "1", "1"}, "3", {{"n", 7}});
        // Two factors of degree 2.
        check_powers({{"1", "1", "0", "1"}, {"1", "0", "1", "0"}, {"0", "0", "3", "n"}, {"0", "0", "1", "1"}},
                     {"2", "1", "0", "5"}, "2", {{"n", 2}});
        // Two factors of degree 2 whose roots have one sum.
        check_powers({{"1", "1", "1", "0"}, {"1", "0", "0", "0"}, {"0", "0", "1", "3"}, {"0", "0", "1", "0"}},
                     {"1", "2", "0", "1"}, "1", {});
        // A symbol that is in the row vector alone.
        check_powers({{"n", "1"}, {"0", "2"}}, {"m", "m^2 + 3"}, "n", {{"n", 5}, {"m", 7}});
        // Degree 1 alone, an eigenvalue three times.
        check_powers({{"n", "1", "0"}, {"0", "n", "1"}, {"0", "0", "n"}}, {"1", "2", "3"}, "n + 1", {{"n", 3}});
    }

    // The eigenvalues of {{n, 1}, {1, n}} are n + 1 and n - 1, with the row vectors (1, 1) and (1, -1).
    TEST_CASE("states that lead to each other have the eigenvalues of their block") {
        std::vector<std::vector<std::string>> const block{{"n", "1"}, {"1", "n"}};
        CHECK(depth_factors(rows_of(block), {Polynomial(1), Polynomial(1)}) ==
              std::vector{DepthFactor{.trace = polynomial("n + 1"), .product = std::nullopt}});
        CHECK(depth_factors(rows_of(block), {Polynomial(1), Polynomial(0)}).size() == 2);
        check_powers(block, {"1", "0"}, "2", {{"n", 5}});
        // One of them once more, in a state that the block leads to: twice where the block is entered, once where not.
        std::vector<std::vector<std::string>> const tail{{"n", "1", "1"}, {"1", "n", "0"}, {"0", "0", "n + 1"}};
        auto const count = [&](std::vector<Polynomial> const& v) { return depth_factors(rows_of(tail), v).size(); };
        CHECK(count({Polynomial(1), Polynomial(0), Polynomial(0)}) == 3);
        CHECK(count({Polynomial(1), Polynomial(-1), Polynomial(0)}) == 2);
        CHECK(count({Polynomial(0), Polynomial(0), Polynomial(1)}) == 1);
        check_powers(tail, {"1", "0", "2"}, "3", {{"n", 4}});
        // States on the way in, which nothing leads back to.
        check_powers({{"5", "1", "n"}, {"0", "1", "2"}, {"0", "n", "1"}}, {"1", "0", "0"}, "1", {{"n", 3}});
    }

    // x^3 - 2 of the last three states does not matter where they are not entered.
    TEST_CASE("a block that is not entered may be any") {
        auto const rows =
            rows_of({{"n", "0", "0", "0"}, {"0", "0", "1", "0"}, {"0", "0", "0", "1"}, {"0", "2", "0", "0"}});
        std::vector<Polynomial> v(4);
        v[0] = Polynomial(1);
        CHECK(depth_factors(rows, v) == std::vector{DepthFactor{.trace = polynomial("n"), .product = std::nullopt}});
        CHECK(depth_factors(rows, std::vector<Polynomial>(4)).empty());
    }

    // Columns add up to 2, so that (1, 1, 1, 1) stays a multiple of itself; the block's other factor is x^3 + x^2 - 1.
    TEST_CASE("a block may have a factor that is not served and does not matter") {
        auto const rows =
            rows_of({{"0", "1", "1", "0"}, {"0", "0", "1", "0"}, {"2", "0", "0", "1"}, {"0", "1", "0", "1"}});
        CHECK(depth_factors(rows, std::vector<Polynomial>(4, Polynomial(1))) ==
              std::vector{DepthFactor{.trace = Polynomial(2), .product = std::nullopt}});
    }

    // x - 1, x^2 - x + 3, x^2 - x + 5, x - 2, by traces and then products, as polynomials are ordered.
    TEST_CASE("different factors are in one order whatever order they are found in") {
        auto const factor = [](int trace, std::optional<Polynomial> product) {
            return DepthFactor{.trace = Polynomial(trace), .product = std::move(product)};
        };
        REQUIRE(compare(Polynomial(1), Polynomial(2)) < 0);
        REQUIRE(compare(Polynomial(3), Polynomial(5)) < 0);
        std::vector<DepthFactor> const ordered{factor(1, std::nullopt), factor(1, Polynomial(3)),
                                               factor(1, Polynomial(5)), factor(2, std::nullopt)};
        std::vector<std::size_t> order{0, 1, 2, 3};
        do {
            std::vector<DepthFactor> found;
            for (auto const k : order) found.insert(found.end(), 2, ordered[k]);
            DepthPowers const powers(found, Exponent::symbol("L"));
            CHECK(powers.distinct() == ordered);
            CHECK(powers.factors() == found);
        } while (std::next_permutation(order.begin(), order.end()));
    }

    TEST_CASE("a factor of degree 3 is refused by name") {
        auto const rows = rows_of({{"0", "1", "0"}, {"0", "0", "1"}, {"2", "0", "0"}});
        CHECK_THROWS_WITH_AS((void)depth_factors(rows, {Polynomial(1), Polynomial(0), Polynomial(0)}),
                             doctest::Contains("factor of degree above 2"), UnsupportedError);
    }
}
