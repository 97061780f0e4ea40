// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <isserlis/monte_carlo/norm_sampler.hpp>
#include <isserlis/monte_carlo/squared_norms.hpp>
#include <optional>
#include <vector>

namespace isserlis::monte_carlo {

/// What is summed of the squared norm of one layer.
struct LayerPowerSums {
    PowerSums raw;
    PowerSums central;
    RunningVariance log_norm;
    std::uint64_t dead = 0;

    void push(SquaredNorm const& q, std::optional<double> center);
    void push(std::optional<SquaredNorm> const& q, std::optional<double> center) {
        if (q) push(*q, center);
    }
    static void members(auto& self, auto const& f) { f(self.raw, self.central, self.log_norm, self.dead); }
};

struct NormSums {
    std::vector<LayerPowerSums> layers;

    static void members(auto& self, auto const& f) { f(self.layers); }
};

/// The sums over sampled networks; `sampler` makes the norms of all layers of one, or none of some.
template <class Sampler>
[[nodiscard]] NormSums sampled_norms(Sampler const& sampler, std::size_t layers, std::uint64_t samples,
                                     std::uint64_t seed, int max_power,
                                     std::optional<std::vector<double>> const& centers, RunControl const& control) {
    // A standard error of the k-th power takes the 2k-th.
    LayerPowerSums const empty{
        .raw = PowerSums(2 * max_power), .central = PowerSums(centers ? 2 * max_power : 0), .log_norm = {}, .dead = 0};
    return run(samples, control, NormSums{std::vector(layers, empty)}, [&] {
        return [&, norms = sampler](std::uint64_t sample, NormSums& into) mutable {
            auto const q = norms(seed, sample);
            for (std::size_t i = 0; i < q.size(); ++i)
                into.layers[i].push(q[i], centers ? std::optional((*centers)[i]) : std::nullopt);
        };
    });
}

/// Their moments; empty where fewer than two norms were counted.
/// Errors  UnsupportedError for powers beyond double.
[[nodiscard]] std::vector<LayerNorms> norms_of(NormSums const& sums);

}  // namespace isserlis::monte_carlo
