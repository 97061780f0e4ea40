// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "arguments.hpp"

namespace isserlis::cli {

/// `completion` and `manual`, which print what the program says of itself for other programs.
[[nodiscard]] CommandText completion_text();
[[nodiscard]] CommandText manual_text();

/// The script by which a shell completes commands, options and their words.
/// Errors  ParseError for a shell other than bash, zsh and fish.
[[nodiscard]] std::string completion_script(std::vector<std::string> const& words,
                                            std::vector<CommandText> const& commands,
                                            std::vector<OptionText> const& global_options);

/// The manual page as troff, or all options as a page in Markdown.
/// Errors  ParseError for another form.
[[nodiscard]] std::string manual_page(std::vector<std::string> const& words, std::vector<CommandText> const& commands,
                                      std::vector<OptionText> const& global_options);

}  // namespace isserlis::cli
