// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace isserlis::test {

/// The mean of f(u_1, u_2, ..), u_k the products of inputs in the plane with a direction, over the directions: between the
/// lines at which a u changes its sign, by Gauss's rule of 5 points in many pieces. Of a standard Gaussian vector of the
/// plane |G|^2 has mean 2, |G|^4 mean 8.
template <class F>
double over_the_circle(std::vector<std::vector<double>> const& inputs, F const& f) {
    double const pi = std::acos(-1.0);
    std::vector<double> cuts{0, 2 * pi};
    for (auto const& x : inputs) {
        for (double const turn : {0.5, 1.5})
            cuts.push_back(std::fmod(std::atan2(x[1], x[0]) + turn * pi + 4 * pi, 2 * pi));
    }
    std::sort(cuts.begin(), cuts.end());
    constexpr std::array nodes{-0.906179845938664, -0.538469310105683, 0.0, 0.538469310105683, 0.906179845938664};
    constexpr std::array weights{0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                                 0.236926885056189};
    constexpr int pieces = 16;
    double sum = 0;
    std::vector<double> u(inputs.size());
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
        double const half = (cuts[c + 1] - cuts[c]) / pieces / 2;
        for (int p = 0; p < pieces; ++p) {
            double const middle = cuts[c] + (2 * p + 1) * half;
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                double const at = middle + half * nodes[i];
                for (std::size_t k = 0; k < u.size(); ++k)
                    u[k] = inputs[k][0] * std::cos(at) + inputs[k][1] * std::sin(at);
                sum += weights[i] * half * f(u);
            }
        }
    }
    return sum / (2 * pi);
}

}  // namespace isserlis::test
