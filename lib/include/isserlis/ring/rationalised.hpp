// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational_function.hpp>

namespace isserlis {

/// The same formula in lowest terms without roots in the denominators of its terms: 1/(a + b sqrt(d)) is
/// (a - b sqrt(d))/(a^2 - b^2 d). Powers with a symbol in the exponent stay as they are, and so does what would get a
/// divisor that it does not have: (n - 1)/(n - sqrt(n)) is defined at more numbers than its product with n + sqrt(n).
[[nodiscard]] RationalFunction rationalised(RationalFunction const& x);

}  // namespace isserlis
