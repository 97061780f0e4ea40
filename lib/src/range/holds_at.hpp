// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/range.hpp>
#include <isserlis/ring/rational.hpp>

#include <map>
#include <string>

namespace isserlis::quantity {

/// Does a result of this range hold at these values, of all symbols that it has? No where that cannot be told.
[[nodiscard]] bool holds_at(Range const& range, std::map<std::string, Rational> const& values);

}  // namespace isserlis::quantity
