// SPDX-License-Identifier: MIT
#include "ring/ball.hpp"

#include <algorithm>
#include <isserlis/error.hpp>

namespace isserlis {

Ball::Ball(Interval const& x) {
    mpfr_t t;
    mpfr_init2(t, x.bits() + 128);
    mpfr_add(t, x.lower(), x.upper(), MPFR_RNDN);
    mpfr_div_2ui(t, t, 1, MPFR_RNDN);
    high_ = mpfr_get_d(t, MPFR_RNDN);
    mpfr_sub_d(t, t, high_, MPFR_RNDN);
    low_ = mpfr_get_d(t, MPFR_RNDN);
    auto const beyond = [&](mpfr_srcptr end, mpfr_rnd_t outwards) {
        mpfr_sub_d(t, end, high_, outwards);
        mpfr_sub_d(t, t, low_, outwards);
        return std::fabs(mpfr_get_d(t, outwards));
    };
    radius_ = std::max(beyond(x.lower(), MPFR_RNDD), beyond(x.upper(), MPFR_RNDU));
    mpfr_clear(t);
}

Interval Ball::enclose() const {
    constexpr unsigned bits = 192;
    if (!std::isfinite(high_) || !std::isfinite(radius_))
        throw UnsupportedError("beyond the range of numbers in double precision, which their sums are enclosed in");
    return widened(Interval(Rational(high_), bits) + Interval(Rational(low_), bits), Interval(Rational(radius_), bits));
}

}  // namespace isserlis
