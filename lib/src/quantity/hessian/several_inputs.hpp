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

/// Their products x_k.x_l. DomainError for an input of 0.
[[nodiscard]] std::vector<std::vector<Rational>> gram(InputRows const& inputs);

[[nodiscard]] std::vector<std::vector<double>> doubles(InputRows const& inputs);

}  // namespace isserlis::quantity
