// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>

#include <cstddef>
#include <vector>

namespace isserlis::monte_carlo::detail {

/// A number and its derivatives with respect to the means it is made of.
struct Dual {
    double value = 0;
    std::vector<double> slopes;
};

/// a x + b y with the value given.
inline Dual combined(double value, double a, Dual const& x, double b, Dual const& y) {
    Dual out{.value = value, .slopes = std::vector<double>(x.slopes.size())};
    for (std::size_t i = 0; i < out.slopes.size(); ++i) out.slopes[i] = a * x.slopes[i] + b * y.slopes[i];
    return out;
}

inline Dual operator+(Dual const& x, Dual const& y) { return combined(x.value + y.value, 1, x, 1, y); }
inline Dual operator-(Dual const& x, Dual const& y) { return combined(x.value - y.value, 1, x, -1, y); }
inline Dual operator*(Dual const& x, Dual const& y) { return combined(x.value * y.value, y.value, x, x.value, y); }
inline Dual operator/(Dual const& x, Dual const& y) {
    if (y.value == 0) throw UnsupportedError("`check`: a sampled denominator of `query` is 0", "check");
    return combined(x.value / y.value, 1 / y.value, x, -x.value / (y.value * y.value), y);
}

}  // namespace isserlis::monte_carlo::detail
