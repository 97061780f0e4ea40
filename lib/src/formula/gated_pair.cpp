// SPDX-License-Identifier: MIT
#include "formula/gated_pair.hpp"

#include <isserlis/error.hpp>
#include <isserlis/formula/wide_kernels.hpp>

#include <utility>

namespace isserlis {
namespace {

Interval sine(Interval const& square) {
    if (mpfr_sgn(square.lower()) > 0) return sqrt(square);
    throw DomainError("pair_corrections: two inputs cannot be told apart in this precision", "gram");
}

}  // namespace

GatedPair::GatedPair(Interval slope, PairCovariance const& pair, unsigned bits)
    : bits_(bits),
      s_(std::move(slope)),
      a_(pair.uu.enclose(bits)),
      c_(pair.uv.enclose(bits)),
      b_(pair.vv.enclose(bits)),
      // E relu'(u) relu'(v)
      open_(pair_means(Gate<Rational>(), pair, bits).derivative.enclose(bits)),
      apart_(of(1) / of(2) - open_),
      two_pi_(of(2) * pi(bits)),
      r_(sine(a_ * b_ - c_ * c_)) {}

PairMatrix GatedPair::spreads() const {
    Interval const two = s_ * s_;
    Interval const fourth = of(3) * (of(1) + two * two) / of(2);
    Interval const both = both_squares();
    PairTriple const mean = squares();
    PairMatrix out = zero_pair_matrix(bits_);
    out[pair_xx][pair_xx] = fourth * a_ * a_;
    out[pair_yy][pair_yy] = fourth * b_ * b_;
    out[pair_xy][pair_xy] = out[pair_xx][pair_yy] = out[pair_yy][pair_xx] = both;
    out[pair_xx][pair_xy] = out[pair_xy][pair_xx] = cube(a_, b_);
    out[pair_yy][pair_xy] = out[pair_xy][pair_yy] = cube(b_, a_);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out[i][j] = out[i][j] - mean[i] * mean[j];
    return out;
}

PairTriple GatedPair::slopes() const {
    Interval const angle = r_ / (of(2) * two_pi_);  // r/(4 pi)
    return {bent() * angle / a_, bent() * open_ + s_, bent() * angle / b_};
}

PairMatrix GatedPair::bends() const {
    Interval const k = bent() / (of(2) * two_pi_);  // (1 - s)^2/(4 pi)
    Interval const over = k / r_;
    PairMatrix out = zero_pair_matrix(bits_);
    out[pair_xx][pair_xx] = over * b_ / (of(2) * a_) - k * r_ / (a_ * a_);
    out[pair_yy][pair_yy] = over * a_ / (of(2) * b_) - k * r_ / (b_ * b_);
    out[pair_xx][pair_yy] = out[pair_yy][pair_xx] = over / of(2);
    out[pair_xy][pair_xy] = of(2) * over;
    out[pair_xx][pair_xy] = out[pair_xy][pair_xx] = of(0) - over * c_ / a_;
    out[pair_yy][pair_xy] = out[pair_xy][pair_yy] = of(0) - over * c_ / b_;
    return out;
}

PairMatrix GatedPair::derivative_bends() const {
    // k/r is differentiated, and r^2 = ab - c^2.
    Interval const over = bent() / (of(2) * two_pi_ * r_);
    Interval const cubed = over / (r_ * r_);
    PairMatrix out = zero_pair_matrix(bits_);
    out[pair_xx][pair_xx] = c_ * (over / (a_ * a_) + cubed * b_ / (of(2) * a_));
    out[pair_yy][pair_yy] = c_ * (over / (b_ * b_) + cubed * a_ / (of(2) * b_));
    out[pair_xx][pair_yy] = out[pair_yy][pair_xx] = c_ * cubed / of(2);
    out[pair_xy][pair_xy] = of(2) * c_ * cubed;
    out[pair_xx][pair_xy] = out[pair_xy][pair_xx] = of(0) - b_ * cubed;
    out[pair_yy][pair_xy] = out[pair_xy][pair_yy] = of(0) - a_ * cubed;
    return out;
}

PairTriple GatedPair::gated_squares() const {
    Interval const two = s_ * s_;
    Interval const turning = r_ / two_pi_;
    return {gated_square(a_, b_), (of(1) + two * two) * (turning + open_ * c_) + of(2) * two * (apart_ * c_ - turning),
            gated_square(b_, a_)};
}

PairTriple GatedPair::squares() const {
    // (1 - s)^2 times that of ReLU, and s c.
    Interval const product = bent() * (r_ / two_pi_ + open_ * c_) + s_ * c_;
    return {square_factor() * a_, product, square_factor() * b_};
}

Interval GatedPair::square_factor() const { return (of(1) + s_ * s_) / of(2); }

PairLayer GatedPair::layer() const {
    PairMatrix const none = zero_pair_matrix(bits_);
    PairLayer out{.squares = squares(),
                  .spreads = spreads(),
                  .gated_squares = gated_squares(),
                  .slopes = none,
                  .bends = {none, bends(), none},
                  .derivative_bends = derivative_bends()};
    out.slopes[pair_xy] = slopes();
    out.slopes[pair_xx][pair_xx] = out.slopes[pair_yy][pair_yy] = square_factor();
    return out;
}

/// E sigma(u)^2 sigma(v)^2, of the squares of both sides: with the angle t, and with pi - t.
Interval GatedPair::both_squares() const {
    Interval const two = s_ * s_;
    Interval const turning = of(3) * r_ * c_ / two_pi_;
    Interval const size = a_ * b_ + of(2) * c_ * c_;
    return (of(1) + two * two) * (turning + open_ * size) + of(2) * two * (apart_ * size - turning);
}

/// E sigma(u)^3 sigma(v), u of this variance and v of that.
Interval GatedPair::cube(Interval const& a, Interval const& b) const {
    Interval const two = s_ * s_;
    Interval const turning = (of(2) * a + c_ * c_ / b) * r_ / two_pi_;
    Interval const size = of(3) * a * c_;
    return (of(1) + two * two) * (turning + open_ * size) - (s_ + two * s_) * (turning - apart_ * size);
}

/// E sigma'(u) sigma'(v) sigma(u)^2: over u, v > 0 the mean of u^2 is a (pi - t)/(2 pi) + c r/(2 pi b).
Interval GatedPair::gated_square(Interval const& a, Interval const& b) const {
    Interval const two = s_ * s_;
    Interval const turning = c_ * r_ / (two_pi_ * b);
    return (of(1) + two * two) * (a * open_ + turning) + (s_ + two * s_) * (a * apart_ - turning);
}

}  // namespace isserlis
