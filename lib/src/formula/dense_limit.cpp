// SPDX-License-Identifier: MIT
#include <isserlis/formula/dense_limit.hpp>

namespace isserlis {
namespace {

/// prod_(l >= 1) (1 + c/(n (l + 1)^2)), c = 5: sinh(pi r)/(pi r) without its first factor 1 + r^2.
Interval rising_tail(Integer const& width, unsigned bits) {
    Rational const square = Rational(5) / Rational(width);
    Interval const turn = pi(bits) * sqrt(Interval(square, bits));
    Interval const sinh = (exp(turn) - exp(Interval(0L, bits) - turn)) / Interval(2L, bits);
    return sinh / turn / Interval(Rational(1 + square), bits);
}

/// prod_(l >= 1) (1 - 1/(n (l + 1)^2)): sin(pi y)/(pi y) without its first factor, y = sqrt(1/n), by
/// Gamma(1 - y) Gamma(1 + y) = pi y/sin(pi y), where log Gamma is read beyond 2.
Interval falling_tail(Integer const& width, unsigned bits) {
    Rational const square = Rational(1) / Rational(width);
    Interval const y = sqrt(Interval(square, bits));
    Interval const three(3L, bits);
    return Interval(Rational(4 - square), bits) * exp(Interval(0L, bits) - log_gamma(three - y) - log_gamma(three + y));
}

/// prod_(l = 1 .. layers) (1 + c/(n (l + 1)^2))
Interval head(Integer const& width, std::uint64_t layers, int c, unsigned bits) {
    Interval out(1L, bits);
    for (std::uint64_t l = 1; l <= layers; ++l) {
        Integer const next = Integer(l) + 1;
        out = out * Interval(Rational(1 + Rational(c) / Rational(width * next * next)), bits);
    }
    return out;
}

}  // namespace

Interval dense_output_limit(Integer const& width, unsigned bits) {
    return rising_tail(width, bits) * Interval(Rational(1 + Rational(5) / Rational(width)), bits);
}

Interval dense_jacobian_limit(Integer const& width, std::uint64_t k, unsigned bits) {
    Rational const q = 1 + Rational(5) / Rational(width);
    Rational const p = 1 - Rational(1) / Rational(width);
    Interval const rising = Interval(Rational(q * q / 3), bits) * rising_tail(width, bits) / head(width, k, 5, bits);
    if (width == 1) return head(width, k - 1, 5, bits) * rising;  // p = 0
    Interval const falling =
        Interval(Rational(2 * p * p / 3), bits) * falling_tail(width, bits) / head(width, k, -1, bits);
    return head(width, k - 1, 5, bits) * (rising + falling);
}

Interval dense_last_jacobian_limit(Integer const& width, unsigned bits) {
    return Interval(Rational(1 + Rational(1) / Rational(width)), bits) * rising_tail(width, bits);
}

}  // namespace isserlis
