// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/question.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace isserlis::quantity {

/// The words of a line, as blanks separate them outside of quotes '..' and "..".
/// Errors  ParseError for a quote without its end.
[[nodiscard]] std::vector<std::string> words_of(std::string_view line);

/// What a line such as "norm 2,4,2 pre layer=2" asks: a command, its words, and parameters by name.
/// Errors  ParseError for a line without a command.
[[nodiscard]] Question question_of(std::string_view line);

/// Adds the options among these words, as on a command line, to the question; the others are returned.
/// Errors  ParseError for an unknown option of its command, and an option without its value.
std::vector<std::string> take_options(std::vector<std::string> const& words, Question& question);

}  // namespace isserlis::quantity
