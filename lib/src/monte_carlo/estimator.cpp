// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/estimator.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace isserlis::monte_carlo {

void RunningVariance::push(double x) noexcept {
    ++count_;
    double const before = x - mean_;
    mean_ += before / static_cast<double>(count_);
    squared_deviations_ += before * (x - mean_);
}

void RunningVariance::merge(RunningVariance const& other) noexcept {
    if (other.count_ == 0) return;
    auto const mine = static_cast<double>(count_);
    auto const theirs = static_cast<double>(other.count_);
    double const shift = other.mean_ - mean_;
    count_ += other.count_;
    mean_ += shift * (theirs / (mine + theirs));
    squared_deviations_ += other.squared_deviations_ + shift * shift * (mine * theirs / (mine + theirs));
}

double RunningVariance::variance() const noexcept {
    return count_ < 2 ? 0.0 : squared_deviations_ / static_cast<double>(count_ - 1);
}

Estimate RunningVariance::estimate() const noexcept {
    double const std_error = count_ < 2 ? 0.0 : std::sqrt(variance() / static_cast<double>(count_));
    return {.mean = mean_, .std_error = std_error, .samples = count_};
}

void PowerSums::CompensatedSum::add(double x) noexcept {
    double const total = sum + x;
    lost += std::abs(sum) >= std::abs(x) ? (sum - total) + x : (x - total) + sum;
    sum = total;
}

PowerSums::PowerSums(int highest_power) : sums_(static_cast<std::size_t>(highest_power)) {}

void PowerSums::push(double x) noexcept {
    ++count_;
    double power = 1;
    for (CompensatedSum& sum : sums_) sum.add(power *= x);
}

void PowerSums::merge(PowerSums const& other) noexcept {
    assert(other.sums_.size() == sums_.size());
    count_ += other.count_;
    for (std::size_t k = 0; k < sums_.size(); ++k) {
        sums_[k].add(other.sums_[k].sum);
        sums_[k].lost += other.sums_[k].lost;
    }
}

double PowerSums::mean(int k) const noexcept {
    assert(count_ > 0 && 1 <= k && k <= highest_power());
    auto const& [sum, lost] = sums_[static_cast<std::size_t>(k - 1)];
    return (sum + lost) / static_cast<double>(count_);
}

Estimate PowerSums::estimate(int k) const noexcept {
    assert(count_ > 1 && 2 * k <= highest_power());
    double const first = mean(k);
    double const spread = std::max(0.0, mean(2 * k) - first * first);
    return {.mean = first, .std_error = std::sqrt(spread / static_cast<double>(count_ - 1)), .samples = count_};
}

}  // namespace isserlis::monte_carlo
