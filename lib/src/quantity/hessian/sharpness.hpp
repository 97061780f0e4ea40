// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/tidy.hpp>

#include <string>

namespace isserlis::quantity {

/// 2/sqrt(|H|_F^2), which `form` says by its name; absent for a Hessian of 0.
template <class Number>
[[nodiscard]] Value reciprocal_sharpness(Number const& squared_norm, std::string const& form) {
    return is_certainly_zero(squared_norm) ? Value::absent("the Hessian is 0") : over_root(2, squared_norm, form);
}

}  // namespace isserlis::quantity
