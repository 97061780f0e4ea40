// SPDX-License-Identifier: MIT
// The per-layer Jacobians that sampling measures, against central differences: every wiring of the zoo with every
// activation. Along one weight a network with fixed gates is a straight line, so that differences are exact but for
// rounding.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <isserlis/mlp/graph_derivatives.hpp>
#include <isserlis/network/zoo.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace isserlis;
using mlp::forward;
using mlp::GraphDerivatives;
using mlp::GraphLayout;
using mlp::GraphPass;
using Net = Graph<double, std::uint64_t>;

Net vanilla(Activation<double> const& activation, bool gated_head) {
    FullyConnected<double, std::uint64_t> net;
    net.activation = activation;
    net.gated_head = gated_head;
    for (auto const& [below, above] : {std::pair(3, 4), std::pair(4, 2), std::pair(2, 3)})
        net.layers.push_back({.fan_in = static_cast<double>(below), .fan_out = static_cast<double>(above), .count = 1});
    return chain_graph(net);
}

/// Three blocks of m matrices with hidden widths of their own.
Net residual(Activation<double> const& activation, std::size_t m) {
    std::vector<BranchMatrix<double>> branch;
    for (std::size_t j = 1; j <= m; ++j) branch.push_back({.width = j == m ? 3.0 : 2.0 + static_cast<double>(j)});
    return residual_graph<double, std::uint64_t>(3, activation, {{branch, 3}});
}

Net dense(Activation<double> const& activation, bool gated_head, unsigned first_source) {
    std::vector<BranchMatrix<double>> layers;
    for (double const width : {2.0, 3.0, 1.0, 2.0}) layers.push_back({.width = width});
    return dense_graph<double, std::uint64_t>(2, activation, gated_head, layers, first_source);
}

/// The largest difference between the Jacobian by all weights and central differences, and the largest entry.
std::pair<double, double> compared(Net const& net, unsigned seed) {
    GraphLayout const layout(flattened(net));
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> weights(layout.size());
    std::vector<double> x(layout.nodes()[0].width);
    for (double& w : weights) w = normal(random);
    for (double& e : x) e = normal(random);
    if (layout.tied()) {
        for (auto const& edge : layout.edges())
            for (std::size_t i = 0; i < layout.entries(edge); ++i) weights[edge.negative + i] = weights[edge.first + i];
    }
    std::size_t const output = layout.nodes().size() - 1;
    auto const& top = layout.nodes()[output];
    GraphPass pass;
    auto value = [&](std::size_t t) {
        forward(layout, weights, x, pass);
        return pass.h[top.first + t];
    };
    double worst = 0;
    double largest = 0;
    constexpr double step = 1e-5;
    for (std::size_t t = 0; t < top.width; ++t) {
        for (std::size_t m = 0; m < weights.size(); ++m) {
            forward(layout, weights, x, pass);
            GraphDerivatives<0> derivatives(layout);
            derivatives.begin(pass);
            derivatives.forward({});
            derivatives.backward(output, true, t);
            double const exact = derivatives.derivative(m);
            double const before = weights[m];
            weights[m] = before + step;
            double const above = value(t);
            weights[m] = before - step;
            double const below = value(t);
            weights[m] = before;
            worst = std::max(worst, std::abs(exact - (above - below) / (2 * step)));
            largest = std::max(largest, std::abs(exact));
        }
    }
    return {worst, largest};
}

}  // namespace

TEST_SUITE("mlp/zoo_jacobians") {
    TEST_CASE("every wiring with every activation agrees with central differences") {
        std::vector<std::pair<std::string, Activation<double>>> const activations{
            {"linear", {.kind = ActivationKind::linear, .slope = 1}},
            {"relu", {.kind = ActivationKind::relu, .slope = 0}},
            {"leaky", {.kind = ActivationKind::leaky, .slope = -0.3}},
            {"crelu", {.kind = ActivationKind::crelu, .slope = 0}},
            {"crelu-tied", {.kind = ActivationKind::crelu_tied, .slope = 0}}};
        for (auto const& [name, activation] : activations) {
            std::vector<std::pair<std::string, Net>> nets;
            for (bool const gated : {false, true}) {
                std::string const head = gated ? ", gated head" : "";
                nets.emplace_back("vanilla" + head, vanilla(activation, gated));
                for (unsigned const first : {0U, 1U})
                    nets.emplace_back("dense from y^" + std::to_string(first) + head, dense(activation, gated, first));
            }
            for (std::size_t const m : {1U, 2U, 3U})
                nets.emplace_back("resnet:" + std::to_string(m), residual(activation, m));
            for (auto const& [wiring, net] : nets) {
                double largest = 0;
                for (unsigned seed = 1; seed <= 4; ++seed) {
                    auto const [worst, entry] = compared(net, seed);
                    INFO(name, ", ", wiring, ", seed ", seed);
                    CHECK(worst < 1e-7 * std::max(1.0, entry));
                    largest = std::max(largest, entry);
                }
                INFO(name, ", ", wiring);
                CHECK(largest > 0.1);  // not only dead networks
            }
        }
    }
}
