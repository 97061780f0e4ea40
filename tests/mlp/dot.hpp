// SPDX-License-Identifier: MIT
#pragma once
#include <numeric>
#include <vector>

namespace isserlis::test {

inline double dot(std::vector<double> const& a, std::vector<double> const& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace isserlis::test
