// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss.hpp>
#include <isserlis/mlp/loss_derivative_sums.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/mlp/network.hpp>
#include <utility>

#include "random_network.hpp"

namespace {

using isserlis::ActivationKind;
using isserlis::LossKind;
using isserlis::mlp::derivatives_at;
using isserlis::mlp::GivenDerivatives;
using isserlis::mlp::Layer;
using isserlis::mlp::loss_after_step;
using isserlis::mlp::loss_derivatives;
using isserlis::mlp::LossDerivatives;
using isserlis::mlp::LossDerivativeSums;
using isserlis::mlp::Matrix;
using isserlis::mlp::Network;
using isserlis::mlp::Samples;
using isserlis::mlp::Vector;

constexpr auto all_kinds = {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky, ActivationKind::crelu,
                            ActivationKind::crelu_tied};

Matrix<double> outputs_of(Network<double> const& net, Matrix<double> const& inputs) {
    Matrix<double> out(net.layers.back().weights.rows(), inputs.cols());
    for (Eigen::Index k = 0; k < inputs.cols(); ++k) out.col(k) = forward(net, inputs.col(k)).activations.back();
    return out;
}

Matrix<double> targets_for(LossKind kind, std::mt19937_64& random, Eigen::Index outputs, Eigen::Index samples) {
    if (kind == LossKind::squared || kind == LossKind::half_squared)
        return random_network::matrix(random, outputs, samples);
    Matrix<double> out = Matrix<double>::Zero(outputs, samples);
    for (Eigen::Index k = 0; k < samples; ++k) out(static_cast<Eigen::Index>(random()) & 1, k) = 1;
    return out;
}

/// The mean over samples of backpropagated gradients, [Hettinger 2019, Def 3.25].
std::vector<Layer<double>> mean_gradient(Network<double> const& net, Matrix<double> const& inputs,
                                         Matrix<double> const& gradients) {
    std::vector<Layer<double>> out;
    for (Eigen::Index k = 0; k < inputs.cols(); ++k) {
        auto one = backward(net, inputs.col(k), gradients.col(k));
        if (out.empty()) {
            out = one;
            continue;
        }
        for (std::size_t q = 0; q < out.size(); ++q) {
            out[q].weights += one[q].weights;
            out[q].negative += one[q].negative;
        }
    }
    for (auto& layer : out) {
        layer.weights /= static_cast<double>(inputs.cols());
        layer.negative /= static_cast<double>(inputs.cols());
    }
    return out;
}

/// The loss after a step, by nothing but forward and backward passes of single samples.
double stepped_loss(Network<double> net, Samples const& samples, LossKind loss, double rate) {
    auto const given = derivatives_at(loss, outputs_of(net, samples.inputs), samples.targets);
    auto const step = mean_gradient(net, samples.inputs, given.gradients);
    for (std::size_t q = 0; q < step.size(); ++q) {
        net.layers[q].weights -= rate * step[q].weights;
        net.layers[q].negative -= rate * step[q].negative;
    }
    return isserlis::mlp::mean_loss(loss, outputs_of(net, samples.inputs), samples.targets);
}

/// A(x) of [Hettinger 2019, Def 3.15]: the diagonal matrix that keeps positive entries.
Matrix<double> open_sides(Vector<double> const& x) { return (x.array() > 0).cast<double>().matrix().asDiagonal(); }

/// Lemma 3.21 with the matrices it is written in; P alone of a linear network, for which A(x) + A(-x) = 1 stands.
std::vector<Layer<double>> printed_recursion(Network<double> const& net, Vector<double> const& x,
                                             Vector<double> by_output) {
    bool const split = net.activation.is_concatenated();
    std::vector<Vector<double>> entering{x};  // x_0 .. x_n
    std::vector<Matrix<double>> effective;    // W_1 .. W_n
    for (auto const& [positive, negative] : net.layers) {
        Vector<double> const& in = entering.back();
        effective.emplace_back(positive);
        if (split) effective.back() = positive * open_sides(in) + negative * open_sides(-in);
        entering.emplace_back(effective.back() * in);
    }
    std::vector<Layer<double>> out(net.layers.size());
    for (std::size_t i = net.layers.size(); i-- > 0;) {
        Matrix<double> const outer = by_output * entering[i].transpose();
        out[i].weights = split ? Matrix<double>(outer * open_sides(entering[i])) : outer;
        if (split) out[i].negative = outer * open_sides(-entering[i]);
        by_output = (effective[i].transpose() * by_output).eval();
    }
    return out;
}

/// The gradient of the loss by every single weight, by central differences.
std::vector<Layer<double>> difference_gradient(Network<double>& net, Samples const& one, LossKind loss) {
    constexpr double step = 1e-5;
    auto const by_entries = [&](Matrix<double>& weights) {
        Matrix<double> out(weights.rows(), weights.cols());
        for (Eigen::Index i = 0; i < weights.size(); ++i) {
            double& w = weights.data()[i];
            double const before = w;
            auto const at = [&](double value) {
                w = value;
                return isserlis::mlp::mean_loss(loss, outputs_of(net, one.inputs), one.targets);
            };
            out.data()[i] = (at(before + step) - at(before - step)) / (2 * step);
            w = before;
        }
        return out;
    };
    std::vector<Layer<double>> out;
    for (auto& layer : net.layers)
        out.push_back({.weights = by_entries(layer.weights), .negative = by_entries(layer.negative)});
    return out;
}

/// Relative to a; both must have the same parts.
double distance(Layer<double> const& a, Layer<double> const& b) {
    REQUIRE(a.negative.size() == b.negative.size());
    return ((a.weights - b.weights).norm() + (a.negative - b.negative).norm()) /
           (1 + a.weights.norm() + a.negative.norm());
}

}  // namespace

