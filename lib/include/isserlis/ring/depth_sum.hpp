// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/rational_function.hpp>

namespace isserlis {

/// The same formula as a sum over eigenvalues to the power of the depth.
[[nodiscard]] ExpPolynomial by_depth(RationalFunction const& x);

}  // namespace isserlis
