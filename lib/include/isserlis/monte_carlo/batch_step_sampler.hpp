// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <isserlis/monte_carlo/tailed_estimate.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// Pre-activations z_i of one node and their changes Delta z_i in a step, each a mean over its neurons, and over the samples
/// where there is one number.
struct BatchStepEstimates {
    Estimate square;                             ///< E z_i^2
    Estimate change;                             ///< E Delta z_i
    TailedEstimate change_square;                ///< E (Delta z_i)^2
    TailedEstimate of_outputs;                   ///< the same of targets 0
    TailedEstimate of_targets;                   ///< the same of outputs 0
    Estimate covariance;                         ///< E z_i Delta z_i
    Estimate updated_square;                     ///< E (z_i + Delta z_i)^2
    std::vector<TailedEstimate> change_squares;  ///< E (Delta z_i)^2 at each sample
    std::vector<Estimate> output_changes;  ///< of the last node: E Delta z_j of output j at sample k, at k*outputs + j
};

/// Samples one step of gradient descent on the mean of 1/2 |z - y|^2 over the samples, or over a batch of them that is drawn for
/// each network, and how pre-activations at every sample move along it, to first order: the gradient by back-propagation, the
/// motion as the derivative of a forward pass. The gradient is linear in z - y, so that a step of targets 0 and the rest are
/// its two parts.
///
/// Law     the model's, of any wiring; biases stay.
/// Shape   label factors are rates; the error of `model` is 1/2 |z - y|^2 whatever `half` says. One entry for each node behind
///         the input.
/// Errors  those of `run` and of GraphModel; UnsupportedError for floats, concatenated units and gates that can tie.
/// Source  the chain rule
[[nodiscard]] std::vector<BatchStepEstimates> sample_batch_steps(GraphCurveModel const& model, std::uint64_t samples,
                                                                 std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
