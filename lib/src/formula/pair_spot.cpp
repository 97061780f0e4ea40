// SPDX-License-Identifier: MIT
#include "formula/pair_spot.hpp"

#include <isserlis/error.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace isserlis {
namespace {

/// One number of x.
Interval lower_end(Interval const& x) {
    Rational end;
    mpfr_get_q(end.backend().data(), x.lower());
    return {end, x.bits()};
}

/// Its upper end is at least every |x - from|.
Interval distance(Interval const& x, Interval const& from) {
    Interval const apart = x - from;
    return sqrt(positive_part(apart * apart));
}

}  // namespace

void require_pair_variance(Enclosed const& variance, unsigned bits) {
    Interval const within = variance.enclose(bits);
    if (mpfr_sgn(within.lower()) <= 0) throw DomainError("smooth_pair_means: a variance is not positive", "pair");
    if (mpfr_cmp_si(within.lower(), most_pair_variance) > 0) {
        std::array<char, 40> shown{};  // beyond doubles too
        mpfr_snprintf(shown.data(), shown.size(), "%.4Rg", within.lower());
        throw UnsupportedError("a layer of variance " + std::string(shown.data()) +
                                   "; means over a pair of tanh, sigmoid, softplus, silu, elu and selu units, of gelu "
                                   "and erf at order 1/n, "
                                   "are served up to " +
                                   std::to_string(most_pair_variance),
                               "weight_variance");
    }
}

Spot spot_of(Enclosed const& variance, unsigned bits) {
    require_pair_variance(variance, bits);
    Interval const within = variance.enclose(bits);
    Interval const at = lower_end(within);
    return {.at = at, .off = distance(within, at)};
}

PairSpot spot_of(PairCovariance const& pair, unsigned bits) {
    Spot const uu = spot_of(pair.uu, bits);
    Spot const vv = spot_of(pair.vv, bits);
    Interval const within = pair.uv.enclose(bits);
    Interval const lengths = sqrt(uu.at * vv.at);
    Interval const one(1L, bits);
    Interval uv = lower_end(within);
    Interval correlation = uv / lengths;
    if (mpfr_cmp_si(correlation.upper(), 1) >= 0) {
        uv = lengths;
        correlation = one;
    } else if (mpfr_cmp_si(correlation.lower(), -1) <= 0) {
        uv = Interval(0L, bits) - lengths;
        correlation = Interval(0L, bits) - one;
    }
    return {.uu = uu, .vv = vv, .correlation = correlation, .uv_off = distance(within, uv)};
}

unsigned sum_precision(unsigned bits) { return std::max(bits > 112 ? bits - 112 : 0U, bits / 3); }

}  // namespace isserlis
