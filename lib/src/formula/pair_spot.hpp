// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/smooth_pairs.hpp>

namespace isserlis {

/// A variance as one number, and how far from it the true one may be.
struct Spot {
    Interval at;
    Interval off;
};
/// Errors  those of smooth_pair_means.
[[nodiscard]] Spot spot_of(Enclosed const& variance, unsigned bits);

/// The same of a pair.
struct PairSpot {
    Spot uu;
    Spot vv;
    Interval correlation;
    Interval uv_off;
};
[[nodiscard]] PairSpot spot_of(PairCovariance const& pair, unsigned bits);

/// Sums over the plane take too long beyond most_pair_variance, and e^(uu/2) takes its digits from ELU.
void require_pair_variance(Enclosed const& variance, unsigned bits);

/// What is left of the precision for the error of a sum: callers leave room for what cancels.
[[nodiscard]] unsigned sum_precision(unsigned bits);

}  // namespace isserlis
