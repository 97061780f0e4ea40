// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// Pre-activations z_i of one layer and their changes Delta z_i in a step, each a mean over the neurons of the layer.
struct StepEstimates {
    Estimate square;            ///< E z_i^2
    Estimate change;            ///< E Delta z_i
    Estimate covariance;        ///< E z_i Delta z_i
    Estimate change_square;     ///< E (Delta z_i)^2
    Estimate updated_square;    ///< E (z_i + Delta z_i)^2
    Estimate absolute;          ///< E |z_i|
    Estimate change_absolute;   ///< E |Delta z_i|
    Estimate updated_absolute;  ///< E |z_i + Delta z_i|
};

/// Samples one step of gradient descent on 1/2 |z^n - y|^2, to first order: the weights move by minus rate times
/// gradient, and every pre-activation along the derivative of a forward pass in that direction, its gates fixed.
///
/// Law     the model's, with a linear head; y_i is plus or minus sqrt(E y_i^2).
/// Shape   `rates` has one entry for each layer, the answer too; `target_second_moment` is E y_i^2 of each output.
/// Errors  those of `run` and of NetworkModel::validate; DomainError for another number of rates, concatenated units or a
///         gated head; UnsupportedError for gates that can tie.
/// Source  the chain rule
[[nodiscard]] std::vector<StepEstimates> sample_steps(NetworkModel const& model, std::vector<double> const& rates,
                                                      double target_second_moment, std::uint64_t samples,
                                                      std::uint64_t seed, RunControl const& control = {});

/// Samples one step of gradient descent on the mean of 1/2 |z^n - y|^2 over inputs, by a gradient of the whole batch:
/// E (Delta z_i^1)^2 at each of them, a mean over the neurons of layer 1.
///
/// Law     the model's, with a linear head; its own input is not used. y_i is plus or minus sqrt(E y_i^2), apart at each
///         input.
/// Shape   `rate` is that of layer 1; `target_second_moment` is E y_i^2 of each output.
/// Errors  those of `run` and of NetworkModel::validate; DomainError for no input, concatenated units or a gated head;
///         UnsupportedError for floats and for gates that can tie.
/// Source  the chain rule
[[nodiscard]] std::vector<Estimate> sample_batch_step(NetworkModel const& model,
                                                      std::vector<std::vector<double>> const& inputs, double rate,
                                                      double target_second_moment, std::uint64_t samples,
                                                      std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
