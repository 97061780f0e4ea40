// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/question.hpp>

#include <set>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// One word of a command line, or an option with its value, quoted for a shell.
struct TypedWord {
    std::string parameter;  ///< that the option sets; empty for other words
    std::string text;
};

/// The word as a shell reads it back.
[[nodiscard]] std::string shell_quoted(std::string const& word);

/// The option that sets a parameter: --label-factor of `label_factor`. That of `width_list` is --widths, beside which
/// `widths` is a word.
[[nodiscard]] std::string option_name(std::string const& parameter);

/// The option that gives a parameter this value; empty for a flag.
[[nodiscard]] TypedWord typed_option(std::string const& parameter, std::string const& value);

/// The words and options of a command line that asks this question.
[[nodiscard]] std::vector<TypedWord> words_for(Question const& question);

/// "isserlis norm 2,3,1 --input '1, 2'": the words in one line; but for options that set these parameters.
[[nodiscard]] std::string command_line(std::vector<TypedWord> const& typed, std::set<std::string> const& left_out = {});

}  // namespace isserlis::quantity
