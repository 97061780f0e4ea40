// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/transfer_moves.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

using namespace isserlis;

TEST_SUITE("formula/transfer_moves") {
    // By hand: n = 2 rows, v = 3, kappa = 5 on (m; a, b, d) = (1; 2, 1, 1): E G_ii^2 = 9 (2 + 2) + 18 = 54, so
    // a' = 2*54 + 2*9*2 = 144, b' = 2*54 + 2*9*1 = 126, d' = 108.
    TEST_CASE_TEMPLATE("a weight matrix acts as computed by hand", R, Rational, double, Surd, RationalFunction) {
        TransferState<R> const before{.mean = R(1), .squared = R(2), .crossed = R(1), .diagonal = R(1)};
        auto const after = weight_move(R(2), R(3), R(5)) * before;
        CHECK(after.mean == R(6));
        CHECK(after.squared == R(144));
        CHECK(after.crossed == R(126));
        CHECK(after.diagonal == R(108));
    }

    // By hand: ReLU has g2 = g4 = 1/2, so a' = a/4 + d/4, b' = b/4 + d/4, d' = d/2.
    TEST_CASE_TEMPLATE("gates act as computed by hand; slope 1 does nothing", R, Rational, double, Surd,
                       RationalFunction) {
        TransferState<R> const before{.mean = R(4), .squared = R(16), .crossed = R(12), .diagonal = R(8)};
        CHECK(gate_move(Gate<R>{}) * before ==
              TransferState<R>{.mean = R(2), .squared = R(6), .crossed = R(5), .diagonal = R(4)});
        CHECK(gate_move(Gate<R>::open()) * before == before);
    }

    // Residual.md, section 2, LAYER: m' = n g2 v m, D = n g4 [v^2 (a + 2b) + e d], a' = D + n(n-1) g2^2 v^2 a.
    TEST_CASE("weights and gates together are the LAYER move of the specification, in symbols") {
        auto const s = [](char const* name) { return RationalFunction::symbol(name); };
        auto const n = s("n");
        auto const v = s("v");
        auto const kappa = s("kappa");
        auto const slope = s("s");
        TransferState<RationalFunction> const g{
            .mean = s("m"), .squared = s("a"), .crossed = s("b"), .diagonal = s("d")};
        auto const out = gate_move(Gate<RationalFunction>{1, slope}) * (weight_move(n, v, kappa) * g);
        auto const g2 = (1 + slope * slope) / 2;
        auto const g4 = (1 + power(slope, 4)) / 2;
        auto const diagonal = n * g4 * (v * v * (g.squared + 2 * g.crossed) + (kappa - 3) * v * v * g.diagonal);
        auto const pairs = n * (n - 1) * g2 * g2 * v * v;
        CHECK(out.mean == n * g2 * v * g.mean);
        CHECK(out.squared == diagonal + pairs * g.squared);
        CHECK(out.crossed == diagonal + pairs * g.crossed);
        CHECK(out.diagonal == diagonal);
    }

    // By hand: y + w y for one neuron and one weight w of variance v and kurtosis kappa: E (1 + w)^2 = 1 + v,
    // E (1 + w)^4 = 1 + 6 v + kappa v^2.
    TEST_CASE("a skip around one weight has the moments of 1 + w") {
        auto const v = RationalFunction::symbol("v");
        auto const kappa = RationalFunction::symbol("kappa");
        RationalFunction const one(1);
        auto const out = skip_move(one, weight_move(one, v, kappa)) * input_state(one, one);
        CHECK(out.mean == 1 + v);
        for (auto const& x : {out.squared, out.crossed, out.diagonal}) CHECK(x == 1 + 6 * v + kappa * v * v);
    }

    // By hand on (m; a, b, d) = (1; 2, 3, 5): M of 2 x 2 entries of variance 3/2 and kurtosis 5 has mu = 3, and as above D = 2 (9/4 8
    // + 9/2 5) = 81 in M G M^T, a = 81 + 9, b = 81 + 27/2. Of second order: 2 mu a + 4 mu b/n; 2 mu b + 2 mu (a + b)/n; and of
    // (MG)_ii^2 and G_ii (M G M^T)_ii, 4 mu b/n + 2 mu a/n.
    TEST_CASE("a skip around a matrix of two columns by hand") {
        TransferState<Rational> const before{.mean = 1, .squared = 2, .crossed = 3, .diagonal = 5};
        auto const after = skip_move<Rational>(ratio(1, 2), weight_move<Rational>(2, ratio(3, 2), 5)) * before;
        CHECK(after.mean == 1 + 3);
        CHECK(after.squared == 2 + 12 + 18 + 90);
        CHECK(after.crossed == 3 + 18 + 15 + ratio(189, 2));
        CHECK(after.diagonal == 5 + 18 + 6 + 81);
    }

    // By hand: the pair (y, w y): |.|^2 = y^2 (1 + w^2), sum of fourth powers y^4 (1 + w^4).
    TEST_CASE("a concatenation of one neuron and its multiple has the moments of (1, w)") {
        auto const v = RationalFunction::symbol("v");
        auto const kappa = RationalFunction::symbol("kappa");
        RationalFunction const one(1);
        auto const out = concatenation_move(weight_move(one, v, kappa)) * input_state(one, one);
        CHECK(out.mean == 1 + v);
        CHECK(out.squared == 1 + 2 * v + kappa * v * v);
        CHECK(out.crossed == out.squared);
        CHECK(out.diagonal == 1 + kappa * v * v);
    }

    // By hand: outputs u y and (w y) read by w2: dense network y^1 = w y^0, y^2 = u1 y^0 + u2 y^1, all of width 1:
    // d y^2/d y^0 = u1 + u2 w, E(.)^2 = v2 + v2 v1, E(.)^4 = kappa v2^2 + 6 v2 v2 v1 + kappa^2 v2^2 v1^2.
    TEST_CASE("the backward pool of a dense network of width 1 has the moments of u1 + u2 w") {
        auto const v1 = RationalFunction::symbol("v1");
        auto const v2 = RationalFunction::symbol("v2");
        auto const kappa = RationalFunction::symbol("kappa");
        RationalFunction const one(1);
        auto const top = pooled_move(v2, kappa) * output_state(one);
        auto const both = backward_concatenation_move(one, Gate<RationalFunction>::open(), v1, kappa) * top;
        auto const input = pool_rows_move(one) * both;
        CHECK(input.mean == v2 + v2 * v1);
        CHECK(input.squared == v2 * v2 * (kappa + 6 * v1 + kappa * kappa * v1 * v1));
    }

    TEST_CASE("moves compose as they act, and the empty move does nothing") {
        auto const x = weight_move<Rational>(3, ratio(1, 2), 6);
        auto const y = gate_move<Rational>({1, ratio(1, 3)});
        auto const state = input_state<Rational>(2, 3);
        CHECK((x * y) * state == x * (y * state));
        CHECK(TransferMove<Rational>() * state == state);
        CHECK(TransferMove<Rational>() * x == x);
        CHECK(output_state<Rational>(3) ==
              TransferState<Rational>{.mean = 3, .squared = 9, .crossed = 3, .diagonal = 3});
    }
}
