// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/norm_sampler.hpp>
#include <isserlis/monte_carlo/squared_norms.hpp>
#include <limits>
#include <string>

namespace isserlis::monte_carlo {
namespace {

constexpr int highest_max_power = 32;

struct LayerPowerSums {
    PowerSums raw;
    PowerSums central;
    RunningVariance log_norm;
    std::uint64_t dead = 0;

    void push(SquaredNorm const& q, std::optional<double> center) {
        raw.push(q.value);
        if (center) central.push(q.value - *center);
        if (q.log == -std::numeric_limits<double>::infinity())
            ++dead;
        else
            log_norm.push(q.log);
    }
    static void members(auto& self, auto const& f) { f(self.raw, self.central, self.log_norm, self.dead); }
};

struct NetworkSums {
    std::vector<LayerPowerSums> layers;

    static void members(auto& self, auto const& f) { f(self.layers); }
};

template <class T>
NetworkSums sums(NetworkModel const& model, std::uint64_t samples, std::uint64_t seed, bool preactivations,
                 int max_power, std::optional<std::vector<double>> const& centers, RunControl const& control) {
    // A standard error of the k-th power takes the 2k-th.
    LayerPowerSums const empty{
        .raw = PowerSums(2 * max_power), .central = PowerSums(centers ? 2 * max_power : 0), .log_norm = {}, .dead = 0};
    NormSampler<T> const sampler(model, preactivations);
    return run(samples, control, NetworkSums{std::vector(model.depth(), empty)}, [&] {
        return [&, norms = sampler](std::uint64_t sample, NetworkSums& into) mutable {
            auto const q = norms(seed, sample);
            for (std::size_t i = 0; i < q.size(); ++i)
                into.layers[i].push(q[i], centers ? std::optional((*centers)[i]) : std::nullopt);
        };
    });
}

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
    auto const sampled = model.precision == Precision::float32 ? sums<float> : sums<double>;
    auto const total = sampled(model, samples, seed, preactivations, max_power, centers, control);

    std::vector<LayerNorms> result;
    for (LayerPowerSums const& layer : total.layers)
        result.push_back({.raw = estimates(layer.raw, 1, result.size() + 1),
                          .central = estimates(layer.central, 2, result.size() + 1),
                          .log_norm = layer.log_norm,
                          .dead = layer.dead});
    return result;
}

}  // namespace isserlis::monte_carlo
