// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::mlp {

/// gate * z; a closed gate gives 0 even where z is -inf, the limit of ReLU.
template <class T>
[[nodiscard]] constexpr T activated(T gate, T z) {
    return gate == T(0) && z < T(0) ? T(0) : gate * z;
}

}  // namespace isserlis::mlp
