// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>

#include <cmath>
#include <numbers>

namespace {

using isserlis::monte_carlo::Estimate;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::sample_batch_step;
using isserlis::monte_carlo::sample_steps;

NetworkModel mup_model(std::vector<std::size_t> const& widths, std::vector<double> const& input) {
    NetworkModel model;
    model.widths = widths;
    model.input = input;
    model.laws.assign(widths.size() - 1, {});
    for (std::size_t l = 0; l + 2 < widths.size(); ++l) model.variances.push_back(2.0 / static_cast<double>(widths[l]));
    auto const last = static_cast<double>(widths[widths.size() - 2]);
    model.variances.push_back(1 / (last * last));
    return model;
}

bool within_five(Estimate const& sampled, double exact) {
    return std::abs(sampled.mean - exact) < 5 * sampled.std_error;
}

}  // namespace

TEST_SUITE("monte_carlo/step_sampler") {
    // Of two signs with a ReLU every other pre-activation is 0, whose gate a step would have to decide.
    TEST_CASE("steps of gates that can tie are refused, however ties are decided") {
        auto signs = mup_model({2, 2, 1}, {1, 1});
        signs.laws.front().kind = isserlis::LawKind::rademacher;
        signs.ties = isserlis::monte_carlo::TieRule::fair_coin;
        CHECK_THROWS_AS((void)sample_steps(signs, {1, 1}, 1, 10, 1), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)sample_batch_step(signs, {{1, 1}}, 1, 1, 10, 1), isserlis::UnsupportedError);
    }

    // By hand, docs/formulas/batch_step.md: 1/2 at either of two unit inputs at a right angle; one input is a batch.
    TEST_CASE("a batch moves the first layer by the mean of its gradients") {
        auto const model = mup_model({2, 1, 1}, {1, 0});
        for (auto const& x : sample_batch_step(model, {{1, 0}, {0, 1}}, 1, 1, 40000, 3)) CHECK(within_five(x, 0.5));
        auto const wide = mup_model({2, 3, 2}, {1, 2});
        auto const alone = sample_batch_step(wide, {{1, 2}}, 3, 0.5, 2000, 4);
        auto const first = sample_steps(wide, {3, 3}, 0.5, 2000, 4).front().change_square;
        CHECK(alone.front().mean == doctest::Approx(first.mean).epsilon(1e-12));
        CHECK_THROWS_AS((void)sample_batch_step(model, {}, 1, 1, 10, 1), isserlis::DomainError);
    }

    // By hand, n,n,1 at |x|^2 = n and rates 1: E z^2 = 2, E Delta z = -1/(n sqrt(pi)), E (Delta z)^2 =
    // (n^2 + n + 5)/(2 n^2), and E z Delta z = -n/n^2 E z relu(z) = -1/n.
    TEST_CASE("one hidden layer has the moments of the hand calculation") {
        auto const layers = sample_steps(mup_model({4, 4, 1}, {1, 1, 1, 1}), {1, 1}, 1, 40000, 6);
        REQUIRE(layers.size() == 2);
        CHECK(within_five(layers[0].square, 2));
        CHECK(within_five(layers[0].change, -1 / (4 * std::sqrt(std::numbers::pi))));
        CHECK(within_five(layers[0].covariance, -0.25));
        CHECK(within_five(layers[0].change_square, 25.0 / 32));
        CHECK(within_five(layers[0].updated_square, 2 - 0.5 + 25.0 / 32));
        CHECK(layers[0].change_square.std_error < 0.1);
    }

    // Gates and products of layers enter at the square of the rate only.
    TEST_CASE("a small real step moves the pre-activations by that much") {
        auto const model = mup_model({3, 4, 3, 2}, {1, -2, 0.5});
        std::vector<double> const rates{1e-7, 2e-7, 3e-7};
        auto net = isserlis::monte_carlo::draw_network<double>(model, 8, 0);
        isserlis::mlp::Vector<double> const x{{1, -2, 0.5}};
        auto const before = isserlis::mlp::forward(net, x);
        // E y^2 = 0: the target is 0. Two networks, as a run has at least two.
        auto const gradient = isserlis::mlp::backward(net, x, before.activations.back());
        for (std::size_t l = 0; l < 3; ++l) net.layers[l].weights -= rates[l] * gradient[l].weights;
        auto const after = isserlis::mlp::forward(net, x);
        auto second = isserlis::monte_carlo::draw_network<double>(model, 8, 1);
        auto const other = isserlis::mlp::forward(second, x);
        auto const slopes = isserlis::mlp::backward(second, x, other.activations.back());
        for (std::size_t l = 0; l < 3; ++l) second.layers[l].weights -= rates[l] * slopes[l].weights;
        auto const moved = isserlis::mlp::forward(second, x);
        auto const layers = sample_steps(model, rates, 0, 2, 8);
        for (std::size_t l = 0; l < 3; ++l) {
            double const change = (after.preactivations[l] - before.preactivations[l]).mean() +
                                  (moved.preactivations[l] - other.preactivations[l]).mean();
            CHECK(layers[l].change.mean == doctest::Approx(change / 2).epsilon(1e-4));
        }
    }

    TEST_CASE("sizes that clash and other units are refused") {
        auto model = mup_model({2, 2, 1}, {1, 1});
        CHECK_THROWS_AS((void)sample_steps(model, {1}, 1, 10, 1), isserlis::DomainError);
        model.gated_head = true;
        CHECK_THROWS_AS((void)sample_steps(model, {1, 1}, 1, 10, 1), isserlis::DomainError);
    }
}
