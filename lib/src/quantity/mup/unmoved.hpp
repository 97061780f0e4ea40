// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/value.hpp>

namespace isserlis::quantity {

/// In place of a rate where the means that it would divide are 0.
inline Value unmoved() { return Value::absent("no rate changes anything"); }

}  // namespace isserlis::quantity
