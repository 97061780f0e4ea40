// SPDX-License-Identifier: MIT
#include <isserlis/formula/crelu_kernels.hpp>

#include <algorithm>
#include <isserlis/error.hpp>

namespace isserlis {
namespace {

template <class R>
R inner(std::vector<R> const& x, std::vector<R> const& y) {
    R out(0);
    for (std::size_t i = 0; i < x.size(); ++i) out = out + x[i] * y[i];
    return out;
}

/// An MPFR number, freed.
class Real {
public:
    explicit Real(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
    Real(Real const&) = delete;
    Real& operator=(Real const&) = delete;
    ~Real() { mpfr_clear(value_); }
    operator mpfr_ptr() { return value_; }  // NOLINT(google-explicit-constructor): it stands for its number

private:
    mpfr_t value_;
};

Rational exactly(mpfr_srcptr x) {
    Rational out;
    mpfr_get_q(out.backend().data(), x);
    return out;
}

}  // namespace

Interval supplementary_angle(Interval const& root, Rational const& inner, unsigned bits) {
    Interval const x(Rational(-inner), bits);
    // The angle of (c, r), r >= 0, falls with c; it rises with r where c > 0 and falls where c < 0.
    bool const right = inner < 0;
    Real lower(bits);
    Real upper(bits);
    mpfr_atan2(lower, right ? root.lower() : root.upper(), x.upper(), MPFR_RNDD);
    mpfr_atan2(upper, right ? root.upper() : root.lower(), x.lower(), MPFR_RNDU);
    Rational const low = exactly(lower);
    Rational const high = exactly(upper);
    return widened(Interval(Rational((low + high) / 2), bits), Interval(Rational((high - low) / 2), bits));
}

InputPair<IntervalKernels> input_pair(IntervalKernels kernels, Rational const& xx, Rational const& yy,
                                      Rational const& xy) {
    Rational const gap = xx * yy - xy * xy;
    if (gap < 0 || xx < 0 || yy < 0) {
        throw DomainError("crelu kernel: |x|^2 = " + to_string(xx) + ", |y|^2 = " + to_string(yy) +
                          ", x.y = " + to_string(xy) + " belong to no vectors; (x.y)^2 <= |x|^2 |y|^2 is required");
    }
    unsigned const bits = kernels.bits;
    Interval root = sqrt(Interval(gap, bits));
    // At right angles to nothing: the angle of collinear inputs is 0 or pi, exactly.
    Interval rest = gap != 0 ? supplementary_angle(root, xy, bits) : xy > 0 ? pi(bits) : Interval(0L, bits);
    return {.xx = xx, .yy = yy, .xy = xy, .collinear = gap == 0, .root = std::move(root), .rest = std::move(rest)};
}

InputPair<DoubleKernels> input_pair(DoubleKernels, double xx, double yy, double xy) {
    double const gap = xx * yy - xy * xy;
    // Rounding leaves a few units in the last place.
    if (!(gap >= -1e-12 * xx * yy && xx >= 0 && yy >= 0)) {
        throw DomainError(
            "crelu kernel: |x|^2, |y|^2 and x.y belong to no vectors; (x.y)^2 <= |x|^2 |y|^2 is required");
    }
    double const root = std::sqrt(std::max(0.0, gap));
    return {.xx = xx, .yy = yy, .xy = xy, .collinear = root == 0, .root = root, .rest = std::atan2(root, -xy)};
}

InputPair<IntervalKernels> input_pair(IntervalKernels kernels, std::vector<Rational> const& x,
                                      std::vector<Rational> const& y) {
    return input_pair(kernels, inner(x, x), inner(y, y), inner(x, y));
}

InputPair<DoubleKernels> input_pair(DoubleKernels, std::vector<double> const& x, std::vector<double> const& y) {
    double const xx = inner(x, x);
    double const yy = inner(y, y);
    double const xy = inner(x, y);
    // The part of y across x, since xx yy - xy^2 cancels at small angles.
    double across = 0;
    for (std::size_t i = 0; xx > 0 && i < x.size(); ++i) {
        double const part = y[i] - xy / xx * x[i];
        across += part * part;
    }
    // Below rounding the inputs are one direction.
    bool const collinear = across <= 1e-30 * yy;
    double const root = collinear ? 0 : std::sqrt(xx * across);
    double const rest = collinear ? (xy > 0 ? std::acos(-1.0) : 0) : std::atan2(root, -xy);
    return {.xx = xx, .yy = yy, .xy = xy, .collinear = collinear, .root = root, .rest = rest};
}

}  // namespace isserlis
