// SPDX-License-Identifier: MIT
#include <isserlis/formula/normalised_norm.hpp>

namespace isserlis {

Interval layer_norm_second_moment(Integer const& width, Rational const& slope, unsigned bits) {
    if (width < 2)
        throw DomainError("layer_norm_second_moment: width = " + to_string(width) + "; LayerNorm of one entry is 0",
                          "width");
    unsigned const work = bits + guard_bits;
    Rational const n(width);
    Rational const correlation_squared = 1 / Rational((n - 1) * (n - 1));
    Rational const square = slope * slope;
    // E x^2 y^2 over x, y > 0 at the correlation -1/(n-1): the angle's rest is acos(1/(n-1)) = atan(root).
    Interval const root = sqrt(Interval(Rational(n * (n - 2)), work));
    Interval const equal = (atan(root) * Interval(Rational(1 + 2 * correlation_squared), work) -
                            Interval(Rational(3 * correlation_squared), work) * root) /
                           (Interval(2L, work) * pi(work));
    Interval const opposite = Interval(Rational((1 + 2 * correlation_squared) / 2), work) - equal;
    Interval const pairs =
        Interval(Rational(1 + square * square), work) * equal + Interval(Rational(2 * square), work) * opposite;
    return Interval(Rational((n - 1) / (n + 1) * n), work) *
           (Interval(Rational(Rational(3) / 2 * (1 + square * square)), work) +
            Interval(Rational(n - 1), work) * pairs);
}

}  // namespace isserlis
