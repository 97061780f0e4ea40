// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/command_line.hpp>
#include <isserlis/question/question.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace isserlis::cli {

/// One option as the user sees it: a parameter with the name and in the words of the command line.
using OptionText = quantity::Parameter;

/// A command as the user sees it.
struct CommandText {
    std::string name;
    std::string summary;
    std::string positional;  ///< placeholder, empty when there is none
    std::string positional_help;
    std::size_t most_positionals = 1;
    std::vector<OptionText> options = {};
    std::string examples = {};  ///< shown below the options
};

/// What was typed, sorted by option. Repeats of --set and --table are kept apart; other options are given once.
struct Arguments {
    std::string command;
    std::vector<std::string> positionals;
    std::map<std::string, std::vector<std::string>> options;
};

/// Result of reading the command line: either arguments, or a text to print (--help, --version) with exit code 0.
struct CommandLine {
    std::optional<Arguments> arguments;
    std::string text;
    std::vector<quantity::TypedWord> typed = {};  ///< all words, in their order
};

/// Reads the command line: global options may stand before or after the command.
/// Errors  ParseError naming what was not understood, with the nearest known name.
[[nodiscard]] CommandLine read_command_line(std::vector<std::string> const& words,
                                            std::vector<CommandText> const& commands,
                                            std::vector<OptionText> const& global_options);

/// True when the words ask for JSON, even if they cannot be read as a whole.
[[nodiscard]] bool asks_for_json(std::vector<std::string> const& words);

}  // namespace isserlis::cli
