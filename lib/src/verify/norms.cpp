// SPDX-License-Identifier: MIT
#include <isserlis/verify/norms.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/squared_norms.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>
#include <string>

namespace isserlis {
namespace {

using monte_carlo::Estimate;

/// The standard error of a mean of X^k or (X - c)^k: exact from the moment of order 2k where it is known.
Check against(double exact, Estimate const& sampled, std::vector<double> const& moments, unsigned k, double scale) {
    double const n = static_cast<double>(sampled.samples);
    if (2 * k < moments.size()) {
        // Beyond the range of double this is no number, and `compare` draws no conclusion.
        double const variance = moments[2 * k] - moments[k] * moments[k];
        double const error = variance < 0 ? 0 : std::sqrt(variance / n) * scale;
        return compare_with_exact_error(exact, sampled.mean * scale, error, sampled.std_error * scale, sampled.samples);
    }
    // The mean of a skewed variable is low where its error is: at five such errors one seed in a thousand disagreed.
    return compare_sampled(exact, sampled.mean * scale, sampled.std_error * scale, sampled.samples);
}

/// Relative error of a squared norm that is computed in floating point.
constexpr double rounding_of_norms = 1e-9;

/// A sampled standard error collapses where the tail that carries the moment is not seen.
bool tails_allow(ExactNorms const& law, std::uint64_t samples) {
    return law.tail_weight <= tails_per_sample * static_cast<double>(samples);
}

}  // namespace

double weights_of(monte_carlo::NetworkModel const& model) {
    constexpr double products_in_the_time_of_a_weight = 16;  // of a QR decomposition
    double weights = 0;
    for (std::size_t q = 1; q < model.widths.size(); ++q) {
        auto const [shorter, longer] = std::minmax(model.widths[q - 1], model.widths[q]);
        double const drawn = static_cast<double>(shorter) * static_cast<double>(longer);
        weights += drawn;
        if (model.is_orthogonal(q)) weights += drawn * static_cast<double>(shorter) / products_in_the_time_of_a_weight;
    }
    return model.activation.sides() == WeightSides::independent ? 2 * weights : weights;
}

std::vector<NormChecks> check_squared_norms(monte_carlo::NetworkModel const& model,
                                            std::vector<ExactNorms> const& exact, bool preactivations, unsigned order,
                                            std::uint64_t samples, std::uint64_t seed,
                                            monte_carlo::RunControl const& control) {
    if (exact.size() != model.depth()) {
        throw DomainError("check_squared_norms: " + std::to_string(exact.size()) + " exact layers for a network of " +
                          std::to_string(model.depth()));
    }
    require_feasible(weights_of(model), samples, control);
    std::vector<double> centers;
    for (auto const& layer : exact) centers.push_back(layer.raw.at(1));
    return compare_squared_norms(exact,
                                 monte_carlo::squared_norms(model, samples, seed, preactivations,
                                                            static_cast<int>(sampled_order(order)), centers, control),
                                 order);
}

std::vector<NormChecks> compare_squared_norms(std::vector<ExactNorms> const& exact,
                                              std::vector<monte_carlo::LayerNorms> const& sampled, unsigned order) {
    std::vector<NormChecks> out(exact.size());
    for (std::size_t l = 0; l < exact.size(); ++l) {
        auto const& law = exact[l];
        auto const& seen = sampled[l];
        auto& checks = out[l];
        if (seen.raw.empty()) continue;
        bool const trusted = tails_allow(law, seen.raw.front().samples);
        for (unsigned k = 1; k <= order && k < law.raw.size(); ++k) {
            if (2 * k >= law.raw.size() && !trusted) break;
            checks.raw.push_back(against(law.raw[k], seen.raw[k - 1], law.raw, k, 1));
        }
        if (law.central.size() > 4 || (law.central.size() > 2 && trusted)) {
            double const variance = law.central[2];
            Estimate spread = seen.central[0];
            // A norm that is constant, such as that of orthogonal layers, is sampled to rounding.
            double const rounding = rounding_of_norms * law.raw[1];
            if (variance == 0 && spread.mean <= rounding * rounding) spread.mean = spread.std_error = 0;
            checks.variance = against(variance, spread, law.central, 2, 1);
            if (law.central.size() > 4 && variance > 0) {
                double const deviation = std::sqrt(variance);
                checks.skewness = against(law.central[3] / (variance * deviation), seen.central[1], law.central, 3,
                                          1 / (variance * deviation));
                checks.kurtosis = against(law.central[4] / (variance * variance), seen.central[2], law.central, 4,
                                          1 / (variance * variance));
            }
        }
        if (law.log_mean && seen.log_norm.count() > 1) {
            Estimate const e = seen.log_norm.estimate();
            checks.log_mean = compare_log_mean(*law.log_mean, e.mean, e.std_error, e.samples);
        }
    }
    return out;
}

}  // namespace isserlis
