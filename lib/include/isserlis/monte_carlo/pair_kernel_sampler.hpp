// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/run.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// Of the tangent kernel K_oo'(x, x') of two inputs, over N outputs.
struct PairKernelEstimates {
    Estimate mean;           ///< E tr K / N
    Estimate second_moment;  ///< E sum_o K_oo^2 / N
    Estimate trace;          ///< E tr K
    Estimate trace_square;   ///< E (tr K)^2
    Estimate squared_trace;  ///< E tr K K^T
};

/// Samples K_oo'(x, x') = sum_mu h_mu d_mu z_o(x) d_mu z_o'(x') of every two inputs: a pass back for each output and input, and
/// products of the derivatives by all parameters, h_mu being label factors.
///
/// Law     the model's; biases count with their label factors.
/// Shape   one entry for each pair k <= l, in order.
/// Errors  those of `run` and of GraphModel; DomainError for no input; UnsupportedError for floats.
/// Source  the definition
[[nodiscard]] std::vector<PairKernelEstimates> sample_pair_kernels(GraphModel const& model,
                                                                   std::vector<std::vector<double>> const& inputs,
                                                                   std::uint64_t samples, std::uint64_t seed,
                                                                   RunControl const& control = {});

}  // namespace isserlis::monte_carlo
