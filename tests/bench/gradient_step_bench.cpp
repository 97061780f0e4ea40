// SPDX-License-Identifier: MIT
// T4: one step of [Hettinger 2019, section 4.5]: P = N at the start, 64 points of the cosine, 40 rates, one thread.
#include <benchmark/benchmark.h>

#include <cmath>
#include <isserlis/data/built_in.hpp>
#include <isserlis/mlp/gradient_step.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>

#include "check_value.hpp"

namespace {

using isserlis::monte_carlo::LossCurveModel;

LossCurveModel model_of(std::vector<std::size_t> const& widths) {
    LossCurveModel model;
    model.network.widths = widths;
    model.network.activation.kind = isserlis::ActivationKind::crelu_tied;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        model.network.variances.push_back(1 / std::sqrt(static_cast<double>(widths[q] * widths[q - 1])));
        model.network.laws.emplace_back();  // Gaussian
    }
    auto const data = isserlis::cosine_data(64);
    model.inputs = input_doubles(data);
    model.targets = target_doubles(data);
    return model;
}

/// sqrt(d_n/d_0) |x|^2 + mean y^2, the expected loss before the step; |x|^2 of 64 midpoints has the mean 2 - 1/64^2.
double const at_rest = std::sqrt(0.5) * (2 - 1.0 / 4096) + 0.5;
/// The loss after a step of rate 2/390, as peers/one_step.py sampled it, and its standard error.
struct Sampled {
    double mean, std_error;
};

/// Nominal operations count the products of a forward pass, a backward pass as two, and one forward pass a rate.
void one_step(benchmark::State& state, std::vector<std::size_t> const& widths, Sampled const& stepped) {
    constexpr std::uint64_t networks = 1000;
    constexpr int count = 40;
    std::vector<double> rates;
    for (int i = 0; i < count; ++i) rates.push_back(0.1 * i / (count - 1));
    auto const model = model_of(widths);
    std::uint64_t seed = 0;
    for (auto _ : state) {
        auto const losses = sample_one_step_losses(model, rates, networks, seed++);
        isserlis::bench::require(std::fabs(losses[0].mean - at_rest) < 6 * losses[0].std_error,
                                 "the mean loss at rate 0 is the expected one");
        isserlis::bench::require(
            std::fabs(losses[2].mean - stepped.mean) < 6 * std::hypot(losses[2].std_error, stepped.std_error),
            "the mean loss after a step is what NumPy has");
    }
    double operations = 0;
    for (std::size_t q = 1; q < widths.size(); ++q)
        operations += 2.0 * static_cast<double>(widths[q] * 2 * widths[q - 1] * model.inputs.size());
    state.counters["operations"] =
        benchmark::Counter(operations * (3 + count) * networks, benchmark::Counter::kIsIterationInvariantRate);
    isserlis::bench::set_check(state, networks);
}

/// The same in float.
void one_step_in_float(benchmark::State& state, std::vector<std::size_t> const& widths, Sampled const& stepped) {
    constexpr std::uint64_t networks = 1000;
    constexpr int count = 40;
    auto const model = model_of(widths);
    using Matrix = isserlis::mlp::Matrix<float>;
    Matrix const inputs = isserlis::mlp::columns(model.inputs).cast<float>();
    Matrix const targets = isserlis::mlp::columns(model.targets).cast<float>();
    isserlis::mlp::GradientStep<float> step(widths, {.kind = isserlis::ActivationKind::crelu_tied, .slope = 0}, false,
                                            inputs);
    std::vector<isserlis::monte_carlo::WeightRows<float>> rows;
    for (std::size_t q = 0; q < model.network.depth(); ++q)
        rows.emplace_back(model.network.laws[q], model.network.variances[q]);
    std::uint64_t seed = 0;
    Matrix gradients;
    for (auto _ : state) {
        std::vector<isserlis::monte_carlo::RunningVariance> losses(count);
        for (std::uint64_t sample = 0; sample < networks; ++sample) {
            isserlis::Stream stream(seed, sample);
            for (std::size_t q = 1; q < widths.size(); ++q) {
                Matrix& w = step.weights(q);
                rows[q - 1].for_each_row(stream, widths[q], widths[q - 1],
                                         [&](std::size_t i, std::span<float const> row) {
                                             std::copy(row.begin(), row.end(), &w(static_cast<Eigen::Index>(i), 0));
                                         });
                auto const fan_in = static_cast<Eigen::Index>(widths[q - 1]);
                w.rightCols(fan_in) = w.leftCols(fan_in);
            }
            gradients = 2 * (step.forward() - targets);
            step.backward(gradients);
            for (int i = 0; i < count; ++i)
                losses[static_cast<std::size_t>(i)].push(
                    static_cast<double>(
                        (step.outputs_after(0.1F * static_cast<float>(i) / (count - 1)) - targets).squaredNorm()) /
                    static_cast<double>(inputs.cols()));
        }
        ++seed;
        auto const before = losses[0].estimate();
        auto const after = losses[2].estimate();
        isserlis::bench::require(std::fabs(before.mean - at_rest) < 6 * before.std_error,
                                 "the mean loss in float at rate 0 is the expected one");
        isserlis::bench::require(
            std::fabs(after.mean - stepped.mean) < 6 * std::hypot(after.std_error, stepped.std_error),
            "the mean loss in float after a step is what NumPy has");
    }
    isserlis::bench::set_check(state, networks);
}

BENCHMARK_CAPTURE(one_step, 3x10, {2, 10, 10, 10, 1}, {1.1953, 0.0041})->Name("T4 1000 networks/isserlis/3x10");
BENCHMARK_CAPTURE(one_step, 5x20, {2, 20, 20, 20, 20, 1}, {0.8609, 0.0087})->Name("T4 1000 networks/isserlis/5x20");
BENCHMARK_CAPTURE(one_step_in_float, 3x10, {2, 10, 10, 10, 1}, {1.1953, 0.0041})->Name("T4 in float/isserlis/3x10");
BENCHMARK_CAPTURE(one_step_in_float, 5x20, {2, 20, 20, 20, 20, 1}, {0.8609, 0.0087})->Name("T4 in float/isserlis/5x20");

}  // namespace
