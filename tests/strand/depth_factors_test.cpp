// SPDX-License-Identifier: MIT
// Eigenvalues from the blocks of a matrix, where the whole of it is too large to be spelled.
#include "strand/depth_factors.hpp"

#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>

#include <set>
#include <string>
#include <vector>

#include "strand/spelled_factors.hpp"

using namespace isserlis;

namespace {

Polynomial entry(std::string const& text) { return parse_rational_function(text, "").as_fraction().first; }

std::multiset<std::string> texts_of(std::vector<DepthFactor> const& factors) {
    std::multiset<std::string> out;
    for (auto const& [trace, product] : factors) {
        std::string const text = to_string(RationalFunction(trace));
        out.insert(product ? text + ", " + to_string(RationalFunction(*product)) : text);
    }
    return out;
}

}  // namespace

TEST_SUITE("strand/depth_factors") {
    // The factors of the blocks: x^2 - m x - n of {{m, 1}, {n, 0}}; n + 1 and n - 1 of {{n, 1}, {1, n}}.
    TEST_CASE("of blocks, by hand") {
        for (unsigned const before : {0U, 3U}) {
            CAPTURE(before);
            unsigned const first = before + 15;  // of 30 states by themselves
            unsigned const size = first + 30;
            PolynomialRows rows(size);
            std::vector<Polynomial> v(size, Polynomial(1));
            std::multiset<std::string> expected;
            auto const put = [&](unsigned s, unsigned t, std::string const& x) {
                rows[before + s].emplace_back(before + t, entry(x));
            };
            // x^3 - 2, not entered and last among the blocks.
            if (before == 3) {
                for (unsigned s = 0; s < 3; ++s) {
                    rows[s].emplace_back((s + 1) % 3, Polynomial(s == 2 ? 2 : 1));
                    v[s] = Polynomial();
                }
            }
            // A block around a state that it leads to; another one, and it once more behind it.
            put(0, 0, "m");
            put(0, 1, "3");
            put(0, 2, "1");
            put(2, 0, "2*n");
            put(2, 3, "1");
            put(1, 1, "1");
            put(3, 3, "m");
            put(3, 4, "1");
            put(4, 3, "n");
            put(4, 5, "1");
            put(5, 5, "m");
            put(5, 6, "1");
            put(6, 5, "n");
            for (std::string const x : {"m, -2*n", "m, -n", "m, -n", "1"}) expected.insert(x);
            // A block that splits, with one of its eigenvalues before it; (1, 1) would have no other.
            put(7, 7, "n");
            put(7, 8, "1");
            put(8, 7, "1");
            put(8, 8, "n");
            put(9, 7, "5");
            put(9, 9, "n + 1");
            v[before + 7] = Polynomial(2);
            for (std::string const x : {"n + 1", "n + 1", "n - 1"}) expected.insert(x);
            // States by themselves; the last one is left at once.
            put(10, 10, "n");
            put(11, 11, "2");
            put(12, 12, "m");
            put(13, 13, "-3*m*n^2");
            for (std::string const x : {"n", "2", "m", "-3*m*n^2", "0"})
                expected.insert(to_string(RationalFunction(entry(x))));
            for (unsigned s = first; s < size; ++s) {
                std::string const x = "n^19 + " + std::to_string(s);
                rows[s].emplace_back(s, entry(x));
                expected.insert(x);
            }
            CHECK(texts_of(depth_factors(rows, v)) == expected);
            CHECK_THROWS_AS((void)spelled_factors(rows, v, 0), UnsupportedError);
        }
    }

    // (1, 39) is a row vector of {{1, 1521}, {1, 1}} and 40, which has -38 as well.
    TEST_CASE("a block that is read from a start of its own") {
        PolynomialRows const rows{{{0U, Polynomial(1)}, {1U, Polynomial(1521)}},
                                  {{0U, Polynomial(1)}, {1U, Polynomial(1)}}};
        CHECK(texts_of(depth_factors(rows, {Polynomial(1), Polynomial(0)})) == std::multiset<std::string>{"40", "-38"});
        CHECK(texts_of(depth_factors(rows, {Polynomial(1), Polynomial(39)})) == std::multiset<std::string>{"40"});
        CHECK(texts_of(depth_factors(rows, {Polynomial(1), Polynomial(-39)})) == std::multiset<std::string>{"-38"});
    }

    // 41 numbers are room for n^40, not for its square.
    TEST_CASE("a block that splits, with entries of the highest degree") {
        PolynomialRows const rows{{{0U, entry("n^40")}, {1U, Polynomial(1)}},
                                  {{0U, Polynomial(1)}, {1U, entry("n^40")}}};
        CHECK(texts_of(depth_factors(rows, {Polynomial(1), Polynomial(0)})) ==
              std::multiset<std::string>{"n^40 - 1", "n^40 + 1"});
    }

    TEST_CASE("factors are equal in both coefficients") {
        DepthFactor const one{.trace = entry("n"), .product = std::nullopt};
        DepthFactor const two{.trace = entry("n"), .product = entry("m")};
        CHECK(one == one);
        CHECK(two == two);
        CHECK_FALSE(one == two);
        CHECK_FALSE(two == DepthFactor{.trace = entry("n"), .product = entry("n")});
        CHECK_FALSE(two == DepthFactor{.trace = entry("m"), .product = entry("m")});
    }
}
