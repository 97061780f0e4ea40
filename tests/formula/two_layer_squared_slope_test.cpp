// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/data/signed_parts.hpp>
#include <isserlis/error.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/formula/two_layer_squared_slope.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/strand/expectation.hpp>

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

using SurdLayers = std::vector<LayerRun<Surd, std::uint64_t>>;
using DoubleLayers = std::vector<LayerRun<double, std::uint64_t>>;

Rows<Rational> const targets{{1, 2}, {Rational(-1) / Rational(2), 1}, {3, 0}};

SurdLayers layers(int width, int outputs) {
    Surd const n(width);
    return {{.fan_in = Surd(2), .fan_out = n, .count = 1, .variance = Surd(ratio(2, 5)), .law = {}},
            {.fan_in = n, .fan_out = Surd(outputs), .count = 1, .variance = Surd(ratio(7, 10)), .law = {}}};
}

Activation<Surd> leaky(Surd const& slope) { return {.kind = ActivationKind::leaky, .slope = slope}; }

double slope(SurdLayers const& net, Activation<Surd> const& activation, Rows<Rational> const& x,
             Rows<Rational> const& y) {
    return middle(
        two_layer_squared_slope(net, activation, squared_gate_moments(inner_products(x), converted<Enclosed>(y), 100)));
}

/// All of one neuron and one output: r_k r_l (h_k h_l + w^2 a'_k a'_l x^k.x^l) with r = w h - y, by the moments of w and
/// quadrature over the circle.
double slope_of_one_neuron(double s, double v1, double v2, double kurtosis, Rows<double> const& x,
                           std::vector<double> const& y) {
    auto const a = [s](double u) { return u > 0 ? u : s * u; };
    auto const da = [s](double u) { return u > 0 ? 1 : s; };
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        for (std::size_t l = 0; l < x.size(); ++l) {
            double const inner = dot(x[k], x[l]);
            double const yy = y[k] * y[l];
            // Parts of degree 0, 2 and 4 in the hidden pre-activation: |G|^2 has mean 2, |G|^4 mean 8.
            sum += over_the_circle({x[k], x[l]}, [&](auto const& u) {
                double const h = a(u[0]) * a(u[1]);
                double const gates = da(u[0]) * da(u[1]) * inner;
                return v2 * 8 * v1 * v1 * h * h + 2 * v1 * h * (yy + kurtosis * v2 * v2 * gates) + v2 * yy * gates;
            });
        }
    }
    return -4 * sum / static_cast<double>(x.size() * x.size());
}

}  // namespace

