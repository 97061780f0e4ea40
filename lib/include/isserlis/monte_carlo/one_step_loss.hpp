// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/monte_carlo/tailed_estimate.hpp>
#include <vector>

namespace isserlis::monte_carlo {

/// The mean over networks of the loss after one step of each rate, all rates on the same networks.
///
/// Law     that of sample_loss_curve, without any expansion: gates are taken anew after the step.
/// Shape   one estimate a rate.
/// Units   [loss]
/// Errors  those of sample_loss_curve, but that losses beyond double are not finite; UnsupportedError where derivatives are
/// given: those do not say what the loss is after a step.
/// Source  [Hettinger 2019, Def 4.12 and section 4.5]
[[nodiscard]] std::vector<Estimate> sample_one_step_losses(LossCurveModel const& model,
                                                           std::vector<double> const& rates, std::uint64_t samples,
                                                           std::uint64_t seed, RunControl const& control = {});

/// Where the sampled mean one-step loss is lowest.
struct OneStepMinimum {
    TailedEstimate rate;  ///< error to first order, from the slopes of the single networks' losses there; their share
    Estimate loss;
};

/// The minimiser of that mean over rates near `start`, on one fixed set of networks: a grid of factors sqrt(2) that
/// moves until the lowest loss is inside, then narrowing grids, then a parabola.
///
/// Law     the mean has minima of its own for a given set of networks; this is the lowest that the grids meet.
/// Shape   a positive start such as vertex_rate; some 50 passes over the samples.
/// Units   [rate], [loss]
/// Errors  as above; DomainError unless start is positive and finite; UnsupportedError when no minimum is met between
///         start/10^5 and 10^5 start.
/// Source  this library
[[nodiscard]] OneStepMinimum minimise_one_step_loss(LossCurveModel const& model, double start, std::uint64_t samples,
                                                    std::uint64_t seed, RunControl const& control = {});
/// The same of networks of any wiring.
[[nodiscard]] OneStepMinimum minimise_one_step_loss(GraphCurveModel const& model, double start, std::uint64_t samples,
                                                    std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
