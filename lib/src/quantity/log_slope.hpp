// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/value.hpp>

#include <string>
#include <utility>
#include <vector>

namespace isserlis::quantity {

/// The same enclosures, each worked out once, for rows that share them. Their precision goes in steps, so that one serves
/// what asks for a little more than another.
[[nodiscard]] Value::Enclosure remembered(Value::Enclosure const& of);

/// The exponent of the power of x that y^power follows between two places: power log(y'/y)/log(x'/x), `by` = x'/x. Digits
/// are certified.
[[nodiscard]] Value local_exponent(Value::Enclosure const& here, Value::Enclosure const& there, Rational const& by,
                                   Rational const& power, std::string const& form);

/// The slope of the straight line of least squares through log y^power over log x, for these (x, y).
[[nodiscard]] Value fitted_exponent(std::vector<std::pair<Integer, Value::Enclosure>> const& points,
                                    Rational const& power, std::string const& form);

}  // namespace isserlis::quantity
