// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/network.hpp>
#include <random>
#include <vector>

/// Networks and batches of unit normals.
namespace random_network {

using isserlis::ActivationKind;
using isserlis::mlp::Matrix;
using isserlis::mlp::Network;

inline Matrix<double> matrix(std::mt19937_64& random, Eigen::Index rows, Eigen::Index cols) {
    std::normal_distribution<double> normal;
    return Matrix<double>::NullaryExpr(rows, cols, [&] { return normal(random); });
}

inline Network<double> network(std::mt19937_64& random, ActivationKind kind, std::vector<Eigen::Index> const& widths) {
    Network<double> net{.activation = {.kind = kind, .slope = 0.3}, .gated_head = false, .layers = {}};
    for (std::size_t q = 1; q < widths.size(); ++q) {
        auto& layer = net.layers.emplace_back();
        layer.weights = matrix(random, widths[q], widths[q - 1]);
        if (kind == ActivationKind::crelu) layer.negative = matrix(random, widths[q], widths[q - 1]);
        if (kind == ActivationKind::crelu_tied) layer.negative = layer.weights;
    }
    return net;
}

}  // namespace random_network
