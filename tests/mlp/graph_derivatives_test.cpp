// SPDX-License-Identifier: MIT
// Along one weight a network with fixed gates is a straight line, so central differences are exact but for rounding.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/mlp/graph_derivatives.hpp>
#include <random>
#include <string>

#include "drawn_graphs.hpp"

namespace {

using graphs::cases;
using graphs::chain;
using graphs::Drawn;
using graphs::drawn;
using isserlis::ActivationKind;
using isserlis::mlp::forward;
using isserlis::mlp::GraphDerivatives;
using isserlis::mlp::GraphLayout;
using isserlis::mlp::GraphPass;

struct Neuron {
    std::size_t node;
    bool activated;
    std::size_t neuron;
};

std::vector<Neuron> neurons(GraphLayout const& layout) {
    std::vector<Neuron> out;
    for (std::size_t v = 0; v < layout.nodes().size(); ++v)
        for (bool const activated : {false, true})
            for (std::size_t i = 0; i < layout.nodes()[v].width; ++i) out.push_back({v, activated, i});
    return out;
}

double value(GraphLayout const& layout, Drawn const& net, Neuron const& of) {
    GraphPass pass;
    forward(layout, net.weights, net.x, pass);
    return (of.activated ? pass.h : pass.z)[layout.nodes()[of.node].first + of.neuron];
}

/// The derivative by the weights `by` and then by `last`.
template <unsigned K>
double derivative(GraphLayout const& layout, Drawn const& net, Neuron const& of, std::array<std::size_t, K> const& by,
                  std::size_t last) {
    GraphPass pass;
    forward(layout, net.weights, net.x, pass);
    GraphDerivatives<K> derivatives(layout);
    derivatives.begin(pass);
    derivatives.forward(by);
    derivatives.backward(of.node, of.activated, of.neuron);
    return derivatives.derivative(last);
}

/// Central difference of f along one weight.
template <class F>
double difference(Drawn net, std::size_t weight, F const& f) {
    constexpr double step = 1e-5;
    double const before = net.weights[weight];
    net.weights[weight] = before + step;
    double const above = f(net);
    net.weights[weight] = before - step;
    return (above - f(net)) / (2 * step);
}

}  // namespace

