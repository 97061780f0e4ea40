// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/squared_norms.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/norm_sampler.hpp>
#include <limits>
#include <string>

#include "monte_carlo/norm_sums.hpp"

namespace isserlis::monte_carlo {
namespace {

constexpr int highest_max_power = 32;

std::vector<Estimate> estimates(PowerSums const& sums, int lowest, std::size_t layer) {
    std::vector<Estimate> result;
    for (int k = lowest; 2 * k <= sums.highest_power(); ++k) {
        result.push_back(sums.estimate(k));
        if (!std::isfinite(result.back().mean) || !std::isfinite(result.back().std_error))
            throw UnsupportedError(
                "squared_norms: in layer " + std::to_string(layer) + " power " + std::to_string(k) +
                    " or its standard error is beyond the range of double; scale input or variances towards "
                    "norms of moderate size, or lower the power",
                "max_power");
    }
    return result;
}

}  // namespace

void LayerPowerSums::push(SquaredNorm const& q, std::optional<double> center) {
    raw.push(q.value);
    if (center) central.push(q.value - *center);
    if (q.log == -std::numeric_limits<double>::infinity())
        ++dead;
    else
        log_norm.push(q.log);
}

std::vector<LayerNorms> norms_of(NormSums const& sums) {
    std::vector<LayerNorms> result;
    for (LayerPowerSums const& layer : sums.layers) {
        LayerNorms& out = result.emplace_back();
        out.log_norm = layer.log_norm;
        out.dead = layer.dead;
        if (layer.raw.count() < 2) continue;
        out.raw = estimates(layer.raw, 1, result.size());
        out.central = estimates(layer.central, 2, result.size());
    }
    return result;
}

std::vector<LayerNorms> squared_norms(NetworkModel const& model, std::uint64_t samples, std::uint64_t seed,
                                      bool preactivations, int max_power,
                                      std::optional<std::vector<double>> const& centers, RunControl const& control) {
    model.validate(true);
    model.require_decided_ties();
    if (max_power < 1 || max_power > highest_max_power)
        throw DomainError("squared_norms: max_power = " + std::to_string(max_power) + "; 1 to " +
                              std::to_string(highest_max_power) + " can be sampled",
                          "max_power");
    if (centers && centers->size() != model.depth())
        throw DomainError("squared_norms: " + std::to_string(centers->size()) + " centers for " +
                              std::to_string(model.depth()) + " layers; one per layer is required",
                          "centers");
    auto const sums = [&](auto const& sampler) {
        return norms_of(sampled_norms(sampler, model.depth(), samples, seed, max_power, centers, control));
    };
    return model.precision == Precision::float32 ? sums(NormSampler<float>(model, preactivations))
                                                 : sums(NormSampler<double>(model, preactivations));
}

}  // namespace isserlis::monte_carlo
