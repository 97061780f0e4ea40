// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/unit.hpp>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/run.hpp>

#include <cstdint>

namespace isserlis::monte_carlo {

struct SampledUnit {
    Estimate mean;
    Estimate second;
    Estimate derivative_second;
};

/// Means of sigma(z), its square and that of its derivative over normal pre-activations z.
///
/// Law     z has mean 0 and this standard deviation; sample i is a function of the seed and i.
/// Shape   scalars.
/// Units   those of z.
/// Errors  those of `run`.
/// Source  the definitions
[[nodiscard]] SampledUnit sample_unit(mlp::Unit const& unit, double deviation, std::uint64_t samples,
                                      std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
