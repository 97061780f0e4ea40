// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <isserlis/train/train.hpp>
#include <optional>
#include <vector>

namespace isserlis::train {

/// The same random networks trained at each of some rates.
struct RateSweep {
    std::vector<double> rates{};
    std::uint64_t networks = 1000;
    std::vector<double> variances{};  ///< of initial weights, one for each weight edge
    std::uint64_t seed = 1;           ///< network i is initial_parameters of (seed, i), i from 0
    TrainingOptions training{};       ///< all but rate; with full batches an epoch is a step
    unsigned threads = 1;             ///< over networks; changes no bit of the result
};

/// What became of the networks at one rate.
struct SweepCell {
    double rate = 0;
    std::optional<double> mean_loss{};  ///< of those that did not diverge; none if all did
    double standard_error = 0;          ///< of mean_loss; 0 for a single network
    double share_diverged = 0;          ///< a loss or gradient was no finite number
    double share_risen = 0;             ///< ended above the loss that they began with, or diverged
};

/// The mean loss after k steps by rate, and the share of networks that diverge.
///
/// Law     weights Gaussian of the variances given, independent; sample orders and masks of network i are those of seed
///         training.seed + i.
/// Shape   a cell for each rate. `done` holds the first cells of an earlier sweep of the same kind, which are not
///         computed again; on_cell sees the others.
/// Units   those of the objective.
/// Errors  DomainError for no rate, no network or no thread, cells of other rates, and those of train.
/// Source  [Hettinger 2019, Figures 4.3 and 4.5]: 50 steps, 1000 networks
[[nodiscard]] std::vector<SweepCell> rate_sweep(mlp::Architecture const& architecture, mlp::Objective objective,
                                                mlp::Examples<double> const& examples, RateSweep const& sweep,
                                                std::vector<SweepCell> done = {},
                                                std::function<void(SweepCell const&)> const& on_cell = {});

}  // namespace isserlis::train
