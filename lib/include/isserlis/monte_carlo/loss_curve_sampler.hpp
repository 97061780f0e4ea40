// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/network/loss_kind.hpp>
#include <isserlis/network/mini_batch.hpp>
#include <optional>
#include <vector>

namespace isserlis::monte_carlo {

/// Gradients g^k and Hessians H_k of the loss by the outputs, given once and for all.
struct GivenOutputDerivatives {
    std::vector<std::vector<double>> gradients;              ///< s x d_n
    std::vector<std::vector<std::vector<double>>> hessians;  ///< s symmetric matrices d_n x d_n
};

/// Random networks, the samples that they see and the loss.
struct LossCurveModel {
    NetworkModel network;                      ///< its `input` and `ties` are not used
    std::vector<std::vector<double>> inputs;   ///< s x d_0
    std::vector<std::vector<double>> targets;  ///< s x d_n; may be left out where derivatives are given
    LossKind loss = LossKind::squared;
    std::vector<double> rates{};                  ///< what multiplies the rate in each layer; none means 1
    std::optional<GivenOutputDerivatives> given;  ///< in place of those of the loss at the network's outputs
    std::optional<MiniBatch> batch{};             ///< samples in the gradient, drawn for each network; none is all

    /// The network model with the first sample for its input, as draw_network takes it.
    [[nodiscard]] NetworkModel network_with_input() const;
    /// Throws DomainError that names the clash; UnsupportedError where a law with atoms could put a gate on a tie.
    void validate() const;
};

/// What a single network has in a sample variance, at most: 1/n is little, 1 is all of it. Where it is large, rare
/// networks rule the mean, and its standard error says little.
struct LargestShares {
    double loss = 0;
    double slope = 0;
    double curvature = 0;
    double curvature_gamma = 0;
    double curvature_chi = 0;
};

/// Means over networks of the loss after a step of rate lambda, to second order at lambda = 0.
struct LossCurveEstimates {
    std::optional<Estimate> loss;  ///< L(0); none without targets
    Estimate slope;                ///< L'(0)
    Estimate curvature;            ///< L''(0) = gamma + chi
    Estimate curvature_gamma;
    Estimate curvature_chi;
    double slope_curvature_covariance = 0;  ///< of the two means
    double slope_chi_covariance = 0;        ///< of slope and curvature_chi, which is all where gamma is known to be 0
    LargestShares shares;
};

struct SampledLossCurve {
    LossCurveEstimates plain;
    /// The network minus the linear network of the same weights, for the symmetric start P = N alone: add the exact
    /// value of the linear network for an estimate with a smaller error.
    std::optional<LossCurveEstimates> minus_linear;
};

/// Samples L(0), L'(0) and L''(0) of the mean loss along minus its gradient, or that of the mean over a batch of samples.
///
/// Law     network i is draw_network(model.network_with_input(), seed, i); P and N are updated separately, also from P
/// = N.
///         Derivatives by mlp::GradientStep, at frozen gates.
/// Shape   as the model; O(s sum d_q d_(q-1)) a network, nothing is allocated from one to the next.
/// Units   slope [loss] / [rate], curvature [loss] / [rate]^2. Curvatures have heavy tails (degree 6 in the weights of
///         a layer for squared errors): doubt the errors of deep narrow networks at few samples.
/// Errors  those of validate; DomainError for fewer than 2 samples; UnsupportedError for sizes beyond double;
///         Interrupted.
/// Source  [Hettinger 2019, Lemmas 4.14 and 4.16]
[[nodiscard]] SampledLossCurve sample_loss_curve(LossCurveModel const& model, std::uint64_t samples, std::uint64_t seed,
                                                 RunControl const& control = {});

/// -slope/curvature with its error to first order; none unless the curvature is positive. The means may come from
/// elsewhere (exact linear value plus difference), the errors are those of `errors`.
[[nodiscard]] std::optional<Estimate> vertex_rate(double slope, double curvature, LossCurveEstimates const& errors);
[[nodiscard]] std::optional<Estimate> vertex_rate(LossCurveEstimates const& estimates);

}  // namespace isserlis::monte_carlo
