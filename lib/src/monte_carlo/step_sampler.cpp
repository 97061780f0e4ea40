// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/backward.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>
#include <isserlis/random/stream.hpp>
#include <string>

namespace isserlis::monte_carlo {
namespace {

using Vector = mlp::Vector<double>;

struct LayerSums {
    RunningVariance square, change, covariance, change_square, updated_square;

    void push(Vector const& z, Vector const& moved) {
        auto const n = static_cast<double>(z.size());
        square.push(z.squaredNorm() / n);
        change.push(moved.sum() / n);
        covariance.push(z.dot(moved) / n);
        change_square.push(moved.squaredNorm() / n);
        updated_square.push((z + moved).squaredNorm() / n);
    }
    void merge(LayerSums const& other) {
        square.merge(other.square);
        change.merge(other.change);
        covariance.merge(other.covariance);
        change_square.merge(other.change_square);
        updated_square.merge(other.updated_square);
    }
};

struct StepSums {
    std::vector<LayerSums> layers;

    void merge(StepSums const& other) {
        for (std::size_t l = 0; l < layers.size(); ++l) layers[l].merge(other.layers[l]);
    }
};

}  // namespace

std::vector<StepEstimates> sample_steps(NetworkModel const& model, std::vector<double> const& rates,
                                        double target_second_moment, std::uint64_t samples, std::uint64_t seed,
                                        RunControl const& control) {
    model.validate();
    model.require_decided_ties();
    if (rates.size() != model.depth()) {
        throw DomainError(
            "sample_steps: " + std::to_string(rates.size()) + " rates for " + std::to_string(model.depth()) + " layers",
            "rates");
    }
    if (model.gated_head || model.activation.is_concatenated())
        throw DomainError("sample_steps: relu, leaky or linear units and a linear head are required", "model");
    Vector const x = Eigen::Map<Vector const>(model.input.data(), static_cast<Eigen::Index>(model.input.size()));
    double const size = std::sqrt(target_second_moment);
    auto const sums = run(samples, control, StepSums{std::vector<LayerSums>(model.depth())}, [&] {
        return [&](std::uint64_t sample, StepSums& into) {
            auto const net = draw_network<double>(model, seed, sample);
            auto const pass = mlp::forward(net, x);
            Stream signs(seed, sample, StreamUse::targets);
            Vector residual = pass.activations.back();
            for (auto& r : residual) r -= signs.sign() * size;
            auto const gradient = mlp::backward(net, pass, residual);
            Vector below;  // how the activations of the layer below move
            for (std::size_t l = 0; l < net.layers.size(); ++l) {
                Vector const& h = l == 0 ? x : pass.activations[l - 1];
                Vector moved = -rates[l] * (gradient[l].weights * h);
                if (l > 0) moved.noalias() += net.layers[l].weights * below;
                moved *= net.scale(l + 1);
                into.layers[l].push(pass.preactivations[l], moved);
                below = pass.gates[l].cwiseProduct(moved);
            }
        };
    });
    std::vector<StepEstimates> out;
    for (auto const& s : sums.layers) {
        out.push_back({.square = s.square.estimate(),
                       .change = s.change.estimate(),
                       .covariance = s.covariance.estimate(),
                       .change_square = s.change_square.estimate(),
                       .updated_square = s.updated_square.estimate()});
    }
    return out;
}

}  // namespace isserlis::monte_carlo
