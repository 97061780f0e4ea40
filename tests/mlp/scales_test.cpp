// SPDX-License-Identifier: MIT
// A layer that acts as a scale times its weights: the network is that of W = scale theta, derivatives are by theta.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/gradient_step.hpp>
#include <isserlis/mlp/network.hpp>
#include <random>
#include <vector>

using isserlis::ActivationKind;
using isserlis::DomainError;
using isserlis::mlp::backward;
using isserlis::mlp::forward;
using isserlis::mlp::GradientStep;
using isserlis::mlp::Matrix;
using isserlis::mlp::Network;
using isserlis::mlp::Vector;

namespace {

std::vector<double> const scales{0.5, 1.5, 0.7};
std::vector<Eigen::Index> const widths{3, 4, 3, 2};

/// theta of a network of three layers, which it scales.
Network<double> scaled(ActivationKind kind) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    Network<double> net{.activation = {.kind = kind, .slope = 0.25}, .gated_head = false, .layers = {}};
    auto draw = [&](std::size_t q) {
        Matrix<double> m(widths[q + 1], widths[q]);
        for (double& w : m.reshaped()) w = normal(random);
        return m;
    };
    for (std::size_t q = 0; q < 3; ++q) {
        net.layers.push_back({.weights = draw(q), .negative = {}});
        if (net.activation.is_concatenated()) net.layers.back().negative = draw(q);
    }
    net.scales = scales;
    return net;
}

/// The same network by the matrices themselves.
Network<double> by_matrices(Network<double> net) {
    for (std::size_t q = 0; q < net.layers.size(); ++q) {
        net.layers[q].weights *= net.scales[q];
        net.layers[q].negative *= net.scales[q];
    }
    net.scales.clear();
    return net;
}

Vector<double> input() {
    Vector<double> x(3);
    x << 1, -0.5, 2;
    return x;
}

double largest(Matrix<double> const& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

}  // namespace

TEST_SUITE("mlp/scales") {
    TEST_CASE("the outputs are those of W = scale theta, the gradient by theta is scale times that by W") {
        for (auto const kind : {ActivationKind::relu, ActivationKind::leaky, ActivationKind::crelu}) {
            auto const net = scaled(kind);
            auto const plain = by_matrices(net);
            auto const pass = forward(net, input());
            auto const plain_pass = forward(plain, input());
            Vector<double> const g = Vector<double>::Ones(2);
            auto const by_theta = backward(net, input(), g);
            auto const by_w = backward(plain, input(), g);
            for (std::size_t q = 0; q < 3; ++q) {
                CHECK(largest(pass.preactivations[q] - plain_pass.preactivations[q]) < 1e-12);
                CHECK(largest(by_theta[q].weights - scales[q] * by_w[q].weights) < 1e-12);
                CHECK(largest(by_theta[q].weights) > 1e-3);
                if (net.activation.is_concatenated())
                    CHECK(largest(by_theta[q].negative - scales[q] * by_w[q].negative) < 1e-12);
            }
        }
    }

    TEST_CASE("a gradient and its step are by theta: central differences and networks drawn anew") {
        auto const net = scaled(ActivationKind::relu);
        Matrix<double> x(3, 2);
        x << 1, 0.5, -0.5, 1, 2, -1;
        Matrix<double> const g = Matrix<double>::Ones(2, 2);
        GradientStep step(net, x);
        step.forward();
        step.backward(g);
        auto const sum_of_outputs = [&](Network<double> const& at) {
            double out = 0;
            for (Eigen::Index k = 0; k < 2; ++k) out += forward(at, x.col(k)).activations.back().sum() / 2;
            return out;
        };
        constexpr double h = 1e-6;
        for (std::size_t q = 0; q < 3; ++q) {
            auto above = net;
            auto below = net;
            above.layers[q].weights(1, 0) += h;
            below.layers[q].weights(1, 0) -= h;
            double const slope = (sum_of_outputs(above) - sum_of_outputs(below)) / (2 * h);
            CHECK(step.update(q + 1)(1, 0) == doctest::Approx(slope).epsilon(1e-6));
        }
        auto const stepped = [&](double rate) {
            auto out = net;
            for (std::size_t q = 0; q < 3; ++q) out.layers[q].weights -= rate * step.update(q + 1);
            return out;
        };
        Matrix<double> const after = step.outputs_after(0.01);
        for (Eigen::Index k = 0; k < 2; ++k)
            CHECK(largest(after.col(k) - forward(stepped(0.01), x.col(k)).activations.back()) < 1e-12);
        step.differentiate();
        auto const at = [&](double rate) {
            return Vector<double>(forward(stepped(rate), x.col(0)).activations.back());
        };
        constexpr double e = 1e-4;
        CHECK(largest(step.first_derivatives().col(0) - (at(e) - at(-e)) / (2 * e)) < 1e-5);
        CHECK(largest(step.second_derivatives().col(0) - (at(e) - 2 * at(0) + at(-e)) / (e * e)) < 1e-4);
    }

    // theta = sqrt(r) u moves by r times its gradient where u moves by its own.
    TEST_CASE("a layer's rate multiplies its step") {
        std::vector<double> const rates{4, 0.25, 1};
        auto const net = scaled(ActivationKind::leaky);
        auto same = net;
        for (std::size_t q = 0; q < 3; ++q) {
            same.layers[q].weights /= std::sqrt(rates[q]);
            same.scales[q] *= std::sqrt(rates[q]);
        }
        Matrix<double> const x(input());
        Matrix<double> const g = Matrix<double>::Ones(2, 1);
        GradientStep step(net, x);
        step.set_rates(rates);
        GradientStep other(same, x);
        for (auto* one : {&step, &other}) {
            one->forward();
            one->backward(g);
            one->differentiate();
        }
        CHECK(largest(step.first_derivatives() - other.first_derivatives()) < 1e-12);
        CHECK(largest(step.second_derivatives() - other.second_derivatives()) < 1e-12);
        CHECK(largest(step.outputs_after(0.01) - other.outputs_after(0.01)) < 1e-12);
        CHECK(step.squared_update() == doctest::Approx(-step.first_derivatives().sum()));
        CHECK_THROWS_AS(step.set_rates({1, 2}), DomainError);
    }

    TEST_CASE("scales are one for each layer or none") {
        auto net = scaled(ActivationKind::relu);
        net.scales.pop_back();
        CHECK_THROWS_AS((void)forward(net, input()), DomainError);
        CHECK_THROWS_AS(GradientStep(net, Matrix<double>(input())), DomainError);
    }
}
