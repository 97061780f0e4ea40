// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/network.hpp>
#include <random>

namespace {

using isserlis::ActivationKind;
using isserlis::mlp::Matrix;
using isserlis::mlp::Network;
using isserlis::mlp::Vector;

Matrix<double> random_matrix(std::mt19937_64& random, Eigen::Index rows, Eigen::Index cols) {
    std::normal_distribution<double> normal;
    return Matrix<double>::NullaryExpr(rows, cols, [&] { return normal(random); });
}

/// Largest difference between the gradient by one matrix and central differences of g . output.
double worst_difference(Network<double>& net, Matrix<double>& weights, Matrix<double> const& gradient,
                        Vector<double> const& x, Vector<double> const& g) {
    constexpr double step = 1e-5;
    double worst = 0;
    for (Eigen::Index i = 0; i < weights.size(); ++i) {
        double& w = weights.data()[i];
        double const before = w;
        w = before + step;
        double const above = g.dot(forward(net, x).activations.back());
        w = before - step;
        double const below = g.dot(forward(net, x).activations.back());
        w = before;
        worst = std::max(worst, std::abs((above - below) / (2 * step) - gradient.data()[i]));
    }
    return worst;
}

}  // namespace

TEST_SUITE("mlp/backward") {
    // W_1 = (1 -2; 3 1), W_2 = (2 -1), x = (1, 2): z^1 = (-3, 5), h^1 = (0, 5); with g = 1, dW_2 = h^1' and
    // dW_1 = (0, -1)' x' by hand.
    TEST_CASE_TEMPLATE("the gradient of a 2-2-1 ReLU net", T, float, double) {
        Network<T> net{.activation = {.kind = ActivationKind::relu}, .gated_head = false, .layers = {}};
        net.layers = {{.weights = Matrix<T>{{1, -2}, {3, 1}}, .negative = {}},
                      {.weights = Matrix<T>{{2, -1}}, .negative = {}}};
        auto const gradient = backward(net, Vector<T>{{1, 2}}, Vector<T>::Constant(1, T(1)));
        CHECK(gradient[1].weights == Matrix<T>{{0, 5}});
        CHECK(gradient[0].weights == Matrix<T>{{0, 0}, {-1, -2}});
        CHECK(gradient[0].negative.size() == 0);
    }

    // The kinks of these random nets lie much further off than the step; the differences are exact to step^2.
    TEST_CASE("every gradient agrees with central differences") {
        std::mt19937_64 random(20);
        for (auto const kind : {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky,
                                ActivationKind::crelu, ActivationKind::crelu_tied})
            for (bool const gated_head : {false, true}) {
                CAPTURE(name(kind));
                CAPTURE(gated_head);
                Network<double> net{
                    .activation = {.kind = kind, .slope = -0.4}, .gated_head = gated_head, .layers = {}};
                Eigen::Index fan_in = 3;
                for (Eigen::Index const fan_out : {4, 3, 2}) {
                    auto& layer = net.layers.emplace_back();
                    layer.weights = random_matrix(random, fan_out, fan_in);
                    if (kind == ActivationKind::crelu) layer.negative = random_matrix(random, fan_out, fan_in);
                    if (kind == ActivationKind::crelu_tied) layer.negative = layer.weights;
                    fan_in = fan_out;
                }
                Vector<double> const x = random_matrix(random, 3, 1);
                Vector<double> const g = random_matrix(random, 2, 1);
                auto const gradient = backward(net, x, g);
                for (std::size_t q = 0; q < 3; ++q) {
                    CHECK(worst_difference(net, net.layers[q].weights, gradient[q].weights, x, g) < 1e-8);
                    CHECK(worst_difference(net, net.layers[q].negative, gradient[q].negative, x, g) < 1e-8);
                }
            }
    }

    // z^1 = 1 - 1 = 0 by hand.
    TEST_CASE("relu'(0) = 0, and the two sides of a concatenated ReLU add up to the identity at 0") {
        Network<double> net{.activation = {.kind = ActivationKind::relu}, .gated_head = false, .layers = {}};
        net.layers = {{.weights = Matrix<double>{{1, -1}}, .negative = Matrix<double>{{1, -1}}},
                      {.weights = Matrix<double>{{3}}, .negative = Matrix<double>{{3}}}};
        Vector<double> const x{{1, 1}};
        auto const one = Vector<double>::Ones(1);
        CHECK(backward(net, x, one)[0].weights == Matrix<double>{{0, 0}});
        net.activation.kind = ActivationKind::crelu_tied;
        CHECK(backward(net, x, one)[0].weights == Matrix<double>{{3, 3}});
        // Untied, each side has half: (3 + 4)/2.
        net.activation.kind = ActivationKind::crelu;
        net.layers[1].negative = Matrix<double>{{4}};
        CHECK(backward(net, x, one)[0].weights == Matrix<double>{{3.5, 3.5}});
    }

    TEST_CASE("an input or an output gradient that does not fit is refused") {
        Network<double> net{.activation = {}, .gated_head = false, .layers = {}};
        net.layers = {{.weights = Matrix<double>{{1, -1}}, .negative = {}}};
        Vector<double> const x{{1, 1}};
        CHECK_THROWS_AS((void)backward(net, x, Vector<double>::Ones(2)), isserlis::DomainError);
        CHECK_THROWS_AS((void)backward(net, Vector<double>::Ones(3), Vector<double>::Ones(1)), isserlis::DomainError);
        net.layers.clear();
        CHECK_THROWS_AS((void)backward(net, x, Vector<double>::Ones(1)), isserlis::DomainError);
    }
}
