// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/train/options.hpp>
#include <isserlis/train/record.hpp>
#include <optional>
#include <string>
#include <string_view>
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
    /// Of the gradient of loss plus penalty over all training samples, unclipped; none without row_gradients.
    std::optional<double> gradient_norm{};
    double learning_rate = 0;  ///< of the last step before the row; in row 0 of the first
};

/// What an optimiser remembers of earlier gradients.
template <class T>
struct Memory {
    std::vector<T> first;   ///< velocity, or mean of g
    std::vector<T> second;  ///< mean of g^2
    std::uint64_t steps = 0;
};

/// A run between two epochs: all that going on to the same numbers takes. The epoch is that of the last row; without
/// rows the run has not begun, and parameters alone are used.
template <class T>
struct TrainingState {
    std::vector<T> parameters;
    mlp::Moments<T> moments{};
    Memory<T> memory{};
    std::vector<HistoryRow> history{};
};

/// Everything that the numbers of a run depend on; threads do not count.
template <class T>
[[nodiscard]] std::uint64_t run_fingerprint(mlp::Architecture const& architecture, mlp::Objective objective,
                                            mlp::Examples<T> const& training, std::vector<T> const& start,
                                            TrainingOptions const& options, mlp::Examples<T> const* validation);

/// The state as text, and back to the same bits; `place` is what messages name.
///
/// Errors  those of parse_record; ParseError for vectors that do not fit the architecture.
template <class T>
[[nodiscard]] std::string state_text(TrainingState<T> const& state, std::uint64_t fingerprint);
template <class T>
[[nodiscard]] TrainingState<T> parse_state(std::string_view text, std::uint64_t fingerprint,
                                           mlp::Architecture const& architecture, std::string const& place);

/// The same as rows of a record that holds more: rows of other keys are left alone.
template <class T>
void add_state(Record& record, TrainingState<T> const& state);
template <class T>
[[nodiscard]] TrainingState<T> state_of(Record const& record, mlp::Architecture const& architecture,
                                        std::string const& place);

}  // namespace isserlis::train
