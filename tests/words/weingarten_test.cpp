// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/ring/parse.hpp>
#include <isserlis/words/weingarten.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace {

using namespace isserlis;
using namespace isserlis::words;

/// Loops of two pairings together, by joining points.
std::size_t loops(Pairing const& p, Pairing const& q) {
    std::vector<std::size_t> root(p.size());
    std::iota(root.begin(), root.end(), 0U);
    for (auto const* pairing : {&p, &q}) {
        for (std::size_t i = 0; i < root.size(); ++i) {
            std::size_t const from = root[i];
            std::size_t const to = root[(*pairing)[i]];
            for (auto& r : root) r = r == from ? to : r;
        }
    }
    return std::set<std::size_t>(root.begin(), root.end()).size();
}

template <class R>
R of(std::vector<R> const& table, unsigned k, Partition const& type) {
    auto const types = all_partitions(k);
    return table[static_cast<std::size_t>(std::find(types.begin(), types.end(), type) - types.begin())];
}

}  // namespace

TEST_SUITE("words/weingarten") {
    // [Collins 2006], the tables of section 6 of the orthogonal group.
    TEST_CASE("formulas of degrees 2, 4 and 6") {
        auto const n = RationalFunction::symbol("n");
        auto const is = [&](unsigned k, Partition const& type, char const* text) {
            CHECK(of(orthogonal_weingarten(k, n), k, type) == parse_rational_function(text, ""));
        };
        is(1, {1}, "1/n");
        is(2, {1, 1}, "(n + 1)/(n*(n - 1)*(n + 2))");
        is(2, {2}, "-1/(n*(n - 1)*(n + 2))");
        is(3, {1, 1, 1}, "(n^2 + 3*n - 2)/(n*(n - 1)*(n - 2)*(n + 2)*(n + 4))");
        is(3, {2, 1}, "-1/(n*(n - 1)*(n - 2)*(n + 4))");
        is(3, {3}, "2/(n*(n - 1)*(n - 2)*(n + 2)*(n + 4))");
    }

    TEST_CASE("orthogonality: the sum over the columns of two equal rows is that of the rest") {
        // sum over q of n^loops(p, q) Wg(q, first) = 1 for p = first, else 0, for every p; over formulas up to degree 8
        for (unsigned k = 1; k <= 4; ++k) {
            auto const n = RationalFunction::symbol("n");
            auto const wg = orthogonal_weingarten(k, n);
            auto const pairings = all_pairings(k);
            for (auto const& p : pairings) {
                RationalFunction sum(0);
                for (auto const& q : pairings)
                    sum = sum + power(n, std::uint64_t{loops(p, q)}) * of(wg, k, coset_type(pairings[0], q));
                CHECK(sum.merged() == RationalFunction(p == pairings[0] ? 1 : 0));
                if (k == 4 && &p - pairings.data() > 20) break;  // all coset types occur before
            }
        }
        for (unsigned k = 5; k <= 6; ++k) {
            Integer const n = 9;
            auto const wg = orthogonal_weingarten(k, n);
            auto const pairings = all_pairings(k);
            for (std::size_t const at : {0U, 1U, 17U, 300U, 900U}) {
                Rational sum = 0;
                for (auto const& q : pairings)
                    sum += Rational(power(n, std::uint64_t{loops(pairings[at], q)})) *
                           of(wg, k, coset_type(pairings[0], q));
                CHECK(sum == (at == 0 ? 1 : 0));
            }
        }
    }

    TEST_CASE("formulas and numbers agree where both hold") {
        for (unsigned k = 1; k <= 6; ++k) {
            auto const formula = orthogonal_weingarten(k, RationalFunction::symbol("n"));
            for (int const n : {6, 7, 20, 101}) {
                auto const numbers = orthogonal_weingarten(k, Integer(n));
                for (std::size_t i = 0; i < numbers.size(); ++i)
                    CHECK(formula[i].evaluate({{"n", Rational(n)}}).to_rational() == numbers[i]);
            }
        }
    }

    TEST_CASE("below k there is an answer too: E o^(2k) of one entry of O(1) is 1, of O(2) that of a cosine") {
        for (unsigned k = 1; k <= 5; ++k) {
            auto const pairings = all_pairings(k);
            for (int const n : {1, 2}) {
                auto const wg = orthogonal_weingarten(k, Integer(n));
                Rational sum = 0;
                for (auto const& q : pairings) sum += of(wg, k, coset_type(pairings[0], q));
                sum *= Rational(static_cast<long>(pairings.size()));
                Rational cosine = 1;  // C(2k, k)/4^k
                for (unsigned j = 1; j <= k; ++j) cosine *= Rational(ratio(2 * j - 1, 2 * j));
                CHECK(sum == (n == 1 ? Rational(1) : cosine));
            }
        }
    }

    TEST_CASE("pairings and partitions are counted") {
        CHECK(all_pairings(4).size() == 105);
        CHECK(all_pairings(5).size() == 945);
        CHECK(all_partitions(6).size() == 11);
        CHECK(all_partitions(3).back() == Partition{1, 1, 1});
    }
}
