// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/update_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/batch_pass.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/random/stream.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <string>

#include "float_range.hpp"

namespace isserlis::monte_carlo {
namespace {

struct Sizes {
    std::vector<RunningVariance> layers;

    static void members(auto& self, auto const& f) { f(self.layers); }
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
    auto const net = mlp::architecture_of(draw_network<T>(model, seed, 0));
    mlp::Matrix<T> const x = as_vector<T>(model.input);
    mlp::Matrix<T> const g = as_vector<T>(output_gradient);
    bool const ties_possible = std::any_of(model.laws.begin(), model.laws.end(), has_atoms);
    return run(samples, control, Sizes{std::vector<RunningVariance>(model.depth())}, [&] {
        return [&, pass = mlp::BatchPass<T>(net), gradient = std::vector<T>(net.parameters())](std::uint64_t sample,
                                                                                               Sizes& into) mutable {
            auto const weights = mlp::parameters_of(draw_network<T>(model, seed, sample));
            Stream coins(seed, sample, StreamUse::ties);
            mlp::TieBreak<T> const ties{tie_tolerance<T>, [&coins] { return coins.coin(); }};
            pass.forward(weights, x, {.moments = nullptr, .dropout = {}, .ties = ties_possible ? &ties : nullptr});
            std::fill(gradient.begin(), gradient.end(), T(0));
            pass.backward(g, gradient);
            for (std::size_t q = 0; q < into.layers.size(); ++q) {
                auto const& range = net.ranges()[q];
                T const size = Eigen::Map<mlp::Vector<T> const>(gradient.data() + range.first,
                                                                static_cast<Eigen::Index>(range.size))
                                   .squaredNorm();
                into.layers[q].push(static_cast<double>(size));
            }
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
    require_float_range(model, {model.input}, output_gradient);
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
