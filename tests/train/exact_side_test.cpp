// SPDX-License-Identifier: MIT
// What is trained against what the exact side and its samplers say of one step, and constructions of the thesis.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <isserlis/data/built_in.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>
#include <isserlis/train/rate_sweep.hpp>
#include <random>

#include "../formula/loss_curve_data.hpp"

namespace {

using namespace isserlis::train;
using namespace isserlis::mlp;
using isserlis::Rows;
using Index = Eigen::Index;
using Numbers = std::vector<double>;

struct Cosine {
    isserlis::DataSet set = isserlis::cosine_data(12);
    Rows<double> inputs = input_doubles(set);
    Rows<double> targets = target_doubles(set);
    Examples<double> examples{columns(inputs), columns(targets)};
};

/// Proportional variances 1/sqrt(fan_in fan_out).
Numbers proportional(std::vector<std::size_t> const& widths) {
    Numbers out;
    for (std::size_t q = 1; q < widths.size(); ++q)
        out.push_back(1 / std::sqrt(static_cast<double>(widths[q] * widths[q - 1])));
    return out;
}

RateSweep one_step(Numbers rates, Numbers variances, std::uint64_t networks) {
    return {.rates = std::move(rates),
            .networks = networks,
            .variances = std::move(variances),
            .seed = 3,
            .training = {.epochs = 1}};
}

}  // namespace

