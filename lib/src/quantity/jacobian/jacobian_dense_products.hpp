// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/jacobian/jacobian_request.hpp"

namespace isserlis::quantity {

/// A dense network whose depth is a symbol without a value.
[[nodiscard]] bool has_open_dense_depth(ModelText const& text, Bindings const& bindings);

/// Such a network's moments as products over layers, by name; with `limit` deep their limit at infinite depth.
///
/// Errors  UnsupportedError for anything but Gaussian ReLU layers of one width with He variances.
void add_dense_products(JacobianCase const& c, Bindings const& bindings);

}  // namespace isserlis::quantity
