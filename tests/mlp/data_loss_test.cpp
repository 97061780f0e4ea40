// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/gradient_step.hpp>
#include <isserlis/mlp/graph_derivatives.hpp>
#include <isserlis/mlp/loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <random>

#include "dot.hpp"
#include "graphs.hpp"
#include "random_network.hpp"

using isserlis::test::dot;

using namespace isserlis::mlp;

TEST_SUITE("mlp/data_loss") {
    namespace {

    using isserlis::ActivationKind;
    using isserlis::DomainError;
    using isserlis::LossKind;
    using Index = Eigen::Index;
    using Numbers = std::vector<double>;

    constexpr auto all_kinds = {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky,
                                ActivationKind::crelu, ActivationKind::crelu_tied};

    Matrix<double> targets_for(Objective goal, std::mt19937_64& random, Index outputs, Index samples) {
        Matrix<double> out = random_network::matrix(random, outputs, samples);
        if (goal == Objective::squared || goal == Objective::half_squared) return out;
        for (Index k = 0; k < samples; ++k) {
            auto const top = static_cast<Index>(random() % static_cast<unsigned>(outputs));
            for (Index i = 0; i < outputs; ++i) out(i, k) = i == top ? 1 : 0;
        }
        return out;
    }

    }  // namespace

    // The fast path is written apart: a chain, [P N] in one matrix, no flat vector.
    TEST_CASE("GradientStep has the same outputs, gradient, slope and curvature") {
        std::mt19937_64 random(11);
        for (auto const kind : all_kinds)
            for (auto const& [goal, loss_kind] :
                 {std::pair(Objective::squared, LossKind::squared),
                  std::pair(Objective::cross_entropy, LossKind::cross_entropy),
                  std::pair(Objective::binary_cross_entropy, LossKind::binary_cross_entropy)}) {
                CAPTURE(name(kind));
                CAPTURE(name(goal));
                auto const net = random_network::network(random, kind, {3, 5, 4, 2});
                auto const chain = architecture_of(net);
                auto const weights = parameters_of(net);
                Examples<double> const examples{random_network::matrix(random, 3, 7), targets_for(goal, random, 2, 7)};
                DataLoss<double> loss(chain, goal);
                Numbers gradient(weights.size());
                double const value = loss.gradient(weights, examples, gradient).loss;

                GradientStep step(net, examples.inputs);
                auto const outputs = network_outputs<double>(chain, weights, examples.inputs);
                // [P N] is one product there and two here; all else has the same bits.
                double const apart = (step.forward() - outputs).cwiseAbs().maxCoeff();
                CHECK(apart <= (net.activation.is_concatenated() ? 1e-14 * outputs.cwiseAbs().maxCoeff() : 0));
                Matrix<double> output_gradients;
                loss_gradients(loss_kind, step.outputs(), examples.targets, output_gradients);
                step.backward(output_gradients);
                std::size_t at = 0;
                for (std::size_t q = 1; q <= 3; ++q) {
                    Index const cols = net.layers[q - 1].weights.cols();
                    for (Index first = 0; first < step.update(q).cols(); first += cols)
                        for (Index i = 0; i < step.update(q).rows(); ++i)
                            for (Index j = 0; j < cols; ++j)
                                CHECK(gradient[at++] == doctest::Approx(step.update(q)(i, first + j)).epsilon(1e-11));
                }
                CHECK(at == gradient.size());

                auto const derivatives =
                    loss_derivatives(net, {.inputs = examples.inputs, .targets = examples.targets}, loss_kind);
                Numbers product(gradient.size());
                loss.hessian_product(weights, examples, gradient, product);
                CHECK(value == doctest::Approx(*derivatives.loss).epsilon(1e-13));
                CHECK(-dot(gradient, gradient) == doctest::Approx(derivatives.slope).epsilon(1e-12));
                CHECK(dot(gradient, product) == doctest::Approx(derivatives.curvature()).epsilon(1e-11));
            }
    }

    // GraphDerivatives works on jets, one neuron and one weight at a time.
    TEST_CASE("the Jacobian is that of the jets, on chains, residual and dense graphs, of P and N too") {
        std::mt19937_64 random(13);
        std::vector<graphs::Graph> const all = {graphs::chain({3, 4, 2}),
                                                graphs::chain({3, 4, 2}, ActivationKind::crelu),
                                                flattened(graphs::residual(3, 2)), graphs::dense(2)};
        for (auto const& graph : all) {
            GraphLayout const layout(graph);
            Architecture const net(layout);
            Matrix<double> const drawn = random_network::matrix(random, 1, static_cast<Index>(net.parameters()));
            Numbers const weights(drawn.data(), drawn.data() + drawn.size());
            auto const x = random_network::matrix(random, static_cast<Index>(net.inputs()), 3);
            auto const jacobian = output_jacobian<double>(net, weights, x);
            GraphDerivatives<0> jets(layout);
            for (Index k = 0; k < 3; ++k) {
                GraphPass pass;
                Vector<double> const one = x.col(k);
                forward(layout, weights, std::span(one.data(), static_cast<std::size_t>(one.size())), pass);
                jets.begin(pass);
                jets.forward({});
                for (std::size_t i = 0; i < net.outputs(); ++i) {
                    jets.backward(layout.output(), true, i);
                    for (std::size_t w = 0; w < weights.size(); ++w)
                        CHECK(jacobian(k * static_cast<Index>(net.outputs()) + static_cast<Index>(i),
                                       static_cast<Index>(w)) ==
                              doctest::Approx(jets.derivative(w)).epsilon(1e-12).scale(1));
                }
            }
        }
    }

    // 3000 samples are 12 chunks in 8 sums. The same data in one pass rounds otherwise, but by little.
    TEST_CASE("any number of threads gives the same bits, and chunks the same mean") {
        std::mt19937_64 random(14);
        auto const net = perceptron({6, 9, 3}, {.kind = UnitKind::swish});
        Matrix<double> const drawn = random_network::matrix(random, 1, static_cast<Index>(net.parameters()));
        Numbers const parameters(drawn.data(), drawn.data() + drawn.size());
        Examples<double> const examples{random_network::matrix(random, 6, 3000),
                                        targets_for(Objective::cross_entropy, random, 3, 3000)};
        Numbers gradient(parameters.size());
        Numbers product(parameters.size());
        DataLoss<double> alone(net, Objective::cross_entropy);
        auto const value = alone.gradient(parameters, examples, gradient);
        alone.hessian_product(parameters, examples, gradient, product);
        for (unsigned const threads : {2U, 3U, 8U, 50U}) {
            DataLoss<double> loss(net, Objective::cross_entropy, threads);
            Numbers other(parameters.size(), 1e9);
            auto const at = loss.gradient(parameters, examples, other);
            CHECK(at.loss == value.loss);
            CHECK(at.right == value.right);
            CHECK(other == gradient);
            loss.hessian_product(parameters, examples, gradient, other);
            CHECK(other == product);
        }
        BatchPass<double> pass(net);
        Matrix<double> const outputs = pass.forward(parameters, examples.inputs);
        CHECK(objective_sum(Objective::cross_entropy, outputs, examples.targets) / 3000 ==
              doctest::Approx(value.loss).epsilon(1e-13));
        Numbers whole(parameters.size());
        Matrix<double> const output_gradients =
            objective_gradients(Objective::cross_entropy, outputs, examples.targets) / 3000;
        pass.backward(output_gradients, whole);
        for (std::size_t i = 0; i < whole.size(); ++i)
            CHECK(whole[i] == doctest::Approx(gradient[i]).epsilon(1e-11).scale(1e-3));
        CHECK(network_outputs<double>(net, parameters, examples.inputs) == outputs);
    }

    // [Liquet 2024, Figure 5.2]: max(0, x - k_j) over r equidistant knots, weights the changes of slope.
    TEST_CASE("the interpolating ReLU network is linear interpolation, r = 10 and 30") {
        auto const f = [](double x) { return std::cos(2 * std::cos(2 * std::cos(2 * x))) + x * x / 10; };
        for (std::size_t const r : {10U, 30U}) {
            double const left = -3;
            double const width = 6 / static_cast<double>(r);
            auto knot = [&](std::size_t j) { return left + width * static_cast<double>(j); };
            auto slope = [&](std::size_t j) { return (f(knot(j + 1)) - f(knot(j))) / width; };
            auto const net = perceptron({1, r, 1}, {.kind = UnitKind::relu});
            auto parameters = net.neutral_parameters();
            for (std::size_t j = 0; j < r; ++j) {
                parameters[j] = 1;
                parameters[r + j] = slope(j) - (j == 0 ? 0 : slope(j - 1));
                parameters[net.range(1, ParameterKind::bias)->first + j] = -knot(j);
            }
            parameters[net.range(2, ParameterKind::bias)->first] = f(left);
            Matrix<double> x(1, 600);
            for (Index k = 0; k < 600; ++k) x(0, k) = left + 0.01 * static_cast<double>(k);
            auto const y = network_outputs<double>(net, parameters, x);
            for (Index k = 0; k < 600; ++k) {
                auto const j = std::min(static_cast<std::size_t>((x(0, k) - left) / width), r - 1);
                CHECK(y(0, k) == doctest::Approx(f(knot(j)) + slope(j) * (x(0, k) - knot(j))).epsilon(1e-13).scale(10));
            }
        }
    }

    // (5.13): 4 softplus units multiply; f = x1 x2 (1 - lambda^2 |x|^2 / 12 + ..), so that a half lambda has a quarter
    // of the error (the book's O(lambda) is too weak).
    TEST_CASE("the multiplication gate of softplus has an error of lambda^2 |x|^2 / 12") {
        auto error = [](double lambda) {
            auto const net = perceptron({2, 4, 1}, {.kind = UnitKind::softplus}, {}, false);
            double const mu = 1 / (4 * lambda * lambda * 0.25);  // softplus''(0) = 1/4
            Numbers const parameters{lambda,  lambda, -lambda, -lambda, lambda, -lambda,
                                     -lambda, lambda, mu,      mu,      -mu,    -mu};
            Matrix<double> x(2, 1);
            x << 1.5, -0.5;
            return network_outputs<double>(net, parameters, x)(0, 0) / (1.5 * -0.5) - 1;
        };
        CHECK(error(0.05) / (0.05 * 0.05) == doctest::Approx(-2.5 / 12).epsilon(1e-2));
        CHECK(error(0.1) / error(0.05) == doctest::Approx(4).epsilon(1e-2));
    }

    TEST_CASE("sizes that clash, no samples and no threads are refused") {
        auto const net = perceptron({2, 1}, {});
        auto const parameters = net.neutral_parameters();
        CHECK_THROWS_AS(DataLoss<double>(net, Objective::squared, 0), DomainError);
        auto const sure = perceptron({2, 1}, {}, {.kind = UnitKind::sigmoid});
        CHECK_THROWS_WITH_AS(DataLoss<double>(sure, Objective::binary_cross_entropy), doctest::Contains("takes logits"),
                             DomainError);
        CHECK_NOTHROW(DataLoss<double>(sure, Objective::squared));
        DataLoss<double> loss(net, Objective::squared, 2);
        Matrix<double> const x = Matrix<double>::Ones(2, 4);
        CHECK_THROWS_AS(static_cast<void>(loss.value(parameters, {x, Matrix<double>::Ones(1, 3)})), DomainError);
        CHECK_THROWS_AS(static_cast<void>(loss.value(parameters, {x, Matrix<double>::Ones(2, 4)})), DomainError);
        CHECK_THROWS_AS(static_cast<void>(loss.value(parameters, {Matrix<double>(2, 0), Matrix<double>(1, 0)})),
                        DomainError);
        Numbers small(1);
        CHECK_THROWS_AS(loss.gradient(parameters, {x, Matrix<double>::Ones(1, 4)}, small), DomainError);
    }
}
