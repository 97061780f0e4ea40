// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/train/options.hpp>
#include <isserlis/train/state.hpp>
#include <optional>
#include <vector>

namespace isserlis::train {

enum class Stop {
    epochs,    ///< all done
    accuracy,  ///< reached
    patience,  ///< exhausted
    enough,    ///< said the hook
    diverged,  ///< a loss or gradient is no finite number any more
};

[[nodiscard]] char const* name(Stop stop);

template <class T>
struct Trained {
    std::vector<T> parameters;
    mlp::Moments<T> moments;  ///< for batch norm in production
    std::vector<HistoryRow> history;
    Stop stop = Stop::epochs;
    /// How many steps had been taken when loss or gradient were no finite numbers; 0 is the start.
    std::optional<std::uint64_t> diverged_at{};
};

/// What is told of a run while it goes on, and asked; each may be empty.
template <class T>
struct TrainingHooks {
    std::function<void(HistoryRow const&)> on_row{};          ///< of each row as it is made
    std::function<bool(HistoryRow const&)> enough{};          ///< after a row, but not that of epoch 0: stop?
    std::function<void(TrainingState<T> const&)> on_state{};  ///< after each finite row: the run could go on from here
};

/// Trains a network from given parameters.
///
/// Law     sample order and dropout are functions of the seed, the epoch and the step; mini-batches partition each
///         epoch's order. A gradient is that of the batch's mean loss, with batch moments and dropout, plus penalties;
///         it is clipped, and then stepped along. Full batches keep the order of the data.
/// Shape   rows for epoch 0, every history_every epochs, and the last; on_row sees each as it is made. After divergence
///         the parameters are those of the last step, and the last row shows it.
/// Units   those of the objective.
/// Errors  DomainError for options, targets or sizes that do not fit, start values or inputs that are not finite, a
///         batch of 1 sample under batch norm, accuracy without classes; UnsupportedError for step units.
/// Source  [Liquet 2024, sections 5.4 to 5.7], [Hettinger 2019, section 2.3]
template <class T>
[[nodiscard]] Trained<T> train(mlp::Architecture const& architecture, mlp::Objective objective,
                               mlp::Examples<T> const& training, std::vector<T> start, TrainingOptions const& options,
                               mlp::Examples<T> const* validation = nullptr,
                               std::function<void(HistoryRow const&)> const& on_row = {});

/// The same from a state: one of parameters alone begins a run; one that on_state was given, with the same architecture,
/// objective, data and options, ends in the same bits as the run that it was taken from. See run_fingerprint.
template <class T>
[[nodiscard]] Trained<T> train_on(mlp::Architecture const& architecture, mlp::Objective objective,
                                  mlp::Examples<T> const& training, TrainingState<T> state,
                                  TrainingOptions const& options, mlp::Examples<T> const* validation = nullptr,
                                  TrainingHooks<T> const& hooks = {});

/// The samples of an epoch in their order: all n! are equally likely.
///
/// Source  Fisher and Yates, over Stream(seed, epoch, StreamUse::batches)
[[nodiscard]] std::vector<std::size_t> sample_order(std::size_t samples, std::uint64_t seed, std::uint64_t epoch);

}  // namespace isserlis::train
