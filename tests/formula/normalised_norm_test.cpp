// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/normalised_norm.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <numbers>

#include "layers.hpp"
#include "middle.hpp"

using isserlis::test::middle;
using namespace isserlis;
using isserlis::testing::layer;
using isserlis::testing::network;

namespace {

using Count = std::uint64_t;

Gate<Rational> const relu;

/// Blocks of one matrix, or of two with ReLU units between.
template <class R, class C>
Graph<R, C> residual(R const& width, std::vector<BranchMatrix<R>> const& branch, C const& blocks) {
    Activation<R> const activation{.kind = ActivationKind::relu, .slope = R(0)};
    return residual_graph<R, C>(width, activation, {{branch, blocks}});
}

}  // namespace

TEST_SUITE("formula/normalised_norm") {
    // Two units: sqrt(2) (cos t, sin t), t uniform.
    TEST_CASE("RMSNorm of two ReLU units, by the angle") {
        auto const m = rms_activation_moments(Rational(2), relu, 3);
        CHECK(m[1] == 1);
        CHECK(m[2] == ratio(7, 4));
        // 1/4 of 2^3 and 1/2 of E (2 cos^2)^3 = 8 * 5/16.
        CHECK(m[3] == ratio(13, 4));
    }

    // Three units: a coordinate of a direction is uniform on [-1, 1] (Archimedes). One active has 3 u^2, two have 3 - 3 u^2.
    TEST_CASE("RMSNorm of three ReLU units, by Archimedes") {
        auto const m = rms_activation_moments(Rational(3), relu, 2);
        Rational const square = ratio(9, 5);          // E (3 u^2)^2
        Rational const two = 9 - 2 * 3 * 1 + square;  // E (3 - 3 u^2)^2
        CHECK(m[1] == ratio(3, 2));
        CHECK(m[2] == ratio(3, 8) * square + ratio(3, 8) * two + ratio(1, 8) * 9);
    }

    TEST_CASE("lengths are kept without gates, and by |t|") {
        for (int const slope : {1, -1}) {
            Gate<Rational> gate;
            gate.negative = Rational(slope);
            auto const m = rms_activation_moments(Rational(5), gate, 4);
            for (unsigned p = 0; p <= 4; ++p) CHECK(m[p] == power(Rational(5), p));
        }
    }

    TEST_CASE("a chain reads its last two layers alone") {
        auto const deep = network<Rational, Count>(
            {layer(Rational(7), Rational(4), Count{1}), layer(Rational(4), Rational(4), Count{9}),
             layer(Rational(4), Rational(2), Count{1})},
            ActivationKind::relu);
        auto const hidden = rms_activation_moments(Rational(4), relu, 2);
        auto const out = normalised_chain_moments(deep, Normalisation::rms, Rational(3), true, 2);
        // |W h|^2 of two entries of variance 1: 2 and 2 * 4 times the moments of |h|^2.
        CHECK(out[1] == 2 * hidden[1]);
        CHECK(out[2] == 8 * hidden[2]);
        CHECK(normalised_chain_moments(deep, Normalisation::layer, Rational(3), true, 1)[1] == 2 * 2);
        CHECK_THROWS_AS((void)normalised_chain_moments(deep, Normalisation::layer, Rational(3), true, 2),
                        UnsupportedError);
        for (int const slope : {1, -1}) {  // lengths are kept: |h|^2 = 4
            auto open = deep;
            open.activation = {.kind = ActivationKind::leaky, .slope = Rational(slope)};
            CHECK(normalised_chain_moments(open, Normalisation::layer, Rational(3), true, 2)[2] == 8 * 16);
        }
        auto const equal = network<Rational, Count>({layer(Rational(4), Rational(4), Count{2})}, ActivationKind::relu);
        CHECK(normalised_chain_moments(equal, Normalisation::rms, Rational(3), true, 1)[1] == 4 * hidden[1]);
        CHECK(normalised_chain_moments(equal, Normalisation::rms, Rational(3), false, 30).size() == 31);
        CHECK_THROWS_AS((void)normalised_chain_moments(equal, Normalisation::rms, Rational(3), false, 31),
                        UnsupportedError);
        auto const alone = network<Rational, Count>({layer(Rational(7), Rational(2), Count{1})}, ActivationKind::relu);
        CHECK(normalised_chain_moments(alone, Normalisation::rms, Rational(3), true, 2)[2] == 8 * 9);
    }

    // A stream of one entry adds normal numbers to its start: E (1 + sqrt(k) g)^(2p).
    TEST_CASE("one entry, branches of one matrix") {
        auto const graph = residual<RationalFunction, Exponent>(
            RationalFunction(1), {{.width = RationalFunction(1), .variance = RationalFunction(1)}},
            Exponent::symbol("k"));
        auto const m = prenorm_moments(graph, RationalFunction(1), 4);
        CHECK(to_string(m[1]) == "k + 1");
        CHECK(to_string(m[2]) == "3*k^2 + 6*k + 1");
        CHECK(to_string(m[3]) == "15*k^3 + 45*k^2 + 15*k + 1");
        CHECK(to_string(m[4]) == "105*k^4 + 420*k^3 + 210*k^2 + 28*k + 1");
    }

    // Independent isotropic steps xi with a = E|xi|^2, b = E|xi|^4: E|sum|^4 = k b + k(k - 1) a^2 (1 + 2/n), and the start
    // x adds |x|^4 + (2 + 4/n) |x|^2 k a.
    TEST_CASE("the stream is a random walk") {
        int const n = 3;
        int const m = 5;
        Rational const v = ratio(2, 3);
        Rational const w = ratio(1, 7);
        Rational const start = ratio(5, 2);
        // h has 5 ReLU units of variance n v, E|h|^2 = 5 n v/2, E|h|^4 = 5 * 10/4 (n v)^2.
        Rational const a = n * w * ratio(5, 2) * n * v;
        Rational const b = n * (n + 2) * w * w * ratio(50, 4) * n * v * n * v;
        for (Count const k : {Count{1}, Count{4}, Count{100}}) {
            auto const graph = residual<Rational, Count>(
                Rational(n), {{.width = Rational(m), .variance = v}, {.width = Rational(n), .variance = w}}, k);
            auto const moments = prenorm_moments(graph, start, 2);
            Rational const steps(k);
            CHECK(moments[1] == start + steps * a);
            CHECK(moments[2] == start * start + (2 + ratio(4, n)) * start * steps * a + steps * b +
                                    steps * (steps - 1) * a * a * (1 + ratio(2, n)));
        }
    }

    TEST_CASE("between plain matrices the output reads the normalised stream") {
        auto const inner = residual<Rational, Count>(Rational(3), {{.width = Rational(3), .variance = Rational(1)}}, 2);
        auto const graph =
            between_matrices(inner, Rational(2), BranchMatrix<Rational>{.width = Rational(3), .variance = Rational(1)},
                             BranchMatrix<Rational>{.width = Rational(2), .variance = ratio(1, 3)});
        auto const m = prenorm_moments(graph, Rational(9), 2);
        CHECK(m[1] == 2);
        CHECK(m[2] == 8);
        // Behind post-norm as well, where the stream itself has the length 3^(1/2); one matrix alone reads the input.
        CHECK(postnorm_moments(graph, Rational(9), 2) == std::vector<Rational>{1, 2, 8});
        CHECK(postnorm_moments(inner, Rational(9), 3) == std::vector<Rational>{1, 3, 9, 27});
        auto first = graph;
        first.stages.resize(1);
        CHECK(postnorm_moments(first, Rational(9), 2) == std::vector<Rational>{1, 3 * 9, 3 * 5 * 81});
    }

    // z - mean of three entries lies in a plane, sqrt(3) sqrt(2/3) (cos t, cos(t + 2 pi/3), cos(t - 2 pi/3)).
    TEST_CASE("LayerNorm of three units, by the angle") {
        for (double const slope : {0.0, 0.25, -0.5}) {
            constexpr int steps = 300'000;
            double sum = 0;
            for (int i = 0; i < steps; ++i) {
                double square = 0;
                for (int j = -1; j <= 1; ++j) {
                    double const z = std::sqrt(2.0) * std::cos(2 * std::numbers::pi * ((i + 0.5) / steps + j / 3.0));
                    square += z > 0 ? z * z : slope * slope * z * z;
                }
                sum += square * square / steps;
            }
            Rational const exact = slope == 0 ? Rational(0) : (slope > 0 ? ratio(1, 4) : ratio(-1, 2));
            CHECK(middle(layer_norm_second_moment(3, exact, 64)) == doctest::Approx(sum).epsilon(1e-9));
        }
    }

    TEST_CASE("LayerNorm: two units, lengths that are kept, enclosures at twice the precision") {
        CHECK(middle(layer_norm_second_moment(2, ratio(1, 3), 64)) == doctest::Approx(100.0 / 81).epsilon(1e-15));
        CHECK(middle(layer_norm_second_moment(7, Rational(1), 64)) == doctest::Approx(49).epsilon(1e-15));
        CHECK_THROWS_AS((void)layer_norm_second_moment(1, Rational(0), 64), DomainError);
        for (int const n : {3, 10, 1000}) {
            Interval const wide = layer_norm_second_moment(n, ratio(1, 10), 64);
            Interval const narrow = layer_norm_second_moment(n, ratio(1, 10), 200);
            CHECK(mpfr_lessequal_p(wide.lower(), narrow.lower()));
            CHECK(mpfr_greaterequal_p(wide.upper(), narrow.upper()));
            CHECK(mpfr_get_d(Interval(wide - narrow).upper(), MPFR_RNDU) < 1e-12);
        }
    }
}
