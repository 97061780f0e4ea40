// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <string>

namespace isserlis {

/// The text as comment lines, each behind the mark of the format, such as "% ".
[[nodiscard]] std::string commented(std::string const& text, std::string const& mark);

/// What an answer says besides its values, for formats that have comments: the command line, what is assumed, the
/// notes, and what --explain adds.
[[nodiscard]] std::string heading(Answer const& answer, std::string const& mark);

}  // namespace isserlis
