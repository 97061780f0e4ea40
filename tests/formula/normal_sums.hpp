// SPDX-License-Identifier: MIT
#pragma once
#include <mpfr.h>
#include <array>
#include <cmath>
#include <cstddef>
#include <isserlis/ring/interval.hpp>
#include <numbers>
#include <vector>

// Means over normal numbers by sums in double precision: a second opinion on closed forms and enclosures.
namespace isserlis::testing {

/// A place and its weight.
struct SumNode {
    double at;
    double weight;
};

/// Of integrals over the line of what decays like a normal density of this deviation and may bend at 0: over either half
/// the trapezoidal rule in t, x = e^(t - e^-t) [Takahasi and Mori 1974].
[[nodiscard]] inline std::vector<SumNode> line_nodes(double deviation) {
    constexpr double step = 1.0 / 20;
    std::vector<SumNode> out;
    for (int k = -68; k <= 48; ++k) {
        double const inner = std::exp(-k * step);
        double const x = deviation * std::exp(k * step - inner);
        for (double const side : {-1.0, 1.0}) out.push_back({side * x, step * x * (1 + inner)});
    }
    return out;
}

/// E f(z), z normal of mean 0 and this variance.
template <class F>
[[nodiscard]] double normal_sum(F const& f, double variance) {
    double sum = 0;
    for (auto const& [z, weight] : line_nodes(std::sqrt(variance)))
        sum += weight * f(z) * std::exp(-z * z / (2 * variance));
    return sum / std::sqrt(2 * std::numbers::pi * variance);
}

/// E f^(i)(u) g^(j)(v) of the derivatives as distributions, at [i][j].
using PairSums = std::array<std::array<double, 6>, 6>;

/// Over (u, v) normal of mean 0: by parts (-1)^(i+j) times the integral of f g and of a derivative of the density p, where
/// dp/du = -(A u + B v) p with the inverse (A, B; B, C) of the covariance, and on by Leibniz. Up to these orders.
template <class F, class G>
[[nodiscard]] PairSums pair_sums(F const& f, G const& g, double uu, double uv, double vv, std::size_t most_i,
                                 std::size_t most_j) {
    double const determinant = uu * vv - uv * uv;
    double const a = vv / determinant;
    double const b = -uv / determinant;
    double const c = uu / determinant;
    double const density = 1 / (2 * std::numbers::pi * std::sqrt(determinant));
    auto const of_v = line_nodes(std::sqrt(vv));
    std::vector<double> g_of_v;
    for (auto const& node : of_v) g_of_v.push_back(node.weight * g(node.at));
    PairSums out{};
    for (auto const& [u, weight] : line_nodes(std::sqrt(uu))) {
        double const outer = weight * f(u);
        for (std::size_t k = 0; k < of_v.size(); ++k) {
            double const v = of_v[k].at;
            double const exponent = (a * u * u + 2 * b * u * v + c * v * v) / 2;
            if (exponent > 60) continue;
            double const by_u = a * u + b * v;
            double const by_v = b * u + c * v;
            PairSums p;  // with its sign
            p[0][0] = density * std::exp(-exponent) * outer * g_of_v[k];
            auto const at = [&](std::size_t i, std::size_t j) { return p[i][j]; };
            for (std::size_t i = 0; i <= most_i; ++i) {
                for (std::size_t j = 0; j <= most_j; ++j) {
                    auto const x = static_cast<double>(i);
                    auto const y = static_cast<double>(j);
                    if (i > 0)
                        p[i][j] = by_u * at(i - 1, j) - (i > 1 ? (x - 1) * a * at(i - 2, j) : 0) -
                                  (j > 0 ? y * b * at(i - 1, j - 1) : 0);
                    else if (j > 0)
                        p[i][j] = by_v * at(i, j - 1) - (j > 1 ? (y - 1) * c * at(i, j - 2) : 0);
                    out[i][j] += p[i][j];
                }
            }
        }
    }
    return out;
}

/// Are both ends of an enclosure as near as that?
[[nodiscard]] inline bool is_near(Interval const& x, double value, double tolerance) {
    return std::abs(mpfr_get_d(x.lower(), MPFR_RNDN) - value) < tolerance &&
           std::abs(mpfr_get_d(x.upper(), MPFR_RNDN) - value) < tolerance;
}

}  // namespace isserlis::testing
