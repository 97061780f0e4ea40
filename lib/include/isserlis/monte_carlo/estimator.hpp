// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// A sampled mean with its sampled standard error.
struct Estimate {
    double mean = 0;
    double std_error = 0;
    std::uint64_t samples = 0;
};

/// Mean and variance of a stream of numbers in one pass.
///
/// Law     independent samples X of any law with two moments; the standard error needs four to be of use.
/// Shape   push one number at a time; merge takes in another stream. The same order of calls gives the same bits.
/// Units   mean in units of X, variance in X^2.
/// Errors  none: no samples have mean 0 and variance 0, one sample has variance 0.
/// Source  [Welford 1962]; merge by [Chan et al. 1979]
class RunningVariance {
public:
    void push(double x) noexcept;
    void merge(RunningVariance const& other) noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] double mean() const noexcept { return mean_; }
    /// The unbiased variance of one sample, with divisor count - 1.
    [[nodiscard]] double variance() const noexcept;
    [[nodiscard]] Estimate estimate() const noexcept;
    /// Calls f with all that this is; so do the other collectors.
    static void members(auto& self, auto const& f) { f(self.count_, self.mean_, self.squared_deviations_); }

private:
    std::uint64_t count_ = 0;
    double mean_ = 0;
    double squared_deviations_ = 0;
};

/// The means of X, X^2, .., X^K in one pass, as sums with a running compensation for rounding.
///
/// Law     independent samples X of any law.
/// Shape   push one number at a time; merge takes in another stream of the same K, or of an empty one.
/// Units   mean(k) is in units of X^k.
/// Errors  none; a power beyond the range of double leaves an infinity or a NaN for the caller to find.
/// Source  [Neumaier 1974]
class PowerSums {
public:
    explicit PowerSums(int highest_power);

    void push(double x) noexcept;
    void merge(PowerSums const& other) noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] int highest_power() const noexcept { return static_cast<int>(sums_.size()); }
    /// Mean of X^k, for 1 <= k <= K and at least one sample.
    [[nodiscard]] double mean(int k) const noexcept;
    /// The same with its standard error, which takes the mean of X^(2k); for 1 <= k <= K/2 and two samples.
    [[nodiscard]] Estimate estimate(int k) const noexcept;
    static void members(auto& self, auto const& f) { f(self.count_, self.sums_); }

private:
    struct CompensatedSum {
        double sum = 0;
        double lost = 0;
        void add(double x) noexcept;
        static void members(auto& self, auto const& f) { f(self.sum, self.lost); }
    };

    std::uint64_t count_ = 0;
    std::vector<CompensatedSum> sums_;
};

}  // namespace isserlis::monte_carlo
