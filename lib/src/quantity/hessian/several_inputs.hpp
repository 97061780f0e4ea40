// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <optional>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// Input vectors, as numbers.
using InputRows = std::vector<std::vector<Rational>>;

/// The inputs of `input` FILE when it lists more than one vector for the first width of `widths`: one a line. None for
/// a single vector, a list, or no such parameter.
///
/// Errors  ParseError naming file and line of a row of another length.
[[nodiscard]] std::optional<InputRows> several_inputs(std::string const& file, std::string const& widths);

}  // namespace isserlis::quantity
