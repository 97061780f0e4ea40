// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <optional>
#include <vector>

namespace isserlis::monte_carlo {

/// Sampled statistics of q, the squared norm of one layer.
struct LayerNorms {
    std::vector<Estimate> raw;      ///< raw[k - 1] estimates E q^k, k = 1 .. max_power
    std::vector<Estimate> central;  ///< central[k - 2] estimates E (q - c)^k, k = 2 .. max_power; empty without centers
    RunningVariance log_norm;       ///< of log q over the samples with q > 0; count() is 0 if there is none
    std::uint64_t dead = 0;         ///< samples with q == 0
};

/// Sampled moments of the squared (pre-)activation norms of every layer of a random network.
///
/// Law     the model's; sample i is draw_network(model, seed, i) with its input passed through.
/// Shape   entry q - 1 is layer q: |h^q|^2, for the output |z^n|^2 or, if gated, |h^n|^2; all |z^q|^2 if
///         `preactivations`. `centers` has one number per layer.
/// Units   q in squared activation units.
/// Errors  DomainError for a clash in the model, max_power outside 1 .. 32, a wrong number of centers or fewer than 2
///         samples; UnsupportedError for undecided ties or powers beyond double; Interrupted.
/// Source  the definition
[[nodiscard]] std::vector<LayerNorms> squared_norms(NetworkModel const& model, std::uint64_t samples,
                                                    std::uint64_t seed, bool preactivations, int max_power,
                                                    std::optional<std::vector<double>> const& centers,
                                                    RunControl const& control = {});

}  // namespace isserlis::monte_carlo
