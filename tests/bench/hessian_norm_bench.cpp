// SPDX-License-Identifier: MIT
// T5: |H|_F^2 of 1/2 z^2 on sampled ReLU networks 4-8-8-1 of variance 2/fan-in, per network, weights drawn.
#include <benchmark/benchmark.h>

#include <cmath>
#include <isserlis/monte_carlo/hessian_norm_sampler.hpp>

#include "check_value.hpp"

namespace {

using namespace isserlis::monte_carlo;

/// isserlis hessian 4,8,8,1 --target-second-moment 0 --input-squared-norm 85/16, as the peers have it.
constexpr double exact = 43241625.0 / 16384;

void hessian_norm(benchmark::State& state) {
    NetworkModel model;
    model.widths = {4, 8, 8, 1};
    model.activation = {.kind = isserlis::ActivationKind::relu};
    model.laws.assign(3, {.kind = isserlis::LawKind::gaussian});
    model.variances = {0.5, 0.25, 0.25};
    model.input = {0.5, -1, 0.25, 2};
    HessianNormSettings settings;
    settings.target_second_moment = 0;
    HessianNormSampler const sampler(model, settings);
    constexpr std::uint64_t networks = 20'000;
    std::uint64_t seed = 1;
    for (auto _ : state) {
        Estimate const total = sample_hessian_norm(sampler, networks, seed++)[HessianNormSampler::total];
        isserlis::bench::require(std::fabs(total.mean - exact) < 6 * total.std_error, "the mean is the exact one");
    }
    isserlis::bench::set_check(state, networks);
}

}  // namespace

BENCHMARK(hessian_norm)->Name("T5 Hessians/isserlis/networks:20000");
