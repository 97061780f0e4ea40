// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/power.hpp>

namespace isserlis {

/// From moments of targets about 0 to moments about their mean m, the same in each of n outputs. Moments are sums over the
/// outputs: s = sum_i E y_i^2; v, t and f of (y_i - m)^2, ^3 and ^4.
template <class R>
struct TargetShift {
    R mean;
    R outputs;

    /// v = s - n m^2
    [[nodiscard]] R second_about_mean(R const& s) const { return s - outputs * power(mean, 2); }
    /// sum_i E y_i^3 - t: the third moment of a law that is even about its mean.
    [[nodiscard]] R third_of_even(R const& s) const { return R(3) * mean * s - R(2) * outputs * power(mean, 3); }
    /// sum_i E y_i^4 - f
    [[nodiscard]] R fourth_beyond(R const& v, R const& t) const {
        return R(4) * mean * t + R(6) * power(mean, 2) * v + outputs * power(mean, 4);
    }
};

}  // namespace isserlis
