// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/network_model.hpp>

namespace isserlis::mlp {
template <class T>
struct Network;  // the caller includes mlp/network.hpp; this header stays free of Eigen
}

namespace isserlis::monte_carlo {

/// The network that belongs to (seed, sample), with every weight drawn and rounded to T.
///
/// Law     the model's. Weights are drawn layer by layer, P before N, row by row; the stream is the same for every T.
/// Shape   as the model.
/// Units   weights have the model's variances.
/// Errors  those of NetworkModel::validate.
/// Source  this library
template <class T>
[[nodiscard]] mlp::Network<T> draw_network(NetworkModel const& model, std::uint64_t seed, std::uint64_t sample);

}  // namespace isserlis::monte_carlo
