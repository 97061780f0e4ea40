// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/two_layer_curvature.hpp>
#include <isserlis/model/model.hpp>
#include <isserlis/ring/members.hpp>

#include <cmath>
#include <vector>

#include "../ring/property.hpp"
#include "loss_curve_data.hpp"
#include "middle.hpp"
#include "over_the_circle.hpp"

using namespace isserlis;
using isserlis::test::intervals;
using isserlis::test::middle;
using isserlis::test::over_the_circle;
using isserlis::testing::doubles;
using isserlis::testing::holds;
using isserlis::testing::inner_products;
using isserlis::testing::proportional_layers;

namespace {

using Forms = std::vector<Rows<double>>;

/// All numbers of a problem, exact; weights have variances that differ, and label factors.
struct Problem {
    std::vector<LayerRun<Surd, std::uint64_t>> layers;
    Activation<Surd> activation;
    Rows<Rational> inputs;
    Rows<Rational> gradients;
    std::vector<Rows<Rational>> hessians;
};

Problem any_problem(std::size_t columns) {
    std::vector<int> const widths{static_cast<int>(columns), *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 4)};
    auto const outputs = static_cast<std::size_t>(widths.back());
    std::size_t const samples = *rc::gen::inRange<std::size_t>(1, 5);
    Problem out{.layers = proportional_layers<Surd>(widths),
                .activation = {.kind = ActivationKind::relu, .slope = {}},
                .inputs = isserlis::testing::random_rows(samples, columns),  // parallel and opposite ones among them
                .gradients = isserlis::testing::random_rows(samples, outputs),
                .hessians = {}};
    out.layers[0].variance = ratio(*rc::gen::inRange(1, 5), 3);
    for (auto& run : out.layers) run.label_factor = ratio(*rc::gen::inRange(1, 4), 2);
    if (*rc::gen::inRange(0, 2) == 0)
        out.activation = {.kind = ActivationKind::leaky, .slope = ratio(*rc::gen::inRange(-3, 4), 3)};
    if (*rc::gen::inRange(0, 3) == 0) out.inputs.back().assign(columns, 0);
    for (std::size_t k = 0; k < samples; ++k) out.hessians.push_back(isserlis::testing::random_symmetric(outputs));
    if (*rc::gen::inRange(0, 2) == 0) out.hessians.resize(1);
    return out;
}

Interval by_products(Problem const& p, unsigned bits = 120) {
    return two_layer_curvature(p.layers, p.activation, inner_products(p.inputs), converted<Enclosed>(p.gradients),
                               converted<Enclosed>(p.hessians), bits);
}
Interval by_balls(Problem const& p) {
    return two_layer_curvature(p.layers, p.activation, intervals(p.inputs), converted<Enclosed>(p.gradients),
                               converted<Enclosed>(p.hessians));
}
double by_doubles(Problem const& p) {
    auto const number = [](Surd const& x) { return to_double(x); };
    Forms hessians;
    for (auto const& h : p.hessians) hessians.push_back(doubles(h));
    return two_layer_curvature(converted<double>(p.layers, number),
                               Activation<double>{.kind = p.activation.kind, .slope = to_double(p.activation.slope)},
                               doubles(p.inputs), doubles(p.gradients), hessians);
}

/// The definition: z' and its form over triples of samples, of which only means over one or two hidden neurons and over
/// the upper weights are taken, E w w' = v_2 and E (w.g)(w'Hw)(w.k) = v_2^2 (tr H g.k + 2 g'Hk).
double by_triples(Problem const& p) {
    auto const x = doubles(p.inputs);
    auto const g = doubles(p.gradients);
    double const s = p.activation.is_relu() ? 0 : to_double(p.activation.slope);
    auto const phi = [s](double u) { return u > 0 ? u : s * u; };
    auto const gate = [s](double u) { return u > 0 ? 1 : s; };
    double const u2 = to_double(p.layers[0].variance);
    double const v2 = to_double(p.layers[1].variance);
    double const h1 = to_double(p.layers[0].label_factor);
    double const h2 = to_double(p.layers[1].label_factor);
    double const d = to_double(p.layers[0].fan_out);
    // E |G|^2 = 2, E |G|^4 = 8
    auto const pair = [&](std::size_t k, std::size_t l) {
        double const kernel =
            2 * u2 * over_the_circle({x[k], x[l]}, [&](auto const& u) { return phi(u[0]) * phi(u[1]); });
        double const gates = over_the_circle({x[k], x[l]}, [&](auto const& u) { return gate(u[0]) * gate(u[1]); });
        return h2 * kernel + h1 * v2 * dot(x[k], x[l]) * gates;
    };
    double out = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        auto const h = doubles(p.hessians[p.hessians.size() == 1 ? 0 : k]);
        for (std::size_t l = 0; l < x.size(); ++l) {
            for (std::size_t m = 0; m < x.size(); ++m) {
                double const form = bilinear(g[l], h, g[m]);
                double const traces = trace(h) * dot(g[l], g[m]);
                double const kl = dot(x[k], x[l]);
                double const km = dot(x[k], x[m]);
                // One neuron twice: what it adds to z'_k of sample l is h_2 phi_l phi_k g_l + h_1 K_kl gates w (w.g_l).
                double const one = over_the_circle({x[k], x[l], x[m]}, [&](auto const& u) {
                    double const to_l = phi(u[1]) * phi(u[0]);
                    double const to_m = phi(u[2]) * phi(u[0]);
                    double const gates_l = kl * gate(u[0]) * gate(u[1]);
                    double const gates_m = km * gate(u[0]) * gate(u[2]);
                    return 8 * u2 * u2 * h2 * h2 * to_l * to_m * form +
                           2 * u2 * v2 * h1 * h2 * (to_l * gates_m + to_m * gates_l) * form +
                           h1 * h1 * v2 * v2 * gates_l * gates_m * (traces + 2 * form);
                });
                out += d * one + d * (d - 1) * pair(k, l) * pair(k, m) * form;
            }
        }
    }
    auto const samples = static_cast<double>(x.size());
    return out / (samples * samples * samples);
}

}  // namespace

