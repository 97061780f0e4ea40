// SPDX-License-Identifier: MIT
// Modulo 2^61 - 1 by hand: 2^61 is 1.
#include "ring/word_modulus.hpp"

#include <doctest/doctest.h>

using namespace isserlis;

TEST_SUITE("ring/word_modulus") {
    constexpr WordModulus::Number prime_word = 2'305'843'009'213'693'951;
    constexpr WordModulus::Number word_half = WordModulus::Number(1) << 60U;

    TEST_CASE("residues of integers") {
        CHECK(WordModulus::of(Integer(0)) == 0);
        CHECK(WordModulus::of(Integer(-1)) == prime_word - 1);
        CHECK(WordModulus::of(Integer(prime_word)) == 0);
        CHECK(WordModulus::of(Integer(prime_word) - 1) == prime_word - 1);
        CHECK(WordModulus::of(Integer(1) << 61U) == 1);
        CHECK(WordModulus::of(Integer(-5) << 70U) == prime_word - 5 * 512);
    }

    TEST_CASE("products and sums") {
        CHECK(WordModulus::product(0, 5) == 0);
        CHECK(WordModulus::product(6, 7) == 42);
        CHECK(WordModulus::product(word_half, 2) == 1);
        CHECK(WordModulus::product(word_half, word_half) == word_half >> 1U);  // 2^120 = 2^59
        CHECK(WordModulus::product(prime_word - 1, prime_word - 1) == 1);
        CHECK(WordModulus::product(prime_word - 1, 2) == prime_word - 2);
        CHECK(WordModulus::product(WordModulus::Number(1) << 35U, WordModulus::Number(1) << 35U) == 512);
        WordModulus::Number sum = prime_word - 6;
        WordModulus::add_product(sum, 2, 3);
        CHECK(sum == 0);
        WordModulus::add_product(sum, prime_word - 1, 4);
        CHECK(sum == prime_word - 4);
        WordModulus::add_product(sum, 3, 3);
        CHECK(sum == 5);
        CHECK(WordModulus::reduced(sum) == 5);
    }

    TEST_CASE("negative numbers, powers and inverses") {
        CHECK(WordModulus::negative(0) == 0);
        CHECK(WordModulus::negative(1) == prime_word - 1);
        CHECK(WordModulus::negative(prime_word - 1) == 1);
        CHECK(WordModulus::power(3, 0) == 1);
        CHECK(WordModulus::power(3, 1) == 3);
        CHECK(WordModulus::power(3, 5) == 243);
        CHECK(WordModulus::power(2, 64) == 8);
        CHECK(WordModulus::power(5, prime_word - 1) == 1);  // Fermat
        CHECK(WordModulus::inverse(1) == 1);
        CHECK(WordModulus::inverse(2) == word_half);
        CHECK(WordModulus::inverse(prime_word - 1) == prime_word - 1);
        CHECK(WordModulus::product(WordModulus::inverse(12345), 12345) == 1);
    }
}
