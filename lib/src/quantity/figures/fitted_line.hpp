// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

namespace isserlis::quantity {

/// y = slope x + constant by least squares.
struct FittedLine {
    double slope = 0;
    double constant = 0;
    double r_squared = 0;  ///< the share of the variance of y that the line explains
};

/// Two points or more, not all of the same x.
[[nodiscard]] FittedLine fitted_line(std::vector<std::pair<double, double>> const& points);

}  // namespace isserlis::quantity
