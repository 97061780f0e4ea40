// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/optimiser_sampler.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// `sample_first_steps` on a graph: every weight matrix moves by the rule at its label factor, and every pre-activation
/// along the derivative of a forward pass in that direction, its gates fixed.
///
/// Law     the model's, without biases; y_i is plus or minus sqrt(E y_i^2).
/// Shape   the answer has one entry for each node behind the input; `own_square` is what the matrices into it do.
/// Errors  those of `run` and of GraphModel; UnsupportedError for biases, concatenated units, a gated output,
///         floats, and gates that can tie.
/// Source  the chain rule
[[nodiscard]] std::vector<FirstStepEstimates> sample_graph_first_steps(GraphModel const& model,
                                                                       std::vector<double> const& input, StepRule rule,
                                                                       double target_second_moment,
                                                                       std::uint64_t samples, std::uint64_t seed,
                                                                       RunControl const& control = {});

/// `sample_whole_steps` on a graph: every step has a forward pass, the gradient of the loss there and new weights.
///
/// Shape   the answer has one entry for each step t = 1 .. steps, with one for each node behind the input; else as above.
/// Errors  those above; DomainError for no steps. A run that leaves the range of double has estimates that are not finite.
[[nodiscard]] std::vector<std::vector<WholeStepEstimates>> sample_graph_whole_steps(
    GraphModel const& model, std::vector<double> const& input, StepRule rule, double target_second_moment,
    std::uint64_t steps, std::uint64_t samples, std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
