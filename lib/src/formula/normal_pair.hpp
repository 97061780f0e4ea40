// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/smooth_pairs.hpp>

namespace isserlis {

/// A pair of normal numbers whose root uu vv - uv^2 is known to be at least 0.
struct NormalPair {
    Interval uu;
    Interval uv;
    Interval vv;
    Interval root;  ///< sqrt(uu vv - uv^2)
    [[nodiscard]] unsigned bits() const { return uu.bits(); }
};

[[nodiscard]] NormalPair normal_pair(PairCovariance const& pair, unsigned bits);

/// pi minus the angle of two numbers of this covariance: tan(angle/2) = root/(|u||v| + uv), and that of the rest with a
/// minus.
[[nodiscard]] Interval rest_of_angle(NormalPair const& p);

/// The Gaussian measure of the triangle (0, 0), (h, 0), (h, w), odd in h and in w [Owen 1956].
[[nodiscard]] Interval owen_triangle(Interval const& h, Interval const& w);

}  // namespace isserlis
