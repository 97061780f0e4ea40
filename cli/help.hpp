// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "arguments.hpp"

namespace isserlis::cli {

/// What the program says of itself: commands and global options.
[[nodiscard]] std::string help_of_program(std::vector<CommandText> const& commands,
                                          std::vector<OptionText> const& global_options);
/// What it says of a command.
[[nodiscard]] std::string help_of_command(CommandText const& command, std::vector<OptionText> const& global_options);

/// "isserlis norm [OPTIONS] WIDTHS..."
[[nodiscard]] std::string usage_of(CommandText const& command);
/// "-c, --check N", or "--pre".
[[nodiscard]] std::string spelling_of(OptionText const& option);
/// What an option does, the words that it may be, and its default.
[[nodiscard]] std::string meaning_of(OptionText const& option);

/// --help, which every command has.
[[nodiscard]] OptionText help_option();

/// Columns of the terminal; 80 where standard output is none.
[[nodiscard]] std::size_t terminal_width();
/// The words of a text, in lines of at most `width` columns where words are shorter, each after so many spaces but for
/// the first.
[[nodiscard]] std::string wrapped(std::string const& text, std::size_t width, std::size_t indent);

}  // namespace isserlis::cli
