// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/data_loss.hpp>

#include <cstdint>
#include <vector>

#include "batch_order.hpp"

namespace isserlis::monte_carlo {

/// The mini-batch of network `sample`, of these examples.
template <class T>
[[nodiscard]] mlp::Examples<T> drawn_batch(mlp::Examples<T> const& all, MiniBatch const& batch, std::uint64_t seed,
                                           std::uint64_t sample, std::vector<std::size_t>& drawn) {
    auto const size = static_cast<Eigen::Index>(batch.size);
    draw_batch(seed, sample, batch, static_cast<std::size_t>(all.inputs.cols()), drawn);
    mlp::Examples<T> out{.inputs = mlp::Matrix<T>(all.inputs.rows(), size),
                         .targets = mlp::Matrix<double>(all.targets.rows(), size)};
    for (Eigen::Index k = 0; k < size; ++k) {
        auto const from = static_cast<Eigen::Index>(drawn[static_cast<std::size_t>(k)]);
        out.inputs.col(k) = all.inputs.col(from);
        out.targets.col(k) = all.targets.col(from);
    }
    return out;
}

}  // namespace isserlis::monte_carlo
