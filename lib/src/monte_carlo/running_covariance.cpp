// SPDX-License-Identifier: MIT
#include "running_covariance.hpp"

#include <algorithm>
#include <cmath>

namespace isserlis::monte_carlo::detail {

RunningCovariance::RunningCovariance(std::size_t size)
    : mean_(size), largest_(size), products_(size * size), gap_(size) {}

void RunningCovariance::push(std::vector<double> const& x) noexcept {
    ++count_;
    auto const n = static_cast<double>(count_);
    std::size_t const size = mean_.size();
    for (std::size_t i = 0; i < size; ++i) {
        gap_[i] = x[i] - mean_[i];
        mean_[i] += gap_[i] / n;
        largest_[i] = std::max(largest_[i], std::fabs(x[i]));
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) products_[i * size + j] += gap_[i] * gap_[j] * ((n - 1) / n);
    }
}

void RunningCovariance::merge(RunningCovariance const& other) noexcept {
    if (other.count_ == 0) return;
    auto const a = static_cast<double>(count_);
    auto const b = static_cast<double>(other.count_);
    std::size_t const size = mean_.size();
    for (std::size_t i = 0; i < size; ++i) {
        gap_[i] = other.mean_[i] - mean_[i];
        mean_[i] += gap_[i] * (b / (a + b));
        largest_[i] = std::max(largest_[i], other.largest_[i]);
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j)
            products_[i * size + j] += other.products_[i * size + j] + gap_[i] * gap_[j] * (a * b / (a + b));
    }
    count_ += other.count_;
}

double RunningCovariance::covariance(std::size_t i, std::size_t j) const noexcept {
    return products_[i * mean_.size() + j] / static_cast<double>(count_ - 1);
}

}  // namespace isserlis::monte_carlo::detail
