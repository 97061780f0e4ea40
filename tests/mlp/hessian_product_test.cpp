// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/backward.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>

#include <cmath>

namespace {

using isserlis::mlp::LossHessian;
using isserlis::mlp::Network;
using isserlis::mlp::Vector;

Network<double> drawn(std::vector<std::size_t> const& widths, double slope, std::uint64_t sample) {
    isserlis::monte_carlo::NetworkModel model;
    model.widths = widths;
    model.activation = {.kind = isserlis::ActivationKind::leaky, .slope = slope};
    model.laws.assign(widths.size() - 1, {});
    model.variances.assign(widths.size() - 1, 0.8);
    model.input.assign(widths.front(), 1.0);
    return isserlis::monte_carlo::draw_network<double>(model, 3, sample);
}

/// The gradient of 1/2 |z - y|^2, all weights in a row.
Vector<double> gradient(Network<double> const& net, Vector<double> const& x, Vector<double> const& y) {
    auto const pass = isserlis::mlp::forward(net, x);
    Vector<double> const slope = pass.activations.back() - y;
    std::vector<double> out;
    for (auto const& layer : isserlis::mlp::backward(net, pass, slope))
        out.insert(out.end(), layer.weights.data(), layer.weights.data() + layer.weights.size());
    return Eigen::Map<Vector<double>>(out.data(), static_cast<Eigen::Index>(out.size()));
}

}  // namespace

TEST_SUITE("mlp/hessian_product") {
    // Inside a cell of fixed gates the gradient is a polynomial: a central difference errs by the square of its step.
    TEST_CASE("products are differences of gradients") {
        Vector<double> const x{{0.5, -1.0, 2.0}};
        Vector<double> const y{{0.3, -0.7}};
        for (double const slope : {0.0, 0.2, 1.0}) {
            auto const net = drawn({3, 4, 3, 2}, slope, 1);
            std::vector<double> const factors{0.5, 2.0, 1.5};
            LossHessian const hessian(net, x, y, factors);
            REQUIRE(hessian.weights() == 12 + 12 + 6);
            Vector<double> direction(hessian.weights());
            for (Eigen::Index i = 0; i < direction.size(); ++i) direction[i] = std::sin(1.0 + static_cast<double>(i));
            Vector<double> out(hessian.weights());
            hessian.apply(direction.data(), out.data());

            double const step = 1e-5;
            Vector<double> difference = Vector<double>::Zero(hessian.weights());
            for (double const sign : {1.0, -1.0}) {
                auto moved = net;
                Eigen::Index at = 0;
                for (std::size_t l = 0; l < moved.layers.size(); ++l) {
                    auto& w = moved.layers[l].weights;
                    for (Eigen::Index i = 0; i < w.size(); ++i, ++at)
                        w.data()[i] += sign * step * std::sqrt(factors[l]) * direction[at];
                }
                difference += sign / (2 * step) * gradient(moved, x, y);
            }
            Eigen::Index at = 0;
            for (std::size_t l = 0; l < net.layers.size(); ++l) {
                for (Eigen::Index i = 0; i < net.layers[l].weights.size(); ++i, ++at)
                    CHECK(out[at] == doctest::Approx(std::sqrt(factors[l]) * difference[at]).epsilon(1e-6));
            }
        }
    }

    // By hand: z = v w with x = 1, both positive, y = 0: the Hessian of v^2 w^2/2 is [[v^2, 2vw], [2vw, w^2]].
    TEST_CASE("one hidden neuron has the Hessian of a product") {
        Network<double> net;
        net.layers.resize(2);
        net.layers[0].weights.resize(1, 1);
        net.layers[1].weights.resize(1, 1);
        net.layers[0].weights(0, 0) = 3;
        net.layers[1].weights(0, 0) = 2;
        LossHessian const hessian(net, Vector<double>{{1}}, Vector<double>{{0}}, {1, 1});
        double const first[2] = {1, 0};
        double out[2] = {0, 0};
        hessian.apply(first, out);
        CHECK(out[0] == 4);
        CHECK(out[1] == 12);
    }

    TEST_CASE("sizes that clash are refused") {
        auto const net = drawn({2, 2, 1}, 0, 1);
        Vector<double> const x{{1, 1}};
        CHECK_THROWS_AS(LossHessian(net, x, Vector<double>{{0, 0}}, {1, 1}), isserlis::DomainError);
        CHECK_THROWS_AS(LossHessian(net, x, Vector<double>{{0}}, {1}), isserlis::DomainError);
        CHECK_THROWS_AS(LossHessian(net, x, Vector<double>{{0}}, {1, -1}), isserlis::DomainError);
    }
}
