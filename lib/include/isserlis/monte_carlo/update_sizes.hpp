// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <vector>

namespace isserlis::monte_carlo {

/// Sampled mean of |dW_q|^2, or |dP_q|^2 + |dN_q|^2 of a concatenated ReLU, for every layer.
///
/// Law     the model's. dW_q is the gradient of g . (output) by the weights of layer q, by mlp::BatchPass on the drawn
///         network at its one input; where a law has atoms, the gate of every tied pre-activation is a fair coin.
/// Shape   entry q - 1 is layer q; the constant output gradient g has d_n entries.
/// Units   ([g] [h] / [weight])^2.
/// Errors  DomainError for a clash in the model, a g of another length or not finite, or fewer than 2 samples;
///         UnsupportedError for undecided ties or sizes beyond the range of the number type; Interrupted.
/// Source  [Hettinger 2019, Thm 4.6]
[[nodiscard]] std::vector<Estimate> update_sizes(NetworkModel const& model, std::vector<double> const& output_gradient,
                                                 std::uint64_t samples, std::uint64_t seed,
                                                 RunControl const& control = {});

}  // namespace isserlis::monte_carlo
