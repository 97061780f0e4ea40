// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>

#include <string>
#include <string_view>

namespace isserlis {

/// Reads a data set from comma-separated text; every number is exact, 0.1 is 1/10. A constant feature 1 is appended.
///
/// Law     none.
/// Shape   a header with x1 .. xp, and y1 .. yd or g1 .. gd or both, in any order; h1_1 .. hd_d may be added, either
///         triangle or both. Then d_0 = p + 1 and d_n = d. Quoted fields, CRLF, empty lines and lines that start with #
///         are read; docs/data.md has the format.
/// Units   as the file.
/// Errors  ParseError naming `name` (the file), line and column: a missing, unknown or repeated column, a ragged row,
///         what is not a finite number, a Hessian that is not symmetric, no samples; UnsupportedError for an exponent
///         beyond 10000.
/// Source  [Shafranovich 2005]; fields may not run over lines
[[nodiscard]] DataSet parse_data_csv(std::string_view text, std::string const& name);

}  // namespace isserlis
