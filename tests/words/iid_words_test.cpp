// SPDX-License-Identifier: MIT
// Entries of any law beside every matrix of a law on few values.
#include <doctest/doctest.h>

#include <isserlis/ring/polynomial.hpp>
#include <isserlis/words/iid_words.hpp>
#include <isserlis/words/trace_moments.hpp>

#include <string>
#include <vector>

#include "../formula/enumeration.hpp"
#include "oracle.hpp"

namespace {

using namespace isserlis;
using namespace isserlis::words;
using isserlis::testing::DiscreteLaw;
using isserlis::testing::Rows;
using isserlis::testing::traces;
using isserlis::testing::word;

std::vector<Word> words_of(std::vector<std::string> const& texts) {
    std::vector<Word> out;
    for (auto const& text : texts) out.push_back(word(text));
    return out;
}

/// Shapes A a x b, B b x a, and the law of both.
Rational enumerated(std::vector<std::string> const& texts, std::size_t a, std::size_t b, bool two,
                    DiscreteLaw const& law) {
    std::vector<DiscreteLaw> const laws(a * b * (two ? 2 : 1), law);
    Integer total = 1;
    for (std::size_t i = 0; i < laws.size(); ++i) total *= law.total();
    Rational sum = 0;
    isserlis::testing::for_each_assignment(laws, [&](std::vector<int> const& values, std::int64_t weight) {
        Rows x(a, std::vector<Rational>(b));
        Rows y(b, std::vector<Rational>(a));
        for (std::size_t i = 0; i < a * b; ++i) {
            x[i / b][i % b] = values[i];
            if (two) y[i / a][i % a] = values[a * b + i];
        }
        sum += Rational(weight) * isserlis::testing::value_of(words_of(texts), {x, y});
    });
    return sum / Rational(total);
}

Rational exact(std::vector<std::string> const& texts, long a, long b, DiscreteLaw const& law) {
    std::vector<RationalFunction> moments;
    for (unsigned j = 1; j <= 5; ++j)
        moments.emplace_back(Rational(law.moment(2 * j) / power(law.moment(2), std::uint64_t{j})));
    std::vector<Rational> cumulants;
    for (auto const& x : even_cumulants(moments)) cumulants.push_back(x.evaluate({}).to_rational());
    IidWords<Rational> engine({{.rows = 0, .columns = 1}, {.rows = 1, .columns = 0}}, {Rational(a), Rational(b)},
                              {cumulants, cumulants});
    std::size_t letters = 0;
    for (auto const& text : texts) letters += text.size();
    return engine.mean(traces(texts)) * power(law.moment(2), std::uint64_t{letters / 2});
}

}  // namespace

TEST_SUITE("words/iid") {
    TEST_CASE("one matrix beside every sign matrix, and every matrix of 0 and signs") {
        for (auto const& law :
             {isserlis::testing::rademacher(), isserlis::testing::three_point(2, 1), isserlis::testing::four_point()}) {
            for (std::vector<std::string> const& texts : std::vector<std::vector<std::string>>{{"Aa"},
                                                                                               {"AaAa"},
                                                                                               {"AaAaAa"},
                                                                                               {"AaAaAaAa"},
                                                                                               {"AaAaAaAaAa"},
                                                                                               {"Aa", "AaAa"},
                                                                                               {"aA", "aA", "aA"},
                                                                                               {"AaAa", "AaAaAa"}}) {
                CAPTURE(texts.front());
                CHECK(exact(texts, 2, 2, law) == enumerated(texts, 2, 2, false, law));
                CHECK(exact(texts, 1, 3, law) == enumerated(texts, 1, 3, false, law));
            }
            for (std::vector<std::string> const& texts : std::vector<std::vector<std::string>>{
                     {"A", "A"}, {"AAAA"}, {"AA", "A", "A"}, {"AAaA", "AA"}, {"A", "A", "A", "A"}, {"AAaaAA"}})
                CHECK(exact(texts, 2, 2, law) == enumerated(texts, 2, 2, false, law));
        }
    }

    TEST_CASE("two matrices beside every pair of sign matrices") {
        auto const law = isserlis::testing::rademacher();
        for (std::vector<std::string> const& texts : std::vector<std::vector<std::string>>{
                 {"ABAB"}, {"ABba"}, {"ABABABAB"}, {"AB", "AB"}, {"ABbaAB", "AB"}, {"AaAaBb", "AB", "AB"}})
            CHECK(exact(texts, 2, 2, law) == enumerated(texts, 2, 2, true, law));
        CHECK(exact({"ABABABAB"}, 2, 3, law) == enumerated({"ABABABAB"}, 2, 3, true, law));
    }

    // C is diagonal, with entries 2 and -3: every sign matrix is multiplied out.
    TEST_CASE("fixed diagonal matrices between the letters") {
        auto const law = isserlis::testing::three_point(2, 1);
        std::vector<Rational> const diagonal{2, -3};
        std::vector<Rational> cumulants;
        for (auto const& x : even_cumulants({1, 2, 4, 8})) cumulants.push_back(x.evaluate({}).to_rational());
        IidWords<Rational> engine({{.rows = 0, .columns = 0}, {}, {.rows = 0, .columns = 0}}, {Rational(2)},
                                  {cumulants, {}, {}},
                                  {.trace =
                                       [&](Word const& w) {
                                           return Rational(power(diagonal[0], std::uint64_t{w.size()}) +
                                                           power(diagonal[1], std::uint64_t{w.size()}));
                                       },
                                   .sum = {},
                                   .is_diagonal = {},
                                   .unit_of = {}});
        auto const fixed = [](std::vector<Word> product) {
            for (auto& w : product) {
                for (auto& x : w) x = matrix_of(x) == 2 ? fixed_letter(2) : x;
            }
            return product;
        };
        for (std::vector<std::string> const& texts : std::vector<std::vector<std::string>>{
                 {"ACaC"}, {"ACa"}, {"AaCAaC"}, {"ACaCCAa"}, {"AC", "AC"}, {"C", "AaAa"}, {"ACACaaC"}, {"CAaCAaCAa"}}) {
            std::vector<DiscreteLaw> const laws(4, law);
            Rational sum = 0;
            Integer total = 0;
            isserlis::testing::for_each_assignment(laws, [&](std::vector<int> const& values, std::int64_t weight) {
                Rows const a{{values[0], values[1]}, {values[2], values[3]}};
                Rows const c{{2, 0}, {0, -3}};
                sum += Rational(weight) * isserlis::testing::value_of(words_of(texts), {a, a, c});
                total += weight;
            });
            std::size_t letters = 0;
            for (auto const& text : texts) {
                for (char const x : text) letters += x == 'C' ? 0U : 1U;
            }
            CAPTURE(texts.front());
            CHECK(engine.mean(traces(fixed(words_of(texts)))) * power(law.moment(2), std::uint64_t{letters / 2}) ==
                  sum / Rational(total));
        }
    }

    TEST_CASE("cumulants of known laws") {
        auto const cumulants = [](std::vector<RationalFunction> const& moments) {
            std::string out;
            for (auto const& x : even_cumulants(moments)) out += to_string(x) + " ";
            return out;
        };
        CHECK(cumulants({1, 3, 15, 105}) == "1 0 0 0 ");
        CHECK(cumulants({1, 1, 1, 1}) == "1 -2 16 -272 ");  // log cosh
        // log of 1/(1 - t^2/2): (2j - 1)! 2^(1 - j)
        CHECK(cumulants({1, 6, 90, 2520}) == "1 3 30 630 ");
    }
}
