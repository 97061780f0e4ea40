// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo::detail {

/// Means and covariances of a stream of vectors in one pass.
///
/// Law     independent samples of any law with two moments.
/// Shape   vectors of one size; merge takes in another stream of that size.
/// Source  [Welford 1962]; merge by [Chan et al. 1979]
class RunningCovariance {
public:
    explicit RunningCovariance(std::size_t size);

    void push(std::vector<double> const& x) noexcept;
    void merge(RunningCovariance const& other) noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] double mean(std::size_t i) const noexcept { return mean_[i]; }
    /// With divisor count - 1, for two samples or more.
    [[nodiscard]] double covariance(std::size_t i, std::size_t j) const noexcept;
    /// The largest |x_i|.
    [[nodiscard]] double largest(std::size_t i) const noexcept { return largest_[i]; }
    static void members(auto& self, auto const& f) { f(self.count_, self.mean_, self.largest_, self.products_); }

private:
    std::uint64_t count_ = 0;
    std::vector<double> mean_;
    std::vector<double> largest_;
    std::vector<double> products_;  ///< of deviations, by rows
    std::vector<double> gap_;       ///< what one step works with
};

}  // namespace isserlis::monte_carlo::detail
