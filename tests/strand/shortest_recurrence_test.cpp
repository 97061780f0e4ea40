// SPDX-License-Identifier: MIT
// Shortest recurrences modulo a prime: by hand, and against all recurrences there are modulo 3.
#include "strand/shortest_recurrence.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "ring/word_modulus.hpp"

using namespace isserlis;

namespace {

/// Modulo 3, where there are few sequences.
struct ModulusThree {
    using Number = std::uint64_t;
    static void add_product(Number& sum, Number x, Number y) { sum += x * y; }
    static Number reduced(Number x) { return x % 3; }
    static Number negative(Number x) { return x == 0 ? 0 : 3 - x; }
    static Number inverse(Number x) { return x; }  // 1 and 2 = -1
};

using Sequence = std::vector<std::uint64_t>;

/// The k-th of the sequences of so many numbers modulo 3.
Sequence sequence_of(std::size_t size, std::size_t k) {
    Sequence out(size);
    for (auto& x : out) {
        x = k % 3;
        k /= 3;
    }
    return out;
}

/// s_k + c_0 s_(k-1) + .. = 0 for all k from the length of c on.
bool satisfies(Sequence const& s, Sequence const& c) {
    for (std::size_t k = c.size(); k < s.size(); ++k) {
        std::uint64_t sum = s[k];
        for (std::size_t i = 0; i < c.size(); ++i) sum += c[i] * s[k - 1 - i];
        if (sum % 3 != 0) return false;
    }
    return true;
}

/// By trying all.
std::size_t shortest_length(Sequence const& s) {
    for (std::size_t length = 0, count = 1;; ++length, count *= 3) {
        for (std::size_t k = 0; k < count; ++k)
            if (satisfies(s, sequence_of(length, k))) return length;
    }
}

Sequence word_recurrence(std::vector<std::uint64_t> const& eigenvalues, std::size_t least, std::size_t predicted) {
    NumberedRows<WordModulus> of{.v = {}, .rows = {}};
    for (unsigned s = 0; s < eigenvalues.size(); ++s) {
        of.v.push_back(1);
        of.rows.push_back({{s, eigenvalues[s]}});
    }
    return shortest_recurrence(of, WordModulus(), least, predicted);
}

std::uint64_t minus(std::uint64_t x) { return WordModulus::negative(x); }

}  // namespace

TEST_SUITE("strand/shortest_recurrence") {
    TEST_CASE("all sequences of six numbers modulo 3") {
        constexpr std::size_t size = 6;
        constexpr std::size_t count = 729;
        ModulusThree const mod;
        for (std::size_t k = 0; k < count; ++k) {
            Sequence const all = sequence_of(size, k);
            ShortestRecurrence<ModulusThree> found(mod);
            Sequence s;
            bool good = true;
            for (auto const x : all) {
                found.add(x);
                s.push_back(x);
                Sequence const c = found.coefficients();
                Sequence rest(c.begin() + 1, c.end());
                while (rest.size() > found.length() && rest.back() == 0) rest.pop_back();
                rest.resize(found.length(), 0);
                good = good && c.size() <= found.length() + 1 && c[0] == 1 && satisfies(s, rest) &&
                       found.length() == shortest_length(s);
            }
            CAPTURE(k);
            CHECK(good);
        }
    }

    TEST_CASE("Fibonacci's numbers and the powers of 2") {
        WordModulus const mod;
        ShortestRecurrence<WordModulus> fibonacci(mod);
        ShortestRecurrence<WordModulus> powers(mod);
        for (std::uint64_t const x : Sequence{1, 1, 2, 3, 5, 8, 13}) fibonacci.add(x);
        for (std::uint64_t const x : Sequence{3, 6, 12, 24, 48}) powers.add(x);
        CHECK(fibonacci.length() == 2);
        CHECK(fibonacci.coefficients() == Sequence{1, minus(1), minus(1)});
        CHECK(powers.length() == 1);
        CHECK(powers.coefficients() == Sequence{1, minus(2)});
    }

    // (x - 2) (x - 3) (x - 5) = x^3 - 10 x^2 + 31 x - 30
    TEST_CASE("the least polynomial of a row vector") {
        CHECK(word_recurrence({2, 3, 5}, 0, 8) == Sequence{1, minus(10), 31, minus(30)});
        CHECK(word_recurrence({2, 3, 5}, 3, 0) == Sequence{1, minus(10), 31, minus(30)});
        CHECK(word_recurrence({2, 3, 2}, 0, 8) == Sequence{1, minus(5), 6});
        // times (x - 7) (x - 11) = x^2 - 18 x + 77
        CHECK(word_recurrence({2, 3, 5, 7, 11}, 0, 8) == Sequence{1, minus(28), 288, minus(1358), 2927, minus(2310)});
        CHECK(word_recurrence({4}, 0, 8) == Sequence{1, minus(4)});
        // Beyond as many terms as states ask for, it is settled.
        CHECK(word_recurrence({2, 3, 5}, 1000, 0).size() == 4);
        // No term is asked for.
        CHECK(word_recurrence({2, 3, 5}, 0, 0) == Sequence{1});
        // Nothing but zeros.
        NumberedRows<WordModulus> const none{.v = {0, 0}, .rows = {{{0U, 1}}, {{1U, 2}}}};
        CHECK(shortest_recurrence(none, WordModulus(), 0, 8) == Sequence{1});
        // (1, 1) {{1, 1}, {1, 0}} = (2, 1), (3, 2), ..: Fibonacci's numbers, whatever is read of them
        NumberedRows<WordModulus> const both{.v = {1, 1}, .rows = {{{0U, 1}, {1U, 1}}, {{0U, 1}}}};
        CHECK(shortest_recurrence(both, WordModulus(), 0, 8) == Sequence{1, minus(1), minus(1)});
    }
}