TEST_SUITE("formula/two_layer_curvature") {
    TEST_CASE("one sample, by hand") {
        // d_1 = 3, |x|^2 = 5, |g|^2 = 5, H = ((2, 1), (1, 0)), g'Hg = 2 + 4 = 6, variances and label factors 1; of ReLU
        // E phi^4 = 3/2 25, E phi^2 = 5/2: 3 (25/2 (3 + 2 + 2) 6 + 25/2 2 5) + 6 (5/2 + 5/2)^2 6.
        Problem p{.layers = proportional_layers<Surd>({2, 3, 2}),
                  .activation = {.kind = ActivationKind::relu, .slope = {}},
                  .inputs = {{1, 2}},
                  .gradients = {{1, 2}},
                  .hessians = {{{2, 1}, {1, 0}}}};
        for (auto& run : p.layers) run.variance = 1;
        double const expected = 2850;
        CHECK(by_doubles(p) == doctest::Approx(expected));
        CHECK(middle(by_products(p)) == doctest::Approx(expected));
        CHECK(middle(by_balls(p)) == doctest::Approx(expected));
    }

    TEST_CASE("without gates it is the linear network's") {
        holds(
            [] {
                Problem p = any_problem(3);
                p.activation = {.kind = ActivationKind::linear, .slope = {}};
                auto const curve = linear_loss_curve(
                    p.layers, gradient_moments(converted<Surd>(p.inputs), converted<Surd>(p.gradients),
                                               converted<Surd>(p.hessians)));
                RC_ASSERT((by_products(p) - enclose(curve.curvature, 120)).contains_zero());
                RC_ASSERT((by_balls(p) - enclose(curve.curvature, 120)).contains_zero());
                p.activation = {.kind = ActivationKind::leaky, .slope = 1};
                RC_ASSERT((by_products(p) - enclose(curve.curvature, 120)).contains_zero());
            },
            100);
    }

    TEST_CASE("of inputs in a plane it is the mean over triples of samples") {
        holds(
            [] {
                Problem const p = any_problem(2);
                double const expected = by_triples(p);
                auto const products = by_products(p);
                RC_ASSERT(std::abs(middle(products) - expected) <= 1e-8 * (1 + std::abs(expected)));
                RC_ASSERT((by_balls(p) - products).contains_zero());
            },
            40);
    }

    TEST_CASE("doubles, double-doubles and enclosures of inputs in space agree") {
        holds(
            [] {
                Problem const p = any_problem(3);
                auto const products = by_products(p);
                auto const balls = by_balls(p);
                RC_ASSERT((balls - products).contains_zero());
                RC_ASSERT(std::abs(by_doubles(p) - middle(products)) <= 1e-7 * (1 + std::abs(middle(products))));
                RC_ASSERT(std::abs(middle(balls) - middle(products)) <= 1e-11 * (1 + std::abs(middle(products))));
                RC_ASSERT((by_products(p, 300) - products).contains_zero());
            },
            100);
    }

    TEST_CASE("what it is not served for") {
        Problem p{.layers = proportional_layers<Surd>({2, 3, 1}),
                  .activation = {.kind = ActivationKind::crelu, .slope = {}},
                  .inputs = {{1, 2}},
                  .gradients = {{1}},
                  .hessians = {{{1}}}};
        CHECK_THROWS_AS((void)by_products(p), UnsupportedError);
        p.activation = {.kind = ActivationKind::relu, .slope = {}};
        p.layers[1].law = {.kind = LawKind::uniform};
        CHECK_THROWS_AS((void)by_products(p), UnsupportedError);
        p.layers = proportional_layers<Surd>({2, 3, 3, 1});
        CHECK_THROWS_AS((void)by_products(p), UnsupportedError);
        p.layers = proportional_layers<Surd>({2, 3, 1});
        p.gradients = {{1}, {2}};
        CHECK_THROWS_AS((void)by_products(p), DomainError);
        CHECK_THROWS_AS((void)by_balls(p), DomainError);
        p.gradients = {{1}};
        p.hessians = {{{1, 2}, {2, 1}}};
        CHECK_THROWS_AS((void)by_products(p), DomainError);
    }
}
