// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/data/signed_parts.hpp>
#include <isserlis/error.hpp>
#include <isserlis/formula/two_layer_slope.hpp>
#include <isserlis/ring/members.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "loss_curve_data.hpp"
#include "middle.hpp"
#include "over_the_circle.hpp"

using isserlis::test::intervals;
using isserlis::test::middle;
using isserlis::test::over_the_circle;
using isserlis::testing::doubles;
using isserlis::testing::inner_products;
using isserlis::testing::plane_inputs;
using namespace isserlis;

namespace {

using Layers = std::vector<LayerRun<Surd, std::uint64_t>>;
using DoubleLayers = std::vector<LayerRun<double, std::uint64_t>>;

Rows<Rational> const gradients{{1, 2}, {Rational(-1) / Rational(2), 1}, {3, 0}};

Layers layers(Surd const& v1, Surd const& v2) {
    return {{.fan_in = Surd(2), .fan_out = Surd(5), .count = 1, .variance = v1, .law = {}},
            {.fan_in = Surd(5), .fan_out = Surd(2), .count = 1, .variance = v2, .law = {}}};
}

Interval exact_slope(Layers const& net, Activation<Surd> const& activation, Rows<Rational> const& features) {
    return two_layer_slope(net, activation, gate_moments(inner_products(features), gradients)).enclose(200);
}

}  // namespace

