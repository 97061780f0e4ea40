// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/tailed_estimate.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace isserlis::monte_carlo {

/// A running variance that remembers the extremes, for the share that one of them has in it.
class TailedVariance {
public:
    void push(double x) noexcept {
        all_.push(x);
        least_ = std::min(least_, x);
        largest_ = std::max(largest_, x);
    }
    void merge(TailedVariance const& other) noexcept {
        all_.merge(other.all_);
        least_ = std::min(least_, other.least_);
        largest_ = std::max(largest_, other.largest_);
    }
    static void members(auto& self, auto const& f) { f(self.all_, self.least_, self.largest_); }
    [[nodiscard]] std::uint64_t count() const noexcept { return all_.count(); }
    [[nodiscard]] double mean() const noexcept { return all_.mean(); }
    [[nodiscard]] Estimate estimate() const noexcept { return all_.estimate(); }
    [[nodiscard]] TailedEstimate tailed() const noexcept { return {estimate(), largest_share()}; }
    [[nodiscard]] double largest_share() const noexcept {
        double const sum = all_.variance() * static_cast<double>(count() - 1);
        double const deviation = std::max(largest_ - mean(), mean() - least_);
        return count() > 1 && sum > 0 ? deviation * deviation / sum : 0;
    }

private:
    RunningVariance all_;
    double least_ = INFINITY;
    double largest_ = -INFINITY;
};

}  // namespace isserlis::monte_carlo
