// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/monte_carlo/tailed_estimate.hpp>
#include <isserlis/network/step_rule.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// Pre-activations z_i of one layer and how a step changes them, each a mean over the neurons of the layer.
struct FirstStepEstimates {
    Estimate square;           ///< E z_i^2
    Estimate own_square;       ///< E (Delta W h)_i^2, what the layer's own weights do
    Estimate change_square;    ///< E (Delta z_i)^2, all layers together, to first order
    Estimate change_absolute;  ///< E |Delta z_i|
};

/// The same of whole steps: z_i after t of them less z_i before the first.
struct WholeStepEstimates {
    TailedEstimate change_square;     ///< E (z_i(t) - z_i(0))^2
    TailedEstimate change_absolute;   ///< E |z_i(t) - z_i(0)|
    TailedEstimate updated_square;    ///< E z_i(t)^2
    TailedEstimate updated_absolute;  ///< E |z_i(t)|
};

/// Puts in the place of a gradient the direction whose negative, times rates, is the step.
///
/// Law     none.
/// Shape   one matrix of any shape for each layer. Under `orthogonal` each has to be of rank one, as one sample makes it: its
///         polar factor is the matrix over its norm.
/// Units   none, but those of the gradient for `descent`.
/// Errors  none.
/// Source  the definitions of StepRule
void apply_rule(StepRule rule, std::vector<std::vector<double>>& gradient);

/// Samples the first step of an optimiser on 1/2 |z^n - y|^2, to first order: weights move by the rule, and every
/// pre-activation along the derivative of a forward pass in that direction, its gates fixed.
///
/// Law     the model's, with a linear head; y_i is plus or minus sqrt(E y_i^2).
/// Shape   `rates` has one entry for each layer, the answer too; `target_second_moment` is E y_i^2 of each output.
/// Errors  those of `run` and of NetworkModel::validate; DomainError for another number of rates, concatenated units or a
///         gated head; UnsupportedError for floats and for gates that can tie.
/// Source  the chain rule
[[nodiscard]] std::vector<FirstStepEstimates> sample_first_steps(NetworkModel const& model, StepRule rule,
                                                                 std::vector<double> const& rates,
                                                                 double target_second_moment, std::uint64_t samples,
                                                                 std::uint64_t seed, RunControl const& control = {});

/// Samples networks that are trained for `steps` whole steps on one sample, by the rule and with no memory of earlier
/// steps: every step has a forward pass, the gradient of the loss there and new weights.
///
/// Shape   the answer has one entry for each step t = 1 .. steps, with one for each layer; else as above.
/// Errors  those above; DomainError for no steps. A run that leaves the range of double has estimates that are not finite.
[[nodiscard]] std::vector<std::vector<WholeStepEstimates>> sample_whole_steps(
    NetworkModel const& model, StepRule rule, std::vector<double> const& rates, double target_second_moment,
    std::uint64_t steps, std::uint64_t samples, std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
