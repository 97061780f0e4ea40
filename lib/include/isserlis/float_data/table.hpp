// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/float_data/float_data.hpp>
#include <string>
#include <string_view>

namespace isserlis::float_data {

/// Reads comma-separated samples, each number to the nearest double; no feature is appended.
///
/// Law     none.
/// Shape   a header with x1 .. xp, and either y1 .. yd or `label`, a class from 0, in any order. Grammar and messages
///         are those of docs/data.md; classes are one more than the largest label.
/// Units   as the file.
/// Errors  ParseError naming the file, line and column: a missing, unknown or repeated column, a ragged row, what is
///         no finite number within the range of double, a label that is no whole number from 0, no samples;
///         UnsupportedError for a label from 10,000 on.
/// Source  [Shafranovich 2005]; fields may not run over lines
template <class T>
[[nodiscard]] FloatData<T> parse_float_csv(std::string_view text, std::string const& name);

}  // namespace isserlis::float_data
