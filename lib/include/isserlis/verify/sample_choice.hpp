// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

namespace isserlis {

/// What a number of samples has to reach; with both, the first one that is met decides.
struct SampleGoal {
    std::optional<double> seconds;         ///< of all runs together
    std::optional<double> relative_error;  ///< standard error over the mean, of the worst mean
};

/// Chooses a number of samples by runs that grow until one of them is the answer. That one is a run of `samples()` like
/// any other: asked for by its number, it gives the same again.
///
/// Law     the error of a mean falls as 1/sqrt(samples) and the time is a + b samples; errors of fewer than
///         `fewest_samples` samples are not believed.
/// Shape   runs of samples() until is_last says so, each at least as large as the one before.
/// Units   seconds; errors as a fraction.
/// Errors  the constructor throws DomainError unless there is a goal, and each is positive and finite.
/// Source  this library
class SampleChoice {
public:
    explicit SampleChoice(SampleGoal const& goal);

    [[nodiscard]] std::uint64_t samples() const { return samples_; }
    /// Takes in how the run with samples() went. If its answer is not the one to keep, samples() has grown.
    [[nodiscard]] bool is_last(double seconds, double relative_error);

private:
    [[nodiscard]] double enough_for_error(double relative_error) const;
    /// How many fit the time that is left.
    [[nodiscard]] double fitting(double seconds) const;

    SampleGoal goal_;
    std::uint64_t samples_;
    std::uint64_t samples_before_ = 0;
    double seconds_before_ = 0;
    double spent_ = 0;
    bool last_ = false;
};

}  // namespace isserlis
