// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>

#include <cmath>
#include <tuple>

namespace {

using namespace isserlis::mlp;

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
    Vector<double> const slope = isserlis::mlp::forward(net, x).activations.back() - y;
    std::vector<double> out;
    for (auto const& layer : isserlis::mlp::backward(net, x, slope))
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
            auto const chain = architecture_of(net);
            auto const weights = parameters_of(net);
            Examples<double> const examples{Matrix<double>(x), Matrix<double>(y)};
            LossHessian hessian(chain, Objective::half_squared, examples, weights, factors);
            REQUIRE(hessian.parameters() == 12 + 12 + 6);
            Vector<double> direction(30);
            for (Eigen::Index i = 0; i < direction.size(); ++i) direction[i] = std::sin(1.0 + static_cast<double>(i));
            Vector<double> out(30);
            hessian.apply(direction.data(), out.data());

            double const step = 1e-5;
            Vector<double> difference = Vector<double>::Zero(30);
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
        auto const chain = isserlis::mlp::perceptron({1, 1, 1}, {.kind = UnitKind::relu}, {}, false);
        std::vector<double> const weights{3, 2};
        Examples<double> const examples{Matrix<double>{{1}}, Matrix<double>{{0}}};
        LossHessian hessian(chain, Objective::half_squared, examples, weights);
        double const first[2] = {1, 0};
        double out[2] = {0, 0};
        hessian.apply(first, out);
        CHECK(out[0] == 4);
        CHECK(out[1] == 12);
    }

    TEST_CASE("sizes that clash, and networks that the fast path does not know, are refused") {
        auto const chain = isserlis::mlp::perceptron({2, 2, 1}, {.kind = UnitKind::relu}, {}, false);
        std::vector<double> const weights(6, 1);
        Examples<double> const one{Matrix<double>{{1}, {1}}, Matrix<double>{{0}}};
        Examples<double> const two{Matrix<double>::Ones(2, 2), Matrix<double>::Ones(1, 2)};
        auto const refused = [&](Architecture const& net, Examples<double> const& examples,
                                 std::vector<double> const& at, std::vector<double> const& factors) {
            CHECK_THROWS_AS(RangeHessian(net, examples, at, factors), isserlis::DomainError);
        };
        CHECK_NOTHROW(RangeHessian(chain, one, weights, {1, 1}));
        refused(chain, one, weights, {1});
        refused(chain, one, weights, {1, -1});
        refused(chain, one, {1, 1}, {});
        refused(chain, two, weights, {});
        refused(chain, {Matrix<double>{{1}, {1}}, Matrix<double>{{0}, {0}}}, weights, {});
        for (auto const& [hidden, head, bias] :
             {std::tuple(UnitKind::relu, UnitKind::identity, true), std::tuple(UnitKind::relu, UnitKind::relu, false),
              std::tuple(UnitKind::tanh, UnitKind::identity, false),
              std::tuple(UnitKind::crelu, UnitKind::identity, false)}) {
            auto const net = isserlis::mlp::perceptron({2, 2, 1}, {.kind = hidden}, {.kind = head}, bias);
            refused(net, one, net.neutral_parameters(), {});
        }
    }
}
