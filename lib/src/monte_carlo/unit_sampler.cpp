// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/unit_sampler.hpp>

#include <isserlis/random/stream.hpp>

namespace isserlis::monte_carlo {
namespace {

struct UnitSums {
    RunningVariance value;
    RunningVariance square;
    RunningVariance derivative_square;
    static void members(auto& self, auto const& f) { f(self.value, self.square, self.derivative_square); }
};

}  // namespace

SampledUnit sample_unit(mlp::Unit const& unit, double deviation, std::uint64_t samples, std::uint64_t seed,
                        RunControl const& control) {
    auto const sums = run(samples, control, UnitSums{}, [&] {
        return [&](std::uint64_t sample, UnitSums& into) {
            auto const jet = mlp::unit_jet(unit, deviation * Stream(seed, sample).normal());
            into.value.push(jet.value);
            into.square.push(jet.value * jet.value);
            into.derivative_square.push(jet.first * jet.first);
        };
    });
    return {.mean = sums.value.estimate(),
            .second = sums.square.estimate(),
            .derivative_second = sums.derivative_square.estimate()};
}

}  // namespace isserlis::monte_carlo
