// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/ring/product_tree.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Integer;
using isserlis::product_tree;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

/// Words under concatenation: the free product that commutes least.
struct Word {
    std::string letters;
    Word() = default;
    explicit Word(int /*one*/) {}
    explicit Word(std::string text) : letters(std::move(text)) {}
    friend Word operator*(Word const& a, Word const& b) { return Word(a.letters + b.letters); }
};

template <class T>
T left_to_right(std::vector<T> const& factors) {
    T out(1);
    for (auto const& f : factors) out = out * f;
    return out;
}

}  // namespace

TEST_SUITE("ring/product_tree") {
    TEST_CASE("an empty product is one") {
        CHECK(product_tree(std::vector<Integer>{}) == 1);
        CHECK(product_tree(std::vector<Rational>{}) == Rational(1));
        CHECK(product_tree(std::vector<Surd>{}) == Surd(1));
        CHECK(product_tree(std::vector<double>{}) == 1.0);
    }

    TEST_CASE("the order of the factors is kept") {
        std::vector<Word> words;
        std::string expected;
        for (char c = 'a'; c <= 'q'; ++c) {
            words.emplace_back(std::string(1, c));
            expected += c;
            CHECK(product_tree(words).letters == expected);
        }
    }

    // Runs of factors are multiplied in machine words first.
    TEST_CASE("integer products equal the product from left to right, around the size of a machine word too") {
        holds([] {
            std::vector<Integer> factors;
            for (int i = any_int(0, 150); i > 0; --i) {
                Integer const word = isserlis::power(Integer(2), 64);
                switch (any_int(0, 7)) {
                    case 0: factors.push_back(word - any_int(0, 2)); break;
                    case 1: factors.push_back(word + any_int(0, 2)); break;
                    case 2: factors.push_back(Integer(any_int(-9, -1))); break;
                    case 3: factors.push_back(isserlis::testing::integer_of_digits(40)); break;
                    default: factors.push_back(Integer(any_int(1, 1'000'000'000)));
                }
            }
            RC_ASSERT(product_tree(factors) == left_to_right(factors));
        });
        CHECK(product_tree(std::vector<Integer>{3, 0, 5}) == 0);
        CHECK(product_tree(std::vector<Integer>{-3}) == -3);
    }

    TEST_CASE("rational products equal the product from left to right, in lowest terms") {
        holds([] {
            std::vector<Rational> factors;
            for (int i = any_int(0, 12); i > 0; --i) factors.push_back(isserlis::testing::any_rational());
            Rational const product = product_tree(factors);
            RC_ASSERT(product == left_to_right(factors));
            RC_ASSERT(gcd(isserlis::numerator_of(product), isserlis::denominator_of(product)) == 1);
        });
    }

    // prod_{k=1..n} k/(k+1) = 1/(n+1), telescoping.
    TEST_CASE("a telescoping product of ten thousand fractions collapses") {
        std::vector<Rational> factors;
        for (int k = 1; k <= 10'000; ++k) factors.push_back(ratio(k, k + 1));
        CHECK(product_tree(factors) == ratio(1, 10'001));
    }

    TEST_CASE("products of surds equal the product from left to right, sums of roots and zeros included") {
        holds([] {
            std::vector<Surd> factors;
            for (int i = any_int(0, 10); i > 0; --i) {
                factors.push_back(any_int(0, 3) == 0
                                      ? isserlis::testing::any_surd(3)
                                      : Surd::monomial(isserlis::testing::any_rational(), any_int(1, 60)));
            }
            RC_ASSERT(product_tree(factors) == left_to_right(factors));
        });
        // (1 + sqrt 2)(1 - sqrt 2) = -1, between factors with one root each.
        Surd const root = isserlis::sqrt(Rational(2));
        CHECK(product_tree(std::vector<Surd>{root, Surd(1) + root, root, Surd(1) - root}) == Surd(-2));
    }
}
