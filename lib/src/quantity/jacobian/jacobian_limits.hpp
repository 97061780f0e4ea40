// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/jacobian/jacobian_request.hpp"

namespace isserlis::quantity {

/// `limit` wide: the relative variances as the one symbolic width goes to infinity, depth fixed.
/// `limit` double-scaling: width and depth to infinity with depth = b width, layer l = t L; `limit` deep: the depth
/// alone. Where the limit is 0 or infinite, its leading order too.
///
/// Errors  DomainError when WIDTHS has no such symbols; UnsupportedError for what has no closed form in the depth.
void add_limits(JacobianCase const& c, SymbolicModel const& model);

}  // namespace isserlis::quantity