TEST_SUITE("formula/two_layer_squared_slope") {
    TEST_CASE("one neuron: moments of its second weight, quadrature over its first ones") {
        Rows<Rational> const y{{1}, {Rational(-1) / Rational(2)}, {3}};
        for (int const quarters : {0, 1, -2}) {
            double const s = quarters / 4.0;
            CAPTURE(s);
            for (auto const kind : {LawKind::gaussian, LawKind::uniform}) {
                auto net = layers(1, 1);
                net.back().law.kind = kind;
                double const expected = slope_of_one_neuron(s, 0.4, 0.7, kind == LawKind::gaussian ? 3 : 1.8,
                                                            doubles(plane_inputs), {1, -0.5, 3});
                CHECK(slope(net, leaky(Surd(ratio(quarters, 4))), plane_inputs, y) ==
                      doctest::Approx(expected).epsilon(1e-11));
            }
        }
    }

    TEST_CASE("open gates everywhere: the linear network") {
        auto const net = layers(5, 2);
        auto const linear =
            squared_loss_curve(net, target_moments(converted<Surd>(plane_inputs), converted<Surd>(targets)));
        CHECK(slope(net, leaky(Surd(1)), plane_inputs, targets) ==
              doctest::Approx(middle(enclose(linear.slope, 100))).epsilon(1e-14));
    }

    TEST_CASE("one sample: the strand engine") {
        Rows<Rational> const x{{1, 2}};
        Rows<Rational> const y{{3, -1}};
        for (auto const kind : {ActivationKind::relu, ActivationKind::leaky, ActivationKind::crelu}) {
            CAPTURE(name(kind));
            auto net = layers(4, 2);
            net.front().label_factor = Surd(3);
            net.back().label_factor = Surd(5);
            bool const concatenated = kind == ActivationKind::crelu;
            Activation<Surd> const activation{.kind = kind,
                                              .slope = Surd(ratio(kind == ActivationKind::leaky ? 1 : 0, 3))};
            // One sample sees one of P and N in each neuron: a linear network.
            FullyConnected<Surd, std::uint64_t> const chain{
                .layers = net,
                .activation =
                    concatenated ? Activation<Surd>{.kind = ActivationKind::linear, .slope = {}} : activation};
            ObservableSetting<Surd> setting;
            setting.inputs.vectors = {{Surd(1), Surd(2)}};
            setting.constants["t"] = {{Surd(3), Surd(-1)}};
            Surd const by_strands =
                expectation(parse_query("(D[m] (z[i]^2 - 2*t[i]*z[i]))^2"), chain_graph(chain), setting, {});
            double const expected = -middle(enclose(by_strands, 100));
            CHECK(slope(net, activation, concatenated ? signed_parts(x) : x, y) ==
                  doctest::Approx(expected).epsilon(1e-14));
        }
    }

    TEST_CASE("doubles agree with enclosures") {
        DoubleLayers const in_double{{.fan_in = 2, .fan_out = 5, .count = 1, .variance = 0.4, .law = {}},
                                     {.fan_in = 5, .fan_out = 2, .count = 1, .variance = 0.7, .law = {}}};
        Activation<double> const activation{.kind = ActivationKind::leaky, .slope = 0.25};
        CHECK(two_layer_squared_slope(in_double, activation,
                                      squared_gate_moments(doubles(plane_inputs), doubles(targets))) ==
              doctest::Approx(slope(layers(5, 2), leaky(Surd(ratio(1, 4))), plane_inputs, targets)).epsilon(1e-13));
    }

    TEST_CASE("double-doubles enclose what is known to any precision") {
        using isserlis::testing::any_int;
        isserlis::testing::holds([] {
            auto const samples = static_cast<std::size_t>(any_int(1, 6));
            auto const columns = static_cast<std::size_t>(any_int(1, 5));
            auto const rows = [&](std::size_t width) {
                Rows<Rational> out(samples, std::vector<Rational>(width));
                for (auto& row : out)
                    for (auto& x : row) x = ratio(any_int(-9, 9), any_int(1, 9));
                return out;
            };
            auto const x = rows(columns);
            auto const y = rows(2);
            auto const exact = squared_gate_moments(inner_products(x), converted<Enclosed>(y), 200);
            auto const near = squared_gate_moments(intervals(x), intervals(y));
            std::apply(
                [&](auto... part) {
                    for (auto const member : {part...}) {
                        Interval const apart = near.*member - exact.*member;
                        RC_ASSERT(apart.contains_zero());
                        RC_ASSERT(mpfr_get_d(apart.upper(), MPFR_RNDU) - mpfr_get_d(apart.lower(), MPFR_RNDD) < 1e-8);
                    }
                },
                SquaredGateMoments<Interval>::members);
        });
    }

    TEST_CASE("what has no closed form is refused") {
        auto net = layers(3, 2);
        net.back().bias = Bias<Surd>{};
        CHECK_THROWS_AS((void)two_layer_squared_slope_factors(net, leaky(Surd(0))), UnsupportedError);
        net = layers(3, 2);
        net.front().law.kind = LawKind::uniform;
        CHECK_THROWS_AS((void)two_layer_squared_slope_factors(net, leaky(Surd(0))), UnsupportedError);
        net = layers(3, 2);
        net.front().count = 2;
        CHECK_THROWS_AS((void)two_layer_squared_slope_factors(net, leaky(Surd(0))), UnsupportedError);
        CHECK_THROWS_AS((void)squared_gate_moments(inner_products(plane_inputs), Rows<Enclosed>{{1}}, 100),
                        DomainError);
        CHECK_THROWS_AS((void)squared_gate_moments(Rows<double>{}, Rows<double>{}), DomainError);
    }
}
