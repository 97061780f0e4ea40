// SPDX-License-Identifier: MIT
// T8: a step of descent of the usual network for images on a mini-batch, cross-entropy, one thread.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/train/update.hpp>
#include <vector>

namespace {

using namespace isserlis;

constexpr Eigen::Index samples = 128;
constexpr Eigen::Index classes = 10;

template <class T>
class Training {
public:
    Training()
        : net_(mlp::perceptron({784, 256, 256, 10}, {.kind = mlp::UnitKind::relu, .slope = {}})),
          loss_(net_, mlp::Objective::cross_entropy),
          update_(net_, {}),
          parameters_(net_.parameters()),
          gradient_(net_.parameters()) {
        for (std::size_t i = 0; i < parameters_.size(); ++i)
            parameters_[i] = static_cast<T>(0.3 * std::sin(static_cast<double>(i)));
        batch_.inputs.resize(784, samples);
        for (Eigen::Index i = 0; i < batch_.inputs.size(); ++i)
            batch_.inputs.data()[i] = static_cast<T>(std::sin(3.0 * static_cast<double>(i)));
        batch_.targets.setZero(classes, samples);
        for (Eigen::Index k = 0; k < samples; ++k) batch_.targets(k % classes, k) = 1;
    }

    /// The loss before it.
    double step() {
        double const loss = loss_.gradient(parameters_, batch_, gradient_).loss;
        update_.step(parameters_, gradient_, 0.1);
        return loss;
    }

private:
    mlp::Architecture net_;
    mlp::DataLoss<T> loss_;
    train::Update<T> update_;
    std::vector<T> parameters_, gradient_;
    mlp::Examples<T> batch_;
};

/// The check value is the loss after 10 steps.
template <class T>
void training_step(benchmark::State& state) {
    Training<T> checked;
    for (int i = 0; i < 10; ++i) checked.step();
    char label[32];  // NOLINT(*-avoid-c-arrays)
    std::snprintf(label, sizeof label, "%.3f", checked.step());
    Training<T> training;
    for (auto _ : state) benchmark::DoNotOptimize(training.step());
    state.SetLabel(label);
}

BENCHMARK(training_step<double>)->Name("T8 training step/isserlis/double");
BENCHMARK(training_step<float>)->Name("T8 training step/isserlis/float");

}  // namespace
