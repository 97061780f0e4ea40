// SPDX-License-Identifier: MIT
#include "quantity/figures/fitted_line.hpp"

namespace isserlis::quantity {

FittedLine fitted_line(std::vector<std::pair<double, double>> const& points) {
    double const count = static_cast<double>(points.size());
    double x = 0;
    double y = 0;
    for (auto const& p : points) {
        x += p.first / count;
        y += p.second / count;
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (auto const& p : points) {
        xx += (p.first - x) * (p.first - x);
        xy += (p.first - x) * (p.second - y);
        yy += (p.second - y) * (p.second - y);
    }
    return {.slope = xy / xx, .constant = y - xy / xx * x, .r_squared = xy * xy / (xx * yy)};
}

}  // namespace isserlis::quantity
