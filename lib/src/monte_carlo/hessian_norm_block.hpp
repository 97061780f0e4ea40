// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::monte_carlo::detail {

/// Parts of the squared Hessian of the ordered pair of layers a <= b, counted from 0; the blocks (a, b) and (b, a) are
/// transposed. A Number for one network, or lanes of them.
template <class Number>
struct HessianNormBlock {
    Number gauss_newton{};
    Number functional{};
    Number cross{};
    Number target{};
};

}  // namespace isserlis::monte_carlo::detail
