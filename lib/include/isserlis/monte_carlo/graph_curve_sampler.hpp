// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/network/mini_batch.hpp>
#include <optional>
#include <vector>

namespace isserlis::monte_carlo {

/// Random networks of any wiring, the samples that they see, and the squared error `factor` |z - y|^2.
struct GraphCurveModel {
    GraphModel network;  ///< label factors multiply the rate, edge by edge, and those of biases, node by node
    std::vector<std::vector<double>> inputs;
    std::vector<std::vector<double>> targets;
    bool half = false;                 ///< the factor is 1/2, else 1
    std::optional<MiniBatch> batch{};  ///< samples in the gradient, drawn for each network; none is all of them
};

struct GraphCurveEstimates {
    Estimate loss;       ///< L(0)
    Estimate slope;      ///< L'(0)
    Estimate curvature;  ///< L''(0)
    /// How much of each variance one network has.
    struct Shares {
        double loss = 0, slope = 0, curvature = 0;
    };
    Shares shares;
};

/// Samples L(0), L'(0) and L''(0) of the mean loss along minus its gradient, or that of the mean over a batch of samples.
///
/// Law     weights are draw_weights(.., seed, i); gradients and products with the Hessian by mlp::DataLoss.
/// Shape   as the model.
/// Units   slope [loss] / [rate], curvature [loss] / [rate]^2.
/// Errors  those of flat_graph and DataLoss; UnsupportedError for sizes beyond double, and in float near the ends of its
///         range; Interrupted.
/// Source  the definitions
[[nodiscard]] GraphCurveEstimates sample_graph_curve(GraphCurveModel const& model, std::uint64_t samples,
                                                     std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