TEST_SUITE("formula/two_layer_slope") {
    // L' = -|grad|^2: of the upper weights by E h^k.h^l, of the lower ones by x^k.x^l E a' a'; both by quadrature.
    TEST_CASE("ReLU and leaky ReLU: the mean squared gradient by quadrature over the circle") {
        auto const x = doubles(plane_inputs);
        auto const g = doubles(gradients);
        double const v1 = 0.4;
        double const v2 = 0.7;
        for (double const s : {0.0, 0.25, -0.5}) {
            CAPTURE(s);
            auto const a = [s](double u) { return u > 0 ? u : s * u; };
            auto const da = [s](double u) { return u > 0 ? 1 : s; };
            double expected = 0;
            for (std::size_t k = 0; k < x.size(); ++k) {
                for (std::size_t l = 0; l < x.size(); ++l) {
                    double const h =
                        2 * over_the_circle({x[k], x[l]}, [&](auto const& u) { return a(u[0]) * a(u[1]); });
                    double const d = over_the_circle({x[k], x[l]}, [&](auto const& u) { return da(u[0]) * da(u[1]); });
                    expected -= dot(g[k], g[l]) * 5 * (v1 * h + v2 * d * dot(x[k], x[l])) / 9;
                }
            }
            Activation<Surd> const activation{.kind = s == 0 ? ActivationKind::relu : ActivationKind::leaky,
                                              .slope = Surd(ratio(static_cast<int>(4 * s), 4))};
            double const exact =
                middle(exact_slope(layers(Surd(ratio(2, 5)), Surd(ratio(7, 10))), activation, plane_inputs));
            CHECK(exact == doctest::Approx(expected).epsilon(1e-11));
        }
    }

    // Inputs of one sign in each feature: relu(x) and -relu(-x) of the crelu layer span a plane of their own.
    TEST_CASE("crelu: both sides of the upper layer, quadrature in the plane of the features") {
        Rows<Rational> const positive{{1, 1}, {2, 1}, {Rational(1) / Rational(3), 1}};
        auto const x = doubles(positive);
        auto const g = doubles(gradients);
        double expected = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            for (std::size_t l = 0; l < x.size(); ++l) {
                double const h =
                    2 * over_the_circle({x[k], x[l]}, [](auto const& u) { return std::max(u[0] * u[1], 0.0); });
                double const same =
                    over_the_circle({x[k], x[l]}, [](auto const& u) { return u[0] * u[1] > 0 ? 1 : 0; });
                expected -= dot(g[k], g[l]) * 5 * (0.4 * h + 0.7 * same * dot(x[k], x[l])) / 9;
            }
        }
        Activation<Surd> const crelu{.kind = ActivationKind::crelu, .slope = {}};
        auto const net = layers(Surd(ratio(2, 5)), Surd(ratio(7, 10)));
        CHECK(middle(exact_slope(net, crelu, signed_parts(positive))) == doctest::Approx(expected).epsilon(1e-11));
    }

    TEST_CASE("open gates everywhere: the linear network; one sample: half of it for ReLU, all of it for crelu") {
        auto const net = layers(Surd(3), Surd(2));
        auto const linear = linear_slope(layer_pair_sums<2>(net),
                                         gradient_moments(converted<Surd>(plane_inputs), converted<Surd>(gradients),
                                                          {{{Surd(1), Surd(0)}, {Surd(0), Surd(1)}}}));
        Activation<Surd> const open{.kind = ActivationKind::leaky, .slope = Surd(1)};
        auto const slope = two_layer_slope(net, open, gate_moments(inner_products(plane_inputs), gradients));
        REQUIRE(slope.is_exact());
        CHECK(slope.exact() == linear);

        Rows<Rational> const x{{1, 1}};
        Rows<Rational> const g{{3}};
        // -(v_1 + v_2) d_1 |x|^2 |g|^2 = -5 * 5 * 2 * 9.
        auto const of = [&](ActivationKind kind) {
            return two_layer_slope(net, Activation<Surd>{.kind = kind, .slope = {}}, gate_moments(inner_products(x), g))
                .exact();
        };
        CHECK(of(ActivationKind::relu) == Surd(-225));
        CHECK(of(ActivationKind::crelu) == Surd(-450));
    }

    TEST_CASE("doubles and enclosed gradients agree with exact ones") {
        auto const net = layers(Surd(ratio(2, 5)), Surd(ratio(7, 10)));
        DoubleLayers const in_double{{.fan_in = 2, .fan_out = 5, .count = 1, .variance = 0.4, .law = {}},
                                     {.fan_in = 5, .fan_out = 2, .count = 1, .variance = 0.7, .law = {}}};
        Activation<Surd> const leaky{.kind = ActivationKind::leaky, .slope = Surd(ratio(1, 4))};
        Activation<double> const leaky_in_double{.kind = ActivationKind::leaky, .slope = 0.25};
        double const exact = middle(exact_slope(net, leaky, plane_inputs));
        CHECK(two_layer_slope(in_double, leaky_in_double, gate_moments(doubles(plane_inputs), doubles(gradients))) ==
              doctest::Approx(exact).epsilon(1e-13));
        auto const enclosed = two_layer_slope(
            net, leaky, gate_moments(inner_products(plane_inputs), converted<Enclosed>(gradients), 200));
        CHECK(middle(enclosed) == doctest::Approx(exact).epsilon(1e-15));
    }

    TEST_CASE("double-doubles enclose what is known to any precision") {
        using isserlis::testing::any_int;
        isserlis::testing::holds([] {
            auto const samples = static_cast<std::size_t>(any_int(1, 7));
            auto const columns = static_cast<std::size_t>(any_int(1, 6));
            auto const rows = [&](std::size_t width) {
                Rows<Rational> out(samples, std::vector<Rational>(width));
                for (auto& row : out)
                    for (auto& x : row) x = ratio(any_int(-9, 9), any_int(1, 9));
                return out;
            };
            auto x = rows(columns);
            if (samples > 1 && any_int(0, 2) == 0) {
                x[1] = x[0];  // one direction, or the opposite one
                for (auto& entry : x[1]) entry = entry * any_int(-2, 2);
            }
            auto const g = rows(2);
            auto const exact = gate_moments(inner_products(x), converted<Enclosed>(g), 200);
            auto const near = gate_moments(intervals(x), intervals(g));
            for (auto part :
                 {&GateMoments<Interval>::kernel, &GateMoments<Interval>::gates, &GateMoments<Interval>::inner}) {
                Interval const apart = near.*part - exact.*part;
                RC_ASSERT(apart.contains_zero());
                // 16 digits of what angles of 0 and pi leave of a difference of squares.
                RC_ASSERT(mpfr_get_d(apart.upper(), MPFR_RNDU) - mpfr_get_d(apart.lower(), MPFR_RNDD) < 1e-11);
            }
        });
    }

    // d_1 = 4; the gradient of the first layer has v_2 h_1 = 5 3, that of the second v_1 h_2 = 2 7.
    TEST_CASE("label factors belong to the layer that steps") {
        std::vector<LayerRun<Rational, std::uint64_t>> const net{
            {.fan_in = 3, .fan_out = 4, .count = 1, .variance = 2, .label_factor = 3},
            {.fan_in = 4, .fan_out = 2, .count = 1, .variance = 5, .label_factor = 7}};
        auto const relu = two_layer_slope_factors(net, Activation<Rational>{.kind = ActivationKind::relu, .slope = 0});
        CHECK(relu.kernel == -28);
        CHECK(relu.gates == -30);
        CHECK(relu.inner == 0);
        auto const leaky =
            two_layer_slope_factors(net, Activation<Rational>{.kind = ActivationKind::leaky, .slope = ratio(1, 2)});
        CHECK(leaky.kernel == -7);
        CHECK(leaky.gates == ratio(-15, 2));
        CHECK(leaky.inner == -58);
    }

    TEST_CASE("what has no closed form is refused") {
        auto net = layers(Surd(1), Surd(1));
        Activation<Surd> const relu{.kind = ActivationKind::relu, .slope = {}};
        CHECK_THROWS_AS(
            (void)two_layer_slope_factors(net, Activation<Surd>{.kind = ActivationKind::crelu_tied, .slope = {}}),
            UnsupportedError);
        net.back().law = {.kind = LawKind::uniform, .kurtosis_value = {}};
        CHECK_NOTHROW((void)two_layer_slope_factors(net, relu));
        net.front().law = net.back().law;
        CHECK_THROWS_AS((void)two_layer_slope_factors(net, relu), UnsupportedError);
        net = layers(Surd(1), Surd(1));
        net.push_back(net.back());
        CHECK_THROWS_AS((void)two_layer_slope_factors(net, relu), UnsupportedError);
        CHECK_THROWS_AS((void)gate_moments(inner_products(plane_inputs), Rows<Rational>{{1}}), DomainError);
    }
}
