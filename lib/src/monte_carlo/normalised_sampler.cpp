// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/normalised_sampler.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "monte_carlo/norm_sums.hpp"

namespace isserlis::monte_carlo {
namespace {

double square_of(std::vector<double> const& h) { return std::inner_product(h.begin(), h.end(), h.begin(), 0.0); }

}  // namespace

void take_mean(std::vector<double>& z) {
    auto const n = static_cast<double>(z.size());
    double const before = square_of(z);
    double const mean = z.size() == 1 ? z[0] : std::accumulate(z.begin(), z.end(), 0.0) / n;
    for (double& x : z) x -= mean;
    double const rounding = n * std::numeric_limits<double>::epsilon();
    if (square_of(z) <= rounding * rounding * before) std::fill(z.begin(), z.end(), 0.0);
}

double NormalisedModel::weights() const {
    double sum = 0;
    auto below = static_cast<double>(input.size());
    for (auto const& stage : stages) {
        for (auto const& matrix : stage.matrices) {
            sum += below * static_cast<double>(matrix.rows);
            below = static_cast<double>(matrix.rows);
        }
    }
    return sum;
}

NormalisedSampler::NormalisedSampler(NormalisedModel model) : model_(std::move(model)), norms_(model_.stages.size()) {
    std::size_t below = model_.input.size();
    for (auto const& stage : model_.stages) {
        std::size_t const width = stage.matrices.back().rows;
        if (stage.adds_input && width != below)
            throw DomainError("NormalisedSampler: a branch makes " + std::to_string(width) + " entries of " +
                                  std::to_string(below) + "; as many are required",
                              "model");
        below = width;
    }
}

void NormalisedSampler::normalise(std::vector<double>& h) const {
    auto const n = static_cast<double>(h.size());
    if (model_.by == Normalisation::layer) take_mean(h);
    double const square = square_of(h);
    if (square == 0) return;
    double const factor = std::sqrt(n / square);
    for (double& x : h) x *= factor;
}

void NormalisedSampler::gate(std::vector<double>& h) const {
    for (double& x : h)
        if (x < 0) x *= model_.slope;
}

void NormalisedSampler::pass(NormalisedStage const& stage, Stream& stream) {
    std::vector<double> h = h_;
    if (stage.normalises_input) normalise(h);
    for (std::size_t j = 0; j < stage.matrices.size(); ++j) {
        if (j > 0) gate(h);
        auto const& matrix = stage.matrices[j];
        std::vector<double> z(matrix.rows);
        WeightRows<double>({}, matrix.variance)
            .for_each_row(stream, matrix.rows, h.size(), [&](std::size_t i, std::span<double const> row) {
                z[i] = std::inner_product(row.begin(), row.end(), h.begin(), 0.0);
            });
        h = std::move(z);
    }
    if (stage.adds_input) std::transform(h.begin(), h.end(), h_.begin(), h.begin(), std::plus<>());
    if (stage.normalises_output) normalise(h);
    if (stage.gates_output) gate(h);
    h_ = std::move(h);
}

std::span<std::optional<SquaredNorm> const> NormalisedSampler::operator()(std::uint64_t seed, std::uint64_t sample) {
    Stream stream(seed, sample);
    h_ = model_.input;
    std::fill(norms_.begin(), norms_.end(), std::nullopt);
    for (std::size_t k = 0; k < norms_.size(); ++k) {
        auto const& stage = model_.stages[k];
        if (stage.normalises_output && !stage.adds_input && square_of(h_) == 0) break;
        pass(stage, stream);
        double const square = square_of(h_);
        norms_[k] = {.value = square, .log = std::log(square)};
    }
    return norms_;
}

std::vector<LayerNorms> normalised_norms(NormalisedModel const& model, std::uint64_t samples, std::uint64_t seed,
                                         int max_power, std::optional<std::vector<double>> const& centers,
                                         RunControl const& control) {
    return norms_of(
        sampled_norms(NormalisedSampler(model), model.stages.size(), samples, seed, max_power, centers, control));
}

}  // namespace isserlis::monte_carlo
