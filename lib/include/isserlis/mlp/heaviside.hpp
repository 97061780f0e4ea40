// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::mlp {

/// 1 for z > 0, 0 for z < 0, 1/2 at 0: how much of P acts where a concatenated ReLU is open.
///
/// Source  [Hettinger 2019, Def 3.13]
template <class T>
[[nodiscard]] T heaviside(T z) {
    if (z > T(0)) return T(1);
    return z < T(0) ? T(0) : T(1) / T(2);
}

}  // namespace isserlis::mlp
