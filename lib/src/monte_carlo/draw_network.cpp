// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/draw_network.hpp>

#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>

namespace isserlis::monte_carlo {
namespace {

template <class T>
mlp::Matrix<T> draw_matrix(WeightRows<T>& weights, Stream& stream, std::size_t rows, std::size_t cols) {
    mlp::Matrix<T> matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
    weights.for_each_row(stream, rows, cols, [&](std::size_t i, std::span<T const> row) {
        std::copy(row.begin(), row.end(), matrix.row(static_cast<Eigen::Index>(i)).begin());
    });
    return matrix;
}

}  // namespace

template <class T>
mlp::Network<T> draw_network(NetworkModel const& model, std::uint64_t seed, std::uint64_t sample) {
    model.validate();
    Stream stream(seed, sample);
    mlp::Network<T> net{.activation = {.kind = model.activation.kind, .slope = static_cast<T>(model.activation.slope)},
                        .gated_head = model.gated_head,
                        .layers = {}};
    for (std::size_t q = 1; q <= model.depth(); ++q) {
        WeightRows<T> weights(model.laws[q - 1], model.variances[q - 1]);
        auto& layer = net.layers.emplace_back();
        layer.weights = draw_matrix(weights, stream, model.widths[q], model.widths[q - 1]);
        if (model.activation.sides() == WeightSides::independent)
            layer.negative = draw_matrix(weights, stream, model.widths[q], model.widths[q - 1]);
        if (model.activation.is_tied()) layer.negative = layer.weights;
    }
    for (double const scale : model.scales) net.scales.push_back(static_cast<T>(scale));
    return net;
}

template mlp::Network<float> draw_network(NetworkModel const&, std::uint64_t, std::uint64_t);
template mlp::Network<double> draw_network(NetworkModel const&, std::uint64_t, std::uint64_t);

}  // namespace isserlis::monte_carlo