TEST_SUITE("mlp/loss_derivatives") {
    // One linear weight w = 2, x = 3, y = 1: z = 6, g = 10, dw = 30, z' = -90; L = 25, L' = -900, L'' = 2 * 90^2.
    TEST_CASE("a net of one weight, by hand") {
        Network<double> const net{.activation = {.kind = ActivationKind::linear},
                                  .gated_head = false,
                                  .layers = {{.weights = Matrix<double>::Constant(1, 1, 2), .negative = {}}}};
        Samples const one{.inputs = Matrix<double>::Constant(1, 1, 3), .targets = Matrix<double>::Ones(1, 1)};
        auto const at = loss_derivatives(net, one, LossKind::squared);
        CHECK(at.loss == 25);
        CHECK(at.slope == -900);
        CHECK(at.curvature_gamma == 0);
        CHECK(at.curvature_chi == 16200);
        CHECK(*isserlis::mlp::greedy_rate(at) == doctest::Approx(1.0 / 18));  // 1/(2 x^2), a step to the minimum
        CHECK(*isserlis::mlp::greedy_rate_printed(at) == doctest::Approx(1.0 / 36));
        CHECK(loss_after_step(net, one, LossKind::squared, 1.0 / 18) == doctest::Approx(0).epsilon(1e-12));
        CHECK_FALSE(isserlis::mlp::greedy_rate({.loss = 1, .slope = -1, .curvature_gamma = -3, .curvature_chi = 2}));
    }

    // Two weights of 1, x = 1, y = 0, |z - y|^2 [Hettinger 2019]: chi = 2 (z')^2 = 2 * 16, gamma = 2 * 2 * dw1 dw2
    // = 16.
    TEST_CASE("a chain of two weights bends, by hand") {
        for (auto const kind : {ActivationKind::linear, ActivationKind::relu, ActivationKind::crelu_tied}) {
            Matrix<double> const w = Matrix<double>::Ones(1, 1);
            Matrix<double> const n = kind == ActivationKind::crelu_tied ? w : Matrix<double>();
            Network<double> const net{.activation = {.kind = kind},
                                      .gated_head = false,
                                      .layers = {{.weights = w, .negative = n}, {.weights = w, .negative = n}}};
            auto const at =
                loss_derivatives(net, {.inputs = w, .targets = Matrix<double>::Zero(1, 1)}, LossKind::squared);
            CHECK(at.slope == -8);
            CHECK(at.curvature_chi == 32);
            CHECK(at.curvature_gamma == 16);
        }
    }

    TEST_CASE("loss, slope and curvature are those of the true step, by finite differences") {
        std::mt19937_64 random(3);
        for (auto const kind : all_kinds)
            for (auto const& loss : isserlis::losses)
                for (bool const gated_head : {false, true}) {
                    CAPTURE(name(kind));
                    CAPTURE(loss.name);
                    auto net = random_network::network(random, kind, {3, 4, 3, 2});
                    net.gated_head = gated_head;
                    Samples const samples{.inputs = random_network::matrix(random, 3, 5),
                                          .targets = targets_for(loss.kind, random, 2, 5)};
                    auto const at = loss_derivatives(net, samples, loss.kind);
                    double const h = 1e-4 / (1 + std::sqrt(std::abs(at.curvature())));
                    auto const f = [&](double rate) { return stepped_loss(net, samples, loss.kind, rate); };
                    CHECK(*at.loss == doctest::Approx(f(0)).epsilon(1e-13));
                    double const slope = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
                    double const curvature = (16 * (f(h) + f(-h)) - (f(2 * h) + f(-2 * h)) - 30 * f(0)) / (12 * h * h);
                    double const scale = std::abs(at.curvature()) + std::abs(*at.loss);
                    CHECK(std::abs(slope - at.slope) < 1e-7 * (std::abs(at.slope) + scale * h));
                    CHECK(std::abs(curvature - at.curvature()) < 1e-4 * scale);
                    for (double const rate : {0.0, 0.01, 0.3})
                        CHECK(loss_after_step(net, samples, loss.kind, rate) ==
                              doctest::Approx(f(rate)).epsilon(1e-12));
                }
    }

    // [Hettinger 2019, Lemma 4.14]: L'(0) = -sum_i |dP_i|^2 + |dN_i|^2.
    TEST_CASE("the slope is minus the squared size of the step") {
        std::mt19937_64 random(4);
        for (auto const kind : all_kinds) {
            auto const net = random_network::network(random, kind, {2, 5, 3, 2});
            Samples const samples{.inputs = random_network::matrix(random, 2, 4),
                                  .targets = random_network::matrix(random, 2, 4)};
            auto const given = derivatives_at(LossKind::squared, outputs_of(net, samples.inputs), samples.targets);
            double size = 0;
            for (auto const& layer : mean_gradient(net, samples.inputs, given.gradients))
                size += layer.weights.squaredNorm() + layer.negative.squaredNorm();
            CHECK(loss_derivatives(net, samples, LossKind::squared).slope == doctest::Approx(-size).epsilon(1e-12));
        }
    }

    TEST_CASE("the sums of Lemmas 4.14 and 4.16, term by term, are what one pass gives") {
        std::mt19937_64 random(5);
        for (auto const kind : {ActivationKind::linear, ActivationKind::crelu, ActivationKind::crelu_tied})
            for (auto const& loss : isserlis::losses) {
                CAPTURE(name(kind));
                CAPTURE(loss.name);
                auto const net = random_network::network(random, kind, {3, 4, 2, 3, 2});
                Samples const samples{.inputs = random_network::matrix(random, 3, 4),
                                      .targets = targets_for(loss.kind, random, 2, 4)};
                auto const at = loss_derivatives(net, samples, loss.kind);
                auto const given = derivatives_at(loss.kind, outputs_of(net, samples.inputs), samples.targets);
                LossDerivativeSums const sums(net, samples.inputs, given);
                CHECK(sums.slope() == doctest::Approx(at.slope).epsilon(1e-11));
                double const scale = std::abs(at.curvature_chi) + std::abs(at.curvature_gamma);
                CHECK(std::abs(sums.curvature_gamma() - at.curvature_gamma) < 1e-11 * scale);
                CHECK(std::abs(sums.curvature_chi() - at.curvature_chi) < 1e-11 * scale);
                // alpha_kk = |x_(i-1)^k|^2, and alpha of P and N together is never negative.
                auto const pass = forward(net, samples.inputs.col(1));
                CHECK(sums.alpha(3, 1, 1) == doctest::Approx(pass.activations[1].squaredNorm()).epsilon(1e-12));
                if (kind != ActivationKind::linear) CHECK(sums.alpha(2, 0, 3) >= 0);
                // Gradients and Hessians that are given count as constants: the same numbers, and no loss.
                auto const fixed = loss_derivatives(net, samples.inputs, given);
                CHECK_FALSE(fixed.loss.has_value());
                CHECK(fixed.slope == doctest::Approx(at.slope).epsilon(1e-12));
                CHECK(std::abs(fixed.curvature() - at.curvature()) < 1e-12 * scale);
            }
    }

    TEST_CASE("Lemmas 3.21 and 3.23, backpropagation and finite differences give the same gradients") {
        std::mt19937_64 random(6);
        for (auto const kind : {ActivationKind::linear, ActivationKind::crelu, ActivationKind::crelu_tied})
            for (auto const& loss : isserlis::losses) {
                CAPTURE(name(kind));
                CAPTURE(loss.name);
                auto net = random_network::network(random, kind, {3, 4, 2, 2});
                Samples const samples{.inputs = random_network::matrix(random, 3, 2),
                                      .targets = targets_for(loss.kind, random, 2, 2)};
                auto const given = derivatives_at(loss.kind, outputs_of(net, samples.inputs), samples.targets);
                LossDerivativeSums const sums(net, samples.inputs, given);
                for (Eigen::Index k = 0; k < 2; ++k) {
                    Vector<double> const x = samples.inputs.col(k);
                    auto const recursive = backward(net, x, given.gradients.col(k));
                    auto const printed = printed_recursion(net, x, given.gradients.col(k));
                    auto const differences =
                        difference_gradient(net, {.inputs = x, .targets = samples.targets.col(k)}, loss.kind);
                    double size = 0;
                    for (std::size_t i = 1; i <= 3; ++i) {
                        auto const product = sums.gradient(i, k);
                        CHECK(distance(product, recursive[i - 1]) < 1e-12);
                        CHECK(distance(product, printed[i - 1]) < 1e-12);
                        CHECK(distance(product, differences[i - 1]) < 1e-6);
                        size += product.weights.norm() + product.negative.norm();
                    }
                    CHECK(size > 1e-3);
                }
            }
    }

    // Section 0 of the corrected thesis: with one sample R^2 + L^2 is the identity on x, so P = N moves as one matrix.
    TEST_CASE("with one sample the symmetric start is a linear network to second order; with two it is not") {
        std::mt19937_64 random(7);
        auto tied = random_network::network(random, ActivationKind::crelu_tied, {3, 4, 4, 2});
        auto linear = tied;
        linear.activation.kind = ActivationKind::linear;
        Samples const two{.inputs = random_network::matrix(random, 3, 2),
                          .targets = random_network::matrix(random, 2, 2)};
        Samples const one{.inputs = two.inputs.leftCols(1), .targets = two.targets.leftCols(1)};
        auto const a = loss_derivatives(tied, one, LossKind::squared);
        auto const b = loss_derivatives(linear, one, LossKind::squared);
        CHECK(*a.loss == doctest::Approx(*b.loss).epsilon(1e-13));
        CHECK(a.slope == doctest::Approx(b.slope).epsilon(1e-12));
        CHECK(a.curvature_gamma == doctest::Approx(b.curvature_gamma).epsilon(1e-11));
        CHECK(a.curvature_chi == doctest::Approx(b.curvature_chi).epsilon(1e-11));
        auto const c = loss_derivatives(tied, two, LossKind::squared);
        auto const d = loss_derivatives(linear, two, LossKind::squared);
        CHECK(std::abs(c.slope - d.slope) > 0.01 * std::abs(d.slope));
    }

    TEST_CASE("a step with a pre-activation at minus infinity has the limit of ReLU, and no number without one") {
        Network<double> net{.activation = {.kind = ActivationKind::relu, .slope = 0}, .layers = {}};
        net.layers.push_back({.weights = Matrix<double>{{-1e200}, {1}}, .negative = {}});
        net.layers.push_back({.weights = Matrix<double>{{2, 3}}, .negative = {}});
        isserlis::mlp::GradientStep step(net, Matrix<double>{{1e200, 1}});
        CHECK(step.forward() == Matrix<double>{{3e200, 3}});
        step.backward(Matrix<double>{{0, 1}});
        step.differentiate();
        // By hand: dW_2 = (0, 1)/2, dW_1 = (0; 3)/2 from the second sample.
        CHECK(step.update(2) == Matrix<double>{{0, 0.5}});
        CHECK(step.update(1) == Matrix<double>{{0}, {1.5}});
        Matrix<double> const after = step.outputs_after(1);
        CHECK(after(0, 1) == 0);  // W_1 = (-1e200; -1/2): both gates are closed
        CHECK(after(0, 0) == 0);
        isserlis::mlp::GradientStep nothing(net, Matrix<double>{{std::nan("")}});
        CHECK(std::isnan(nothing.forward()(0, 0)));
    }

    TEST_CASE("a step refuses calls before those that they need") {
        Network<double> const net{.activation = {.kind = ActivationKind::relu, .slope = 0},
                                  .layers = {{.weights = Matrix<double>{{2.0}}, .negative = {}}}};
        isserlis::mlp::GradientStep step(net, Matrix<double>{{1.0}});
        auto const refused = [](auto const& call) { CHECK_THROWS_AS(call(), isserlis::DomainError); };
        refused([&] { step.backward(Matrix<double>{{1.0}}); });
        refused([&] { step.differentiate(); });
        refused([&] { (void)step.outputs_after(1); });
        step.forward();
        refused([&] { step.differentiate(); });
        step.backward(Matrix<double>{{1.0}});
        step.differentiate();
        CHECK(step.outputs_after(1)(0, 0) == 1);  // 2 - 1
        (void)std::as_const(step).weights(1);     // reading changes nothing
        CHECK(step.outputs_after(0)(0, 0) == 2);
        step.weights(1)(0, 0) = 5;
        refused([&] { (void)step.outputs_after(1); });
        refused([&] { step.backward(Matrix<double>{{1.0}}); });
        CHECK(step.forward()(0, 0) == 5);
    }

    TEST_CASE("what does not fit is named") {
        std::mt19937_64 random(8);
        auto const net = random_network::network(random, ActivationKind::crelu, {3, 4, 2});
        Matrix<double> const x = random_network::matrix(random, 3, 2);
        auto const refuse = [&](Samples const& samples, char const* message) {
            CHECK_THROWS_WITH_AS(static_cast<void>(loss_derivatives(net, samples, LossKind::squared)), message,
                                 isserlis::DomainError);
        };
        refuse({.inputs = x.topRows(2), .targets = x.topRows(2)},
               "GradientStep: the inputs have 2 features, the network takes 3");
        refuse({.inputs = x, .targets = x},
               "loss_derivatives: the targets are 3 x 2, the outputs 2 x 2; they must agree");
        refuse({.inputs = Matrix<double>(3, 0), .targets = Matrix<double>(2, 0)},
               "GradientStep: there are no samples; at least 1 is needed");
        auto broken = net;
        broken.layers[1].negative = Matrix<double>::Zero(2, 3);
        CHECK_THROWS_WITH_AS(
            static_cast<void>(loss_derivatives(broken, {.inputs = x, .targets = x.topRows(2)}, LossKind::squared)),
            "GradientStep: layer 2 has N of 2 x 3; 2 x 4 is required", isserlis::DomainError);
        GivenDerivatives const lopsided{.gradients = x.topRows(2),
                                        .hessians = {Matrix<double>{{1, 2}, {3, 4}}, Matrix<double>::Zero(2, 2)}};
        CHECK_THROWS_WITH_AS(static_cast<void>(loss_derivatives(net, x, lopsided)),
                             "loss_derivatives: the Hessian of sample 1 is not symmetric 2 x 2", isserlis::DomainError);
        auto const relu = random_network::network(random, ActivationKind::relu, {3, 4, 2});
        CHECK_THROWS_AS(LossDerivativeSums(relu, x, {}), isserlis::UnsupportedError);
        CHECK(isserlis::mlp::columns({{1, 2}, {3, 4}, {5, 6}}) == Matrix<double>{{1, 3, 5}, {2, 4, 6}});
        CHECK_THROWS_AS(isserlis::mlp::columns({{1, 2}, {3}}), isserlis::DomainError);
        CHECK_THROWS_AS(isserlis::mlp::columns({}), isserlis::DomainError);
    }
}
