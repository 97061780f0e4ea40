// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/words/gaussian_words.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "../ring/property.hpp"
#include "oracle.hpp"

namespace {

using namespace isserlis;
using namespace isserlis::words;
using isserlis::testing::complex_word;
using isserlis::testing::holds;
using isserlis::testing::mean_by_pairings;
using isserlis::testing::traces;
using isserlis::testing::word;

std::string repeated(std::string const& text, int k) {
    std::string out;
    for (int i = 0; i < k; ++i) out += text;
    return out;
}

/// E of the product for an A of shape a x b, as text.
std::string formula(TraceProduct const& product, bool complex = false) {
    GaussianWords<Polynomial> engine({{.rows = 0, .columns = 1, .complex = complex}},
                                     {Polynomial::variable("a"), Polynomial::variable("b")});
    return to_string(RationalFunction(engine.mean(product)));
}

bool same(std::string const& formula_text, std::string const& expected) {
    return parse_rational_function(formula_text, "") == parse_rational_function(expected, "");
}

}  // namespace

TEST_SUITE("words/gaussian") {
    // k = 1, 2, 3 by hand (docs/random_matrices.md).
    TEST_CASE("powers of a Wishart matrix") {
        CHECK(same(formula(traces({"Aa"})), "a*b"));
        CHECK(same(formula(traces({"AaAa"})), "a*b*(a + b + 1)"));
        CHECK(same(formula(traces({"AaAaAa"})), "a*b*(a^2 + b^2 + 3*a*b + 3*a + 3*b + 4)"));
    }

    TEST_CASE("the trace of a cube is not the cube of a trace, whose law is a chi-square's") {
        // E q (q + 2) (q + 4) for q = a b degrees of freedom
        CHECK(same(formula(traces({"Aa", "Aa", "Aa"})), "a*b*(a*b + 2)*(a*b + 4)"));
    }

    // One row: W W^T is a chi-square with b degrees of freedom. One column: as its transpose.
    TEST_CASE("powers up to 12 are moments of a chi-square when the matrix has one row") {
        for (int k = 1; k <= 12; ++k) {
            GaussianWords<Rational> row({{.rows = 0, .columns = 1}}, {Rational(1), Rational(5)});
            Rational moment = 1;
            for (int j = 0; j < k; ++j) moment *= 5 + 2 * j;
            CHECK(row.mean(traces({repeated("Aa", k)})) == moment);
            GaussianWords<Rational> column({{.rows = 0, .columns = 1}}, {Rational(5), Rational(1)});
            CHECK(column.mean(traces({repeated("Aa", k)})) == moment);
        }
    }

    TEST_CASE("the sum of the coefficients of E tr (W W^T)^k is the number of pairings, (2k - 1)!!") {
        for (int k = 1; k <= 9; ++k) {
            GaussianWords<Rational> engine({{.rows = 0, .columns = 0}}, {Rational(1)});
            Rational pairings = 1;
            for (int j = 1; j < 2 * k; j += 2) pairings *= j;
            CHECK(engine.mean(traces({repeated("Aa", k)})) == pairings);
        }
    }

    TEST_CASE("words in two matrices, by hand") {
        GaussianWords<Polynomial> engine({{.rows = 0, .columns = 1}, {.rows = 1, .columns = 0}},
                                         {Polynomial::variable("a"), Polynomial::variable("b")});
        auto const mean = [&](std::vector<std::string> const& texts) {
            return to_string(RationalFunction(engine.mean(traces(texts))));
        };
        // a_ij b_jk a_kl b_li: (i, j) = (k, l), then b_jk b_li pairs by itself
        CHECK(mean({"ABAB"}) == "a*b");
        // |A B|^2, each of the b a a entries of products of variance 1
        CHECK(same(mean({"ABba"}), "a^2*b"));
        CHECK(mean({"AB"}) == "0");
        CHECK(mean({"A", "B"}) == "0");
    }

    // By hand: E tr (W W^H)^3 = ab (a^2 + 3ab + b^2 + 1), of the six permutations of three letters.
    TEST_CASE("powers of a complex Wishart matrix") {
        auto const power_of = [](int k) { return formula(traces({complex_word(repeated("Aa", k))}), true); };
        CHECK(same(power_of(1), "a*b"));
        CHECK(same(power_of(2), "a*b*(a + b)"));
        CHECK(same(power_of(3), "a*b*(a^2 + 3*a*b + b^2 + 1)"));
        CHECK(same(power_of(4), "a*b*(a^3 + 6*a^2*b + 6*a*b^2 + b^3 + 5*a + 5*b)"));
        CHECK(same(power_of(5), "a*b*(a^4 + 10*a^3*b + 20*a^2*b^2 + 10*a*b^3 + b^4 + 15*a^2 + 40*a*b + 15*b^2 + 8)"));
        // One row: a Gamma variable, whose moments are b (b + 1) .. (b + k - 1).
        GaussianWords<Rational> row({{.rows = 0, .columns = 1, .complex = true}}, {Rational(1), Rational(5)});
        CHECK(row.mean(traces({complex_word(repeated("Aa", 5))})) == 5 * 6 * 7 * 8 * 9);
    }

    TEST_CASE("property: any product of words is the sum over all pairings, real and complex") {
        holds([] {
            // Matrices of shapes a x b, b x a and a x a: between two indices of sizes a and b there is always a letter.
            bool const complex = *rc::gen::arbitrary<bool>();
            std::vector<WordMatrix> shapes{
                {.rows = 0, .columns = 1}, {.rows = 1, .columns = 0}, {.rows = 0, .columns = 0}};
            shapes[0].complex = complex;
            std::vector<long> const sizes{*rc::gen::inRange(1L, 5L), *rc::gen::inRange(1L, 5L)};
            std::vector<Word> product;
            std::size_t left = 8;
            while (left > 0 && (product.empty() || *rc::gen::inRange(0, 3) > 0)) {
                Word w;
                std::size_t at = 0;
                auto const length = *rc::gen::inRange<std::size_t>(1, left + 1);
                while (w.size() < length || at != 0) {
                    std::vector<Letter> next;
                    for (std::size_t m = 0; m < shapes.size(); ++m) {
                        for (bool const t : {false, true}) {
                            for (bool const c : {false, true}) {
                                Letter const x = letter(m, t, c && shapes[m].complex);
                                if (shapes[m].rows_of(x) == at) next.push_back(x);
                            }
                        }
                    }
                    w += *rc::gen::elementOf(next);
                    at = shapes[matrix_of(w.back())].columns_of(w.back());
                }
                product.push_back(w);
                left -= std::min(left, w.size());
            }
            std::size_t letters = 0;
            for (auto const& w : product) letters += w.size();
            RC_PRE(letters <= 12);
            GaussianWords<Rational> engine(shapes, {Rational(sizes[0]), Rational(sizes[1])});
            RC_ASSERT(engine.mean(traces(product)) == Rational(mean_by_pairings(product, shapes, sizes)));
        });
    }

    TEST_CASE("the canonical word has the trace of all its rotations and of its transpose") {
        Word const w = word("ABbaAC");
        for (std::size_t i = 0; i < w.size(); ++i) {
            Word const rotated = w.substr(i) + w.substr(0, i);
            CHECK(canonical(rotated) == canonical(w));
            CHECK(canonical(transposed(rotated)) == canonical(w));
        }
        CHECK(canonical(word("ABA")) != canonical(word("AAb")));
    }

    TEST_CASE("too many different products are refused, not waited for") {
        GaussianWords<Rational> engine({{.rows = 0, .columns = 0}, {.rows = 0, .columns = 0}}, {Rational(3)});
        std::vector<std::string> many;
        for (int i = 0; i < 6; ++i) many.insert(many.end(), {"A", "A", "AAB", "AAA", "BABb"});
        CHECK_THROWS_AS((void)engine.mean(traces(many)), UnsupportedError);
    }
}