TEST_SUITE("mlp/graph_derivatives") {
    TEST_CASE("first derivatives of every neuron agree with central differences") {
        for (auto const& [name, graph] : cases()) {
            CAPTURE(name);
            for (bool const unit : {false, true}) {
                GraphLayout const layout(graph, unit);
                auto const net = drawn(layout, 11);
                double worst = 0;
                double largest = 0;
                for (auto const& of : neurons(layout))
                    for (std::size_t m = 0; m < net.weights.size(); ++m) {
                        double const exact = derivative<0>(layout, net, of, {}, m);
                        double const seen = difference(net, m, [&](Drawn const& d) { return value(layout, d, of); });
                        worst = std::max(worst, std::abs(exact - seen));
                        largest = std::max(largest, std::abs(exact));
                    }
                CHECK(worst < 1e-8);
                CHECK(largest > 0.1);
            }
        }
    }

    TEST_CASE("second derivatives agree with differences of first ones and are symmetric") {
        for (auto const& [name, graph] : cases()) {
            CAPTURE(name);
            GraphLayout const layout(graph, true);
            auto const net = drawn(layout, 12);
            double worst = 0;
            double largest = 0;
            for (auto const& of : neurons(layout))
                for (std::size_t m = 0; m < net.weights.size(); ++m)
                    for (std::size_t n = 0; n < net.weights.size(); ++n) {
                        double const exact = derivative<1>(layout, net, of, {m}, n);
                        double const seen =
                            difference(net, m, [&](Drawn const& d) { return derivative<0>(layout, d, of, {}, n); });
                        worst = std::max(
                            {worst, std::abs(exact - seen), std::abs(exact - derivative<1>(layout, net, of, {n}, m))});
                        largest = std::max(largest, std::abs(exact));
                    }
            CHECK(worst < 1e-8);
            CHECK(largest > 0.1);
        }
    }

    // Third derivatives of the whole net take three layers; residual blocks have four.
    TEST_CASE("third and fourth derivatives agree with differences of those below") {
        for (auto const& [name, graph] : cases()) {
            CAPTURE(name);
            GraphLayout const layout(graph);
            auto const net = drawn(layout, 19);
            std::mt19937_64 random(14);
            std::uniform_int_distribution<std::size_t> any(0, net.weights.size() - 1);
            double worst = 0;
            double largest = 0;
            Neuron const of{layout.output(), false, 0};
            for (int trial = 0; trial < 4000; ++trial) {
                std::size_t const m = any(random);
                std::size_t const n = any(random);
                std::size_t const k = any(random);
                std::size_t const l = any(random);
                double const third = derivative<2>(layout, net, of, {m, n}, k);
                largest = std::max(largest, std::abs(third));
                worst = std::max(worst, std::abs(third - difference(net, m, [&](Drawn const& d) {
                                                     return derivative<1>(layout, d, of, {n}, k);
                                                 })));
                double const fourth = derivative<3>(layout, net, of, {m, n, k}, l);
                worst = std::max(worst, std::abs(fourth - difference(net, m, [&](Drawn const& d) {
                                                     return derivative<2>(layout, d, of, {n, k}, l);
                                                 })));
            }
            CHECK(worst < 1e-8);
            CHECK(largest > 0.01);
        }
    }

    // A path of two layers takes two weights.
    TEST_CASE("third derivatives of two-layer nets vanish, second ones by the weights of one matrix too") {
        GraphLayout const layout(chain({3, 4, 2}));
        auto const net = drawn(layout, 15);
        for (std::size_t m = 0; m < net.weights.size(); ++m)
            for (std::size_t n = 0; n < net.weights.size(); ++n) {
                for (std::size_t k = 0; k < net.weights.size(); ++k)
                    CHECK(derivative<2>(layout, net, {2, false, 0}, {m, n}, k) == 0);
                if (layout.weights()[m].edge == layout.weights()[n].edge)
                    CHECK(derivative<1>(layout, net, {2, false, 0}, {m}, n) == 0);
            }
    }

    // N = P makes z = P h: the two sides' derivatives add up to those of the linear net.
    TEST_CASE("a tied concatenated ReLU is the linear net, both sides together") {
        GraphLayout const tied(chain({3, 3, 2}, ActivationKind::crelu_tied));
        GraphLayout const linear(chain({3, 3, 2}, ActivationKind::linear));
        auto const net = drawn(tied, 16);
        Drawn plain{.weights = {}, .x = net.x};
        std::vector<std::size_t> positive;
        std::vector<std::size_t> negative;
        for (auto const& edge : tied.edges())
            for (std::size_t i = 0; i < tied.entries(edge); ++i) {
                plain.weights.push_back(net.weights[edge.first + i]);
                positive.push_back(edge.first + i);
                negative.push_back(edge.negative + i);
            }
        Neuron const of{2, false, 1};
        CHECK(value(tied, net, of) == doctest::Approx(value(linear, plain, of)));
        for (std::size_t m = 0; m < positive.size(); ++m) {
            CHECK(derivative<0>(tied, net, of, {}, positive[m]) + derivative<0>(tied, net, of, {}, negative[m]) ==
                  doctest::Approx(derivative<0>(linear, plain, of, {}, m)));
            for (std::size_t n = 0; n < positive.size(); ++n) {
                double sum = 0;
                for (std::size_t const a : {positive[m], negative[m]})
                    for (std::size_t const b : {positive[n], negative[n]}) sum += derivative<1>(tied, net, of, {a}, b);
                CHECK(sum == doctest::Approx(derivative<1>(linear, plain, of, {m}, n)));
            }
        }
    }

    // z^1 = 1 - 1 = 0, as in mlp/backward's test, which takes half of P and half of N there.
    TEST_CASE("relu'(0) = 0, and min'(0) = 1 where there are two sides") {
        GraphLayout const relu(chain({2, 1, 1}));
        Drawn net{.weights = {1, -1, 3}, .x = {1, 1}};
        CHECK(derivative<0>(relu, net, {2, false, 0}, {}, 0) == 0);
        CHECK(derivative<0>(relu, net, {1, false, 0}, {}, 0) == 1);
        CHECK(derivative<0>(relu, net, {1, true, 0}, {}, 0) == 0);
        GraphLayout const crelu(chain({2, 1, 1}, ActivationKind::crelu));
        net.weights = {1, -1, 1, -1, 3, 4};
        CHECK(derivative<0>(crelu, net, {2, false, 0}, {}, 0) == 4);
        CHECK(derivative<1>(crelu, net, {2, false, 0}, {0}, 4) == 0);
        CHECK(derivative<1>(crelu, net, {2, false, 0}, {0}, 5) == 1);
    }

    TEST_CASE("one set of buffers serves several choices of weights and neurons in any order") {
        GraphLayout const layout(chain({3, 4, 3, 2}));
        auto const net = drawn(layout, 17);
        GraphPass pass;
        forward(layout, net.weights, net.x, pass);
        GraphDerivatives<1> derivatives(layout);
        derivatives.begin(pass);
        std::mt19937_64 random(18);
        std::uniform_int_distribution<std::size_t> any(0, net.weights.size() - 1);
        auto const all = neurons(layout);
        for (int trial = 0; trial < 2000; ++trial) {
            std::size_t const m = any(random);
            std::size_t const n = any(random);
            auto const& of = all[any(random) % all.size()];
            derivatives.forward({m});
            derivatives.backward(of.node, of.activated, of.neuron);
            CHECK(derivatives.derivative(n) == derivative<1>(layout, net, of, {m}, n));
        }
    }
}
