// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <isserlis/train/train.hpp>
#include <optional>
#include <vector>

namespace isserlis::train {

/// Where a maximal initial rate is looked for.
struct RateSearch {
    double threshold = 0;  ///< t: the accuracy that has to be reached
    double highest = 1;    ///< u: tried first
    int halvings = 20;     ///< of u while no rate has reached t; then there is no valid rate
    int bisections = 5;    ///< s: once one has
};

/// One training at one rate.
struct RateTrial {
    double rate = 0;
    bool reached = false;
    double accuracy = 0;  ///< the highest after an epoch; the validation accuracy, where there is one
    std::uint64_t epochs = 0;
    std::optional<std::uint64_t> diverged_at{};  ///< in steps
};

enum class RateVerdict {
    found,
    at_least,  ///< the highest rate reaches the threshold too
    none,      ///< no rate that was tried does
};

struct MaximalRate {
    RateVerdict verdict = RateVerdict::none;
    double rate = 0;    ///< the highest tried that reached the threshold; `none`: 0
    double failed = 0;  ///< the lowest above it that did not; `at_least`: 0
    std::vector<RateTrial> trials{};
};

/// What is told of a search while it goes on, and what of it is done; each may be empty.
struct RateSearchHooks {
    std::vector<RateTrial> done{};
    std::function<void(RateTrial const&)> on_trial{};
    std::function<void(std::size_t trial, HistoryRow const&)> on_row{};
};

/// The largest constant rate at which a network reaches an accuracy within some epochs, by search.
///
/// Law     none: start values, sample orders and masks are the same at every rate.
/// Shape   u is tried; then the midpoint of l and u again and again, from l = 0: u/2, u/4, .. until one reaches the
///         threshold, then s bisections between it and the lowest rate that failed above. Whether a rate will do need
///         not be monotone: `rate` did, `failed` did not. `done` holds the first trials of an earlier search of the
///         same kind, which are not run again; on_trial sees the others, on_row their rows with the trial's number.
/// Units   those of the optimiser's rate.
/// Errors  DomainError for a threshold outside (0, 1], a highest rate that is not above 0, no epochs, options with a
///         schedule, an accuracy or a patience of their own, trials that are not of this search, and those of train.
/// Source  [Iyer 2023, Algorithm 1], which has no trial at u and counts s from the first midpoint
template <class T>
[[nodiscard]] MaximalRate maximal_rate(mlp::Architecture const& architecture, mlp::Objective objective,
                                       mlp::Examples<T> const& training, std::vector<T> const& start,
                                       TrainingOptions const& options, RateSearch const& search,
                                       mlp::Examples<T> const* validation = nullptr, RateSearchHooks const& hooks = {});

}  // namespace isserlis::train
