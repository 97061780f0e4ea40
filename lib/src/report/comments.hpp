// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <string>

namespace isserlis {

/// The text as comment lines, each behind the mark of the format, such as "% ".
[[nodiscard]] std::string commented(std::string const& text, std::string const& mark);

/// In the format of printf; "-" beyond the range of double.
[[nodiscard]] std::string short_number(double x, char const* format);

/// What was sampled beside a value, and what follows; whether a bound holds; or nothing.
[[nodiscard]] std::string verdict_text(Result const& result);

/// What an answer says besides its values, for formats that have comments: the command line, what is assumed, the
/// notes, and what --explain adds.
[[nodiscard]] std::string heading(Answer const& answer, std::string const& mark);

}  // namespace isserlis
