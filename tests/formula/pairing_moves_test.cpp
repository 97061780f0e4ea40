// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/pairing_moves.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/strand/expectation.hpp>

#include <string>

using isserlis::BranchMatrix;
using isserlis::Gate;
using isserlis::pairing_move;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::SteppedStage;

TEST_SUITE("formula/pairing_moves") {
    // y' = (1 + w) y, Q' = (1 + w)^2 Q + eta y^2 of single neurons: E (1 + w)^2 = 1 + v, E (1 + w)^4 = 1 + 6v + 3v^2,
    // E (1 + w)^6 = 1 + 15v + 45v^2 + 15v^3, whatever the pairing.
    TEST_CASE("one weight with a skip, by hand") {
        using F = RationalFunction;
        F const v = F::symbol("v");
        F const eta = F::symbol("eta");
        SteppedStage<F> const stage{.matrices = {{.width = F(1), .variance = v, .label_factor = eta}}};
        auto const two = pairing_move<1>(stage, {});
        CHECK(two[0][0] == F(1) + v);
        CHECK(two[0][1] == F(0));
        CHECK(two[1][0] == eta);
        CHECK(two[1][1] == F(1) + v);
        F const four = F(1) + F(6) * v + F(3) * v * v;
        F const six = F(1) + F(15) * v + F(45) * v * v + F(15) * v * v * v;
        CHECK(pairing_move<2>(stage, {})[0][0] == four);
        auto const three = pairing_move<3>(stage, {});
        CHECK(three[0][0] == six);
        // y'^4 Q' = (1 + w)^6 y^4 Q + eta (1 + w)^4 y^6, and y'^2 Q'^2.
        CHECK(three[1][0] == eta * four);
        CHECK(three[2][0] == eta * four);
        CHECK(three[1][1] + three[1][2] == six);
        CHECK(three[6][0] == eta * eta * (F(1) + v));
        CHECK(three[6][1] + three[6][2] == F(2) * eta * four);
        CHECK(three[6][3] + three[6][4] + three[6][5] + three[6][6] == six);
        CHECK(pairing_move<3>(stage, {}, false)[6][0] == F(0));
    }

    // |W x|^2 of n Gaussian rows is v |x|^2 chi^2_n: n, n (n + 2), n (n + 2) (n + 4); one gate layer of m ReLU units below
    // makes a second one by k ~ Bin(m, 1/2): E k = m/2, E k (k + 2) = m (m + 5)/4, E k (k + 2)(k + 4) = m (m + 4)(m + 11)/8.
    TEST_CASE("chi-squares and gates, by hand") {
        using F = RationalFunction;
        F const n = F::symbol("n");
        F const m = F::symbol("m");
        SteppedStage<F> const stage{.matrices = {{.width = m, .variance = F(1)}, {.width = n, .variance = F(1)}},
                                    .skip = false};
        F const two = F(2);
        F const four = F(4);
        CHECK(pairing_move<1>(stage, {})[0][0] == n * m / two);
        CHECK(pairing_move<2>(stage, {})[0][0] == n * (n + two) * m * (m + F(5)) / four);
        CHECK(pairing_move<3>(stage, {})[0][0] == n * (n + two) * (n + four) * m * (m + F(4)) * (m + F(11)) / F(8));
        // Linear gates: m (m + 2) (m + 4) in place of the last.
        CHECK(pairing_move<3>(stage, Gate<F>::open())[0][0] == n * (n + two) * (n + four) * m * (m + two) * (m + four));
    }

    TEST_CASE("sixth orders of residual blocks are those of the strand engine") {
        for (auto const& slope : {Rational(0), ratio(1, 3), Rational(1)}) {
            for (int matrices = 1; matrices <= 3; ++matrices) {
                INFO(matrices, " matrices, slope ", to_string(isserlis::Surd(slope)));
                std::vector<BranchMatrix<Rational>> branch;
                for (int j = 1; j <= matrices; ++j)
                    branch.push_back({.width = Rational(j == matrices ? 3 : 1 + j), .variance = ratio(j + 1, 5)});
                auto const graph = isserlis::residual_graph<Rational, std::uint64_t>(
                    Rational(3), {.kind = isserlis::ActivationKind::leaky, .slope = slope}, {{branch, 1}});
                isserlis::ObservableSetting<Rational> setting;
                setting.inputs.squared_norm = Rational(1);
                auto const move = pairing_move<3>(SteppedStage<Rational>{.matrices = branch}, {Rational(1), slope});
                CHECK(move[0][0] == isserlis::expectation(isserlis::parse_query("(z[i]^2)^3"), graph, setting));
            }
        }
    }
}
