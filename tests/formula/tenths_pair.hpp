// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/smooth_pairs.hpp>

namespace isserlis::testing {

/// Of two normal numbers, in tenths.
inline PairCovariance tenths_pair(int uu, int uv, int vv) {
    auto const tenths = [](int n) { return ratio(Integer(n), Integer(10)); };
    return {.uu = tenths(uu), .uv = tenths(uv), .vv = tenths(vv)};
}

}  // namespace isserlis::testing
