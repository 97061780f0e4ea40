// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/monte_carlo/squared_norms.hpp>
#include <isserlis/verify/check.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace isserlis {

/// What is known exactly of the squared norm q of one layer, as doubles.
struct ExactNorms {
    std::vector<double> raw;      ///< E q^k, k = 0, 1, ..; as many as are known
    std::vector<double> central;  ///< E (q - E q)^k, k = 0, 1, .., as many
    std::optional<double> log_mean;
    /// E q^8 / (E q^4)^2 of a network with tails like this one's, where standard errors have to be sampled; else 0.
    double tail_weight = 0;
};

/// Tail weight up to which a sampled standard error of q^2 is trusted, per sample.
inline constexpr double tails_per_sample = 1;

/// Checks of the squared norm of one layer; those that cannot be made are empty.
struct NormChecks {
    std::vector<Check> raw;  ///< raw[k - 1] for E q^k
    std::optional<Check> variance;
    std::optional<Check> skewness;
    std::optional<Check> kurtosis;
    std::optional<Check> log_mean;
};

/// Samples real networks and sets the moments of every layer's squared norm beside the exact ones.
///
/// Law     the model's. Central moments are taken about the exact mean and scaled by the exact variance, which keeps
///         them unbiased and gives them exact standard errors wherever twice the order is known.
/// Shape   one entry of `exact` per layer; moments up to `order` are checked.
/// Errors  those of monte_carlo::squared_norms and of require_feasible; DomainError for a wrong number of layers.
[[nodiscard]] std::vector<NormChecks> check_squared_norms(monte_carlo::NetworkModel const& model,
                                                          std::vector<ExactNorms> const& exact, bool preactivations,
                                                          unsigned order, std::uint64_t samples, std::uint64_t seed,
                                                          monte_carlo::RunControl const& control);

/// The comparison alone: moments that were sampled with the means as centers, beside the exact ones.
///
/// Shape   one entry of `exact` and `sampled` per layer; none of a layer's checks where it has no sampled moments.
[[nodiscard]] std::vector<NormChecks> compare_squared_norms(std::vector<ExactNorms> const& exact,
                                                            std::vector<monte_carlo::LayerNorms> const& sampled,
                                                            unsigned order);

/// What a comparison up to `order` needs sampled.
[[nodiscard]] inline unsigned sampled_order(unsigned order) { return std::max(order, 4U); }

/// Weights drawn per sample of a model, or in the time that its orthogonal matrices take.
[[nodiscard]] double weights_of(monte_carlo::NetworkModel const& model);

}  // namespace isserlis
