// SPDX-License-Identifier: MIT
// T4: one step of [Hettinger 2019, section 4.5]: P = N at the start, 64 points of the cosine, 40 rates, one thread.
#include <benchmark/benchmark.h>

#include <cmath>
#include <isserlis/data/built_in.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>

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

/// Nominal operations count the products of a forward pass, a backward pass as two, and one forward pass a rate.
void one_step(benchmark::State& state, std::vector<std::size_t> const& widths) {
    constexpr std::uint64_t networks = 100;
    constexpr int count = 40;
    std::vector<double> rates;
    for (int i = 0; i < count; ++i) rates.push_back(0.1 * i / (count - 1));
    auto const model = model_of(widths);
    std::uint64_t seed = 0;
    for (auto _ : state) {
        auto const losses = sample_one_step_losses(model, rates, networks, seed++);
        isserlis::bench::require(losses[1].mean < losses[0].mean, "a small step lowers the mean loss");
    }
    double operations = 0;
    for (std::size_t q = 1; q < widths.size(); ++q)
        operations += 2.0 * static_cast<double>(widths[q] * 2 * widths[q - 1] * model.inputs.size());
    state.counters["operations"] =
        benchmark::Counter(operations * (3 + count) * networks, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(one_step, 3x10, {2, 10, 10, 10, 1})->Name("T4 100 networks/isserlis/3x10");
BENCHMARK_CAPTURE(one_step, 5x20, {2, 20, 20, 20, 20, 1})->Name("T4 100 networks/isserlis/5x20");

}  // namespace
