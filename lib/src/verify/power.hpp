// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <isserlis/verify/check.hpp>

namespace isserlis::detail {

/// P(Z <= x) of a normal variable.
inline double normal(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

/// P(|Z| > threshold) of a mean that is `distance` standard errors off.
inline double exceeding(double threshold, double distance) {
    return normal(distance - threshold) + normal(-distance - threshold);
}

/// The same with a sampled error: of noncentral t, by Abramowitz and Stegun 26.7.10.
inline double exceeding_sampled(double threshold, double distance, std::uint64_t samples) {
    double const nu = std::max(1.0, static_cast<double>(samples) - 1);
    double const spread = std::sqrt(1 + threshold * threshold / (2 * nu));
    double const shrunk = threshold * (1 - 1 / (4 * nu));
    return normal((distance - shrunk) / spread) + normal((-distance - shrunk) / spread);
}

/// P(|Z| > threshold, |Z| > sampled S) of a mean that is `distance` true errors off; S, the sampled error over the true
/// one, is chi over the root of its nu degrees of freedom, and integrated by midpoints.
inline double exceeding_both(double threshold, double sampled, double distance, std::uint64_t samples) {
    int const steps = samples < fewest_samples ? 1024 : 64;  // chi of few degrees is broad
    double const nu = static_cast<double>(samples) - 1;
    double const reach = 6 / std::sqrt(2 * nu);  // six deviations
    double const least = std::max(-1.0, -reach);
    double weights = 0;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        double const x = least + (reach - least) * (i + 0.5) / steps;  // S - 1
        double const weight = std::exp((nu - 1) * std::log1p(x) - nu * (x + x * x / 2));
        weights += weight;
        sum += weight * exceeding(std::max(threshold, sampled * (1 + x)), distance);
    }
    return sum / weights;
}

}  // namespace isserlis::detail
