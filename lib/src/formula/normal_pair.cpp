// SPDX-License-Identifier: MIT
#include "formula/normal_pair.hpp"

#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

/// Its upper end is at least every |t| of x.
Interval magnitude(Interval const& x) { return sqrt(positive_part(x * x)); }

Interval half_of_measure(Interval const& x) { return x / Interval(2L, x.bits()); }

/// The Gaussian measure of the triangle (0, 0), (h, 0), (h, w), odd in h and in w: 1/(2 pi) times
/// sum_j (-1)^j a^(2j+1)/(2j+1) P(a Poisson number of mean h^2/2 exceeds j), a = w/h, here |a| <= 1.1.
Interval flat_triangle(Interval const& h, Interval const& w) {
    unsigned const bits = h.bits();
    Interval const mean = half_of_measure(h * h);
    double const size = mpfr_get_d(mean.upper(), MPFR_RNDU);
    Interval const tangent = w / h;
    Interval const square = tangent * tangent;
    Interval weight = exp(Interval(0L, bits) - mean);  // of the Poisson number j
    Interval above = Interval(1L, bits) - weight;      // P(> j)
    Interval power = tangent;
    Interval sum(bits);
    for (long j = 0;; ++j) {
        Interval const term = power * above / Interval(2 * j + 1, bits);
        sum = j % 2 == 0 ? sum + term : sum - term;
        weight = weight * mean / Interval(j + 1, bits);
        power = power * square;
        // From mean/(j + 2) < 1/2 on what is left out is less than a geometric series of ratio 1.21/2.
        if (static_cast<double>(j) > 2 * size && mpfr_get_exp(weight.upper()) < -static_cast<long>(bits))
            return widened(sum, Interval(4L, bits) * weight * magnitude(power)) / (Interval(2L, bits) * pi(bits));
        above = positive_part(above - weight);
    }
}

}  // namespace

NormalPair normal_pair(PairCovariance const& pair, unsigned bits) {
    Interval const square = Enclosed(pair.uu * pair.vv - pair.uv * pair.uv).enclose(bits);
    return {.uu = pair.uu.enclose(bits),
            .uv = pair.uv.enclose(bits),
            .vv = pair.vv.enclose(bits),
            .root = sqrt(positive_part(square))};
}

Interval rest_of_angle(NormalPair const& p) {
    unsigned const bits = p.bits();
    Interval const lengths = sqrt(p.uu * p.vv);
    Interval const two(2L, bits);
    if (mpfr_sgn(p.uv.upper()) < 0) return two * atan(p.root / (lengths - p.uv));
    return pi(bits) - two * atan(p.root / (lengths + p.uv));
}

Interval owen_triangle(Interval const& h, Interval const& w) {
    unsigned const bits = h.bits();
    auto const is_flat = [&](Interval const& side, Interval const& other, Rational const& slope) {
        if (side.contains_zero()) return false;
        Interval const room = Interval(slope, bits) * sqrt(side * side) - magnitude(other);
        return mpfr_sgn(room.lower()) >= 0;
    };
    if (is_flat(h, w, 1)) return flat_triangle(h, w);
    Interval const half(ratio(Integer(1), Integer(2)), bits);
    // The rectangle is both triangles.
    if (is_flat(w, h, ratio(Integer(11), Integer(10))))
        return (normal_cdf(h) - half) * (normal_cdf(w) - half) - flat_triangle(w, h);
    // Less than its area times the density at 0.
    return widened(Interval(bits), magnitude(h) * magnitude(w));
}

}  // namespace isserlis
