// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/run.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// A node whose squared norms q_k at several inputs are sampled, and the numbers about which variances are taken.
struct BatchNormCenters {
    std::size_t node = 1;        ///< its place in the flat graph, from 1 behind the input
    double mean = 0;             ///< of Q, the mean of q_k over the inputs
    std::vector<double> inputs;  ///< of each q_k
};

/// Of the squared norms q_k of one node, and of their mean Q over the inputs.
struct BatchNormEstimates {
    std::vector<Estimate> raw;                ///< raw[p - 1] is E Q^p
    Estimate variance;                        ///< E (Q - its center)^2
    std::vector<Estimate> inputs;             ///< E q_k
    std::vector<Estimate> variance_of_input;  ///< E (q_k - its center)^2
};

/// Samples the squared norms of some nodes at every input, all of them in the same network.
///
/// Law     the model's, of any wiring, with biases. Of gated nodes the norms are those of h, of others, and of all with
///         `preactivations`, those of z.
/// Shape   one entry for each of `centers`; moments up to `order`.
/// Errors  those of `run` and of GraphModel; DomainError for no input; UnsupportedError for floats.
/// Source  the definition
[[nodiscard]] std::vector<BatchNormEstimates> sample_batch_norms(GraphModel const& model,
                                                                 std::vector<std::vector<double>> const& inputs,
                                                                 std::vector<BatchNormCenters> const& centers,
                                                                 unsigned order, bool preactivations,
                                                                 std::uint64_t samples, std::uint64_t seed,
                                                                 RunControl const& control = {});

}  // namespace isserlis::monte_carlo
