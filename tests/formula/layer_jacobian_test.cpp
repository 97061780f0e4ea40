// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/layer_jacobian.hpp>

#include <algorithm>

#include "jacobian_networks.hpp"

using namespace isserlis;
using isserlis::testing::AnyNetwork;
using isserlis::testing::Net;

TEST_SUITE("formula/layer_jacobian") {
    // By hand: y = w x with one weight, x = 2: J = x, ||J||^2 = 4; y^2 = 4 w^2, E y^4 = 16 kappa v^2; the gradient of
    // (y - t)^2/2 is (w x - t) x, its mean square v x^4 + T x^2 = 16 v + 4 T.
    TEST_CASE_TEMPLATE("one weight between two neurons", N, Fractions<Rational>, Fractions<Surd>,
                       Fractions<RationalFunction>) {
        using R = typename N::Value;
        R const v = R(3);
        R const kappa = R(5);
        auto const out = layer_jacobian<N>({.input = carried<N>(input_state(R(4), R(16))),
                                            .output = carried<N>(output_state(R(1))),
                                            .variance = v,
                                            .kurtosis = kappa,
                                            .bypass = R(0)},
                                           R(7));
        CHECK(out.jacobian == NormMoments<R>{.mean = R(4), .second = R(16), .variance = R(0)});
        CHECK(out.reduced == NormMoments<R>{.mean = R(12), .second = R(720), .variance = R(576)});
        CHECK(out.gradient_squared_mean == R(48 + 28));
        auto const bounds = variance_bounds(out.reduced, v, kappa, kappa);
        CHECK(bounds.upper == R(64));
        CHECK(bounds.upper_printed == R(64));
        CHECK(bounds.lower_printed == R(64) / R(5));
        CHECK(bounds.lower == R(0));  // tight: one output, kappa > 3
    }

    // residual.md, section 3: Jensen above; below E|y|^4/max(c4, 3 c2^2) - (E|y|^2/c2)^2, by the pairings that J lacks.
    TEST_CASE("on random networks the variance lies between the corrected bounds") {
        AnyNetwork any(5);
        int printed_fails = 0;
        for (int round = 0; round < 150; ++round) {
            Net const net = round % 2 == 0 ? any.chain() : any.residual();
            ChainJacobian<Fractions<Rational>> const chain(transfer_stages(net), 1, ratio(any.any(1, 2), 2));
            chain.for_each(1, [&](StagePlace<> const& at, LayerJacobian<Rational> const& found) {
                auto const& edge = net.stages[at.run].edges[at.matrix - 1];
                Rational const kappa = edge.law.kurtosis();
                auto const b = variance_bounds(found.reduced, edge.variance, kappa, std::max(kappa, Rational(3)));
                CHECK(found.jacobian.variance <= b.upper);
                CHECK(found.jacobian.variance >= b.lower);
                if (found.jacobian.variance < b.lower_printed) ++printed_fails;
            });
        }
        CHECK(printed_fails > 50);
    }
}
