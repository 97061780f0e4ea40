// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>

#include <cstdint>
#include <string>

namespace isserlis {

/// What sampling a loss curve costs, known before it begins.
struct SamplingEffort {
    double products = 0;  ///< of numbers, in one pass of one network over all samples: a seventh of a loss curve
    double numbers = 0;   ///< that one thread keeps

    /// So many times a loss curve takes longer than anyone waits who has not said how many networks.
    [[nodiscard]] bool is_long(double times, std::uint64_t networks) const;
};

[[nodiscard]] SamplingEffort sampling_effort(monte_carlo::LossCurveModel const& model);

/// "4000 networks take about 3 hours here; samples 50: about 2 minutes", for so many times the work of one loss
/// curve, by a network that is timed on a part of the samples; or that a network does not fit the memory.
[[nodiscard]] std::string time_needed(monte_carlo::LossCurveModel const& model, double times, std::uint64_t networks,
                                      unsigned threads);

/// Refuses networks that were asked for, where they would take far too long or not fit the memory.
/// Errors  UnsupportedError with the time and what fits.
void require_affordable(monte_carlo::LossCurveModel const& model, std::uint64_t networks,
                        monte_carlo::RunControl const& control);

/// A search for the minimiser is so many loss curves: some fifty-five passes, of which a curve has seven.
inline constexpr double curves_of_a_minimiser = 8;

}  // namespace isserlis
