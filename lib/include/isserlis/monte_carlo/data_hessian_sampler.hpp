// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <isserlis/monte_carlo/tailed_estimate.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// The Hessian H = G + F - T of the mean loss over samples: of products of first derivatives, of second ones times outputs, and
/// times targets.
struct DataHessianEstimates {
    TailedEstimate total;                       ///< E|H|_F^2
    TailedEstimate gauss_newton;                ///< E|G|_F^2
    TailedEstimate functional;                  ///< E|F|_F^2
    TailedEstimate cross;                       ///< 2 E<G, F>
    TailedEstimate target;                      ///< E|T|_F^2
    std::vector<std::vector<Estimate>> blocks;  ///< E|H_kl|_F^2 by weight edges, in the order of the layout
    Estimate modulus;                           ///< E|lambda_1|
    Estimate reciprocal;                        ///< E 2/|lambda_1| over the networks with H other than 0
    std::uint64_t without = 0;                  ///< networks with H = 0
};

/// Samples the Hessian of the mean of 1/2 |z - y|^2 over the samples, or over a batch of them that is drawn for each network, in
/// all weights: as a matrix, column by column by products with the Hessian, G by the Jacobian of the outputs.
///
/// Law     the model's, of any wiring; gates keep their state, biases are not differentiated by.
/// Shape   each derivative by a weight carries the root of the label factor of its edge; the error of `model` is
///         1/2 |z - y|^2 whatever `half` says.
/// Errors  those of `run`, of GraphModel and of mlp::largest_by_modulus; UnsupportedError for floats, concatenated units
///         and gates that can tie.
/// Source  the definitions
[[nodiscard]] DataHessianEstimates sample_data_hessian(GraphCurveModel const& model, std::uint64_t samples,
                                                       std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
