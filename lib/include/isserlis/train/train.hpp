// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/train/options.hpp>
#include <optional>
#include <vector>

namespace isserlis::train {

/// A run after so many epochs, in production form: batch norm by the smoothed moments, no dropout.
struct HistoryRow {
    std::uint64_t epoch = 0;  ///< 0 is before the first step
    std::uint64_t steps = 0;
    double loss = 0;                   ///< the mean over all training samples, without penalties
    double penalty = 0;                ///< of l1 and l2
    std::optional<double> accuracy{};  ///< where there are classes
    std::optional<double> validation_loss{}, validation_accuracy{};
    double gradient_norm = 0;  ///< of the gradient of loss plus penalty over all training samples, unclipped
    double learning_rate = 0;  ///< of the last step before the row; in row 0 of the first
};

enum class Stop {
    epochs,    ///< all done
    accuracy,  ///< reached
    patience,  ///< exhausted
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

/// Trains a network from given parameters.
///
/// Law     sample order and dropout are functions of the seed, the epoch and the step; mini-batches partition each
///         epoch's order. A gradient is that of the batch's mean loss, with batch moments and dropout, plus penalties;
///         it is clipped, and then stepped along. Full batches keep the order of the data.
/// Shape   rows for epoch 0, every history_every epochs, and the last; on_row sees each as it is made. After divergence
///         the parameters are those of the last step, and the last row shows it.
/// Units   those of the objective.
/// Errors  DomainError for options, targets or sizes that do not fit, start values or inputs that are not finite, a
///         batch of 1 sample under batch norm, accuracy without classes.
/// Source  [Liquet 2024, sections 5.4 to 5.7], [Hettinger 2019, section 2.3]
template <class T>
[[nodiscard]] Trained<T> train(mlp::Architecture const& architecture, mlp::Objective objective,
                               mlp::Examples<T> const& training, std::vector<T> start, TrainingOptions const& options,
                               mlp::Examples<T> const* validation = nullptr,
                               std::function<void(HistoryRow const&)> const& on_row = {});

/// The samples of an epoch in their order: all n! are equally likely.
///
/// Source  Fisher and Yates, over Stream(seed, epoch, StreamUse::batches)
[[nodiscard]] std::vector<std::size_t> sample_order(std::size_t samples, std::uint64_t seed, std::uint64_t epoch);

}  // namespace isserlis::train
