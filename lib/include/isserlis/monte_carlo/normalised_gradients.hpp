// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/normalised_sampler.hpp>
#include <isserlis/monte_carlo/run.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// Samples how a gradient changes on its way down: the mean of log(|dy/dh|^2/|dy/dh'|^2) of each stage, h what it reads, h'
/// what it makes, y the first entry of what the last stage makes.
///
/// Law     the networks of NormalisedSampler. Of chains of ReLU layers those count that hand a gradient down: with two or
///         more active units in each layer below the last normalised one, and one or more in that.
/// Shape   one estimate a stage, from the input up; each of as many samples as networks count.
/// Units   none.
/// Errors  DomainError where nothing is handed down: N of one entry, LayerNorm of two, an input of one entry whose length
///         N forgets; UnsupportedError for a gradient that is 0 or no number in doubles; those of NormalisedSampler and of
///         `run`.
/// Source  the chain rule: one pass forward and one back
[[nodiscard]] std::vector<Estimate> normalised_gradients(NormalisedModel const& model, std::uint64_t samples,
                                                         std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
