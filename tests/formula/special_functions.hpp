// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <functional>

// Digamma and quadrature of our own, in long double: a second opinion on what the library encloses with MPFR.
namespace isserlis::testing {

/// psi(x) for x > 0: up by psi(x) = psi(x + 1) - 1/x until x >= 20, there Stirling's series (Abramowitz-Stegun 6.3.18).
[[nodiscard]] inline long double digamma(long double x) {
    long double out = 0;
    for (; x < 20; x += 1) out -= 1 / x;
    long double const y = 1 / (x * x);
    // B_2k/(2k): 1/12, 1/120, 1/252, 1/240, 1/132, 691/32760, 1/12.
    long double const series =
        y * (1.0L / 12 -
             y * (1.0L / 120 - y * (1.0L / 252 - y * (1.0L / 240 - y * (1.0L / 132 - y * (691.0L / 32760 - y / 12))))));
    return out + std::log(x) - 0.5L / x - series;
}

/// Integral over the whole line by the trapezoidal rule after x = sinh(pi/2 sinh u): doubly exponential decay.
[[nodiscard]] inline long double integral_over_line(std::function<long double(long double)> const& f,
                                                    long double step = 1.0L / 64) {
    long double sum = 0;
    long double const half_pi = std::acos(-1.0L) / 2;
    for (long double u = -4.5L; u <= 4.5L; u += step) {
        long double const inner = half_pi * std::sinh(u);
        long double const term = f(std::sinh(inner)) * std::cosh(inner) * half_pi * std::cosh(u);
        if (std::isfinite(term)) sum += term;
    }
    return sum * step;
}

}  // namespace isserlis::testing