TEST_SUITE("train/exact_side") {
    // The loss of one linear layer is quadratic in the rate of a step, so that value, slope and curvature say all.
    TEST_CASE("the mean loss after a step of one linear layer is the exact curve") {
        Cosine const cos;
        auto const curve = squared_loss_curve(isserlis::testing::proportional_layers<double>({2, 1}),
                                              isserlis::target_moments<double>(cos.inputs, cos.targets));
        for (auto const& cell : rate_sweep(perceptron({2, 1}, {}, {}, false), Objective::squared, cos.examples,
                                           one_step({0, 0.2, 0.7}, proportional({2, 1}), 4000))) {
            double const expected =
                curve.loss + cell.rate * curve.slope + cell.rate * cell.rate / 2 * curve.curvature();
            CAPTURE(cell.rate);
            CHECK(std::abs(*cell.mean_loss - expected) < 5 * cell.standard_error);
            CHECK(cell.standard_error < 0.05 * expected);
        }
    }

    TEST_CASE("slope and curvature of a deep linear network are the exact ones, by differences of the mean loss") {
        Cosine const cos;
        std::vector<std::size_t> const widths = {2, 5, 5, 1};
        auto const curve = squared_loss_curve(isserlis::testing::proportional_layers<double>({2, 5, 5, 1}),
                                              isserlis::target_moments<double>(cos.inputs, cos.targets));
        // At rates this small the cubic term is far below the error of 4000 networks.
        auto const cells = rate_sweep(perceptron(widths, {}, {}, false), Objective::squared, cos.examples,
                                      one_step({0, 1e-3}, proportional(widths), 4000));
        double const change = *cells[1].mean_loss - *cells[0].mean_loss;
        CHECK(std::abs(*cells[0].mean_loss - curve.loss) < 5 * cells[0].standard_error);
        CHECK(change / 1e-3 == doctest::Approx(curve.slope + 1e-3 / 2 * curve.curvature()).epsilon(0.15));
    }

    // The same networks by the fast path, whose loss curves `loss-curve` prints.
    TEST_CASE("the mean loss after a step is the sampler's of the same seed, far from rate 0 too") {
        Cosine const cos;
        std::vector<std::size_t> const widths = {2, 7, 6, 1};
        isserlis::monte_carlo::LossCurveModel model;
        model.network.widths = widths;
        model.network.activation = {.kind = isserlis::ActivationKind::leaky, .slope = 0.2};
        model.network.variances = proportional(widths);
        model.network.laws.resize(3);
        model.inputs = cos.inputs;
        model.targets = cos.targets;
        Numbers const rates = {0, 0.01, 0.1, 0.5};
        auto const sampled = sample_one_step_losses(model, rates, 50, 3);
        auto const cells = rate_sweep(perceptron(widths, {.kind = UnitKind::leaky, .slope = 0.2}, {}, false),
                                      Objective::squared, cos.examples, one_step(rates, proportional(widths), 50));
        for (std::size_t i = 0; i < rates.size(); ++i)
            CHECK(*cells[i].mean_loss == doctest::Approx(sampled[i].mean).epsilon(1e-10));
    }

    // [Hettinger 2019, Lemma 3.9]: W after a ReLU becomes [W 0]; the first layer, after no ReLU, P = N = W.
    TEST_CASE("a ReLU network as a concatenated one has equal outputs") {
        auto const relu = perceptron({3, 5, 4, 2}, {.kind = UnitKind::relu});
        auto const concatenated = perceptron({3, 5, 4, 2}, {.kind = UnitKind::crelu});
        std::mt19937_64 random(5);
        std::normal_distribution<double> normal;
        Numbers weights(relu.parameters());
        for (double& w : weights) w = normal(random);
        Numbers embedded(concatenated.parameters());
        for (auto const& edge : relu.wiring().edges()) {
            auto const entries = static_cast<std::ptrdiff_t>(relu.wiring().entries(edge));
            for (auto const& into : concatenated.wiring().edges()) {
                if (into.to != edge.to) continue;
                auto const* const first = weights.data() + edge.first;
                std::copy_n(first, entries, embedded.data() + into.first);
                if (edge.from == 0) std::copy_n(first, entries, embedded.data() + into.negative);
            }
        }
        for (std::size_t node = 1; node < 4; ++node) {
            auto const* const from = relu.range(node, ParameterKind::bias);
            auto const* const to = concatenated.range(node, ParameterKind::bias);
            std::copy_n(weights.data() + from->first, from->size, embedded.data() + to->first);
        }
        Matrix<double> const inputs = Matrix<double>::NullaryExpr(3, 20, [&] { return normal(random); });
        auto const a = network_outputs<double>(relu, weights, inputs);
        auto const b = network_outputs<double>(concatenated, embedded, inputs);
        CHECK((a - b).cwiseAbs().maxCoeff() < 1e-13);
        CHECK(a.cwiseAbs().maxCoeff() > 0.1);
    }

    // [Hettinger 2019, Thm 3.12]: matrices [W b; 0 1] on (x, 1) give (N(x), 1) without a bias.
    TEST_CASE("a ReLU network with biases as a wider one without has equal outputs, and a 1 below them") {
        auto const with = perceptron({3, 5, 4, 2}, {.kind = UnitKind::relu});
        auto const without = perceptron({4, 6, 5, 3}, {.kind = UnitKind::relu}, {}, false);
        std::mt19937_64 random(6);
        std::normal_distribution<double> normal;
        Numbers weights(with.parameters());
        for (double& w : weights) w = normal(random);
        Numbers embedded(without.parameters());
        std::array<Index, 4> const widths = {3, 5, 4, 2};
        for (std::size_t q = 1; q < 4; ++q) {
            Index const rows = widths[q];
            Index const cols = widths[q - 1];
            Eigen::Map<Matrix<double> const> const w(weights.data() + with.wiring().edges()[q - 1].first, rows, cols);
            Eigen::Map<Matrix<double>> wide(embedded.data() + without.wiring().edges()[q - 1].first, rows + 1,
                                            cols + 1);
            wide.topLeftCorner(rows, cols) = w;
            for (Index i = 0; i < rows; ++i)
                wide(i, cols) = weights[with.range(q, ParameterKind::bias)->first + static_cast<std::size_t>(i)];
            wide(rows, cols) = 1;
        }
        Matrix<double> inputs = Matrix<double>::Ones(4, 20);
        inputs.topRows(3) = Matrix<double>::NullaryExpr(3, 20, [&] { return normal(random); });
        auto const a = network_outputs<double>(with, weights, inputs.topRows(3));
        auto const b = network_outputs<double>(without, embedded, inputs);
        CHECK((a - b.topRows(2)).cwiseAbs().maxCoeff() < 1e-13);
        CHECK(b.row(2).isOnes());
    }
}
