// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/backward.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/update_sizes.hpp>
#include <isserlis/random/stream.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <string>

namespace isserlis::monte_carlo {
namespace {

struct Sizes {
    std::vector<RunningVariance> layers;

    void merge(Sizes const& other) {
        for (std::size_t q = 0; q < layers.size(); ++q) layers[q].merge(other.layers[q]);
    }
};

template <class T>
mlp::Vector<T> as_vector(std::vector<double> const& values) {
    mlp::Vector<T> result(static_cast<Eigen::Index>(values.size()));
    std::transform(values.begin(), values.end(), result.begin(), [](double v) { return static_cast<T>(v); });
    return result;
}

template <class T>
Sizes sample_sizes(NetworkModel const& model, std::vector<double> const& output_gradient, std::uint64_t samples,
                   std::uint64_t seed, RunControl const& control) {
    auto const x = as_vector<T>(model.input);
    auto const g = as_vector<T>(output_gradient);
    bool const ties_possible = std::any_of(model.laws.begin(), model.laws.end(), has_atoms);
    auto const pass = [=](mlp::Network<T> const& net, std::uint64_t sample) {
        if (!ties_possible) return mlp::forward(net, x);
        Stream coins(seed, sample, StreamUse::ties);
        return mlp::forward(net, x, mlp::TieBreak<T>{tie_tolerance<T>, [&coins] { return coins.coin(); }});
    };
    return run(samples, control, Sizes{std::vector<RunningVariance>(model.depth())}, [&] {
        return [&](std::uint64_t sample, Sizes& into) {
            auto const net = draw_network<T>(model, seed, sample);
            auto const gradient = mlp::backward(net, pass(net, sample), g);
            for (std::size_t q = 0; q < gradient.size(); ++q)
                into.layers[q].push(static_cast<double>(gradient[q].weights.squaredNorm()) +
                                    static_cast<double>(gradient[q].negative.squaredNorm()));
        };
    });
}

}  // namespace

std::vector<Estimate> update_sizes(NetworkModel const& model, std::vector<double> const& output_gradient,
                                   std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    model.validate();
    model.require_decided_ties();
    if (output_gradient.size() != model.widths.back())
        throw DomainError("update_sizes: the output gradient has " + std::to_string(output_gradient.size()) +
                              " entries, the output " + std::to_string(model.widths.back()),
                          "output_gradient");
    if (!std::all_of(output_gradient.begin(), output_gradient.end(), [](double g) { return std::isfinite(g); }))
        throw DomainError("update_sizes: an entry of the output gradient is not finite", "output_gradient");
    auto const sampled = model.precision == Precision::float32 ? sample_sizes<float> : sample_sizes<double>;

    std::vector<Estimate> result;
    for (RunningVariance const& layer : sampled(model, output_gradient, samples, seed, control).layers) {
        result.push_back(layer.estimate());
        if (!std::isfinite(result.back().mean) || !std::isfinite(result.back().std_error))
            throw UnsupportedError("update_sizes: the size of layer " + std::to_string(result.size()) +
                                       " is beyond the number type; scale the variances or the input down",
                                   "variances");
    }
    return result;
}

}  // namespace isserlis::monte_carlo
