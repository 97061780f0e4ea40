// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace isserlis::cli {

/// One option as the user sees it. `value` is the placeholder of its value, empty for a flag.
struct OptionText {
    std::string name;  ///< with its dashes
    std::string value;
    std::string help;
};

/// A command as the user sees it.
struct CommandText {
    std::string name;
    std::string summary;
    std::string positional;  ///< placeholder, empty when there is none
    std::string positional_help;
    std::size_t most_positionals = 1;
    std::vector<OptionText> options;
    std::string examples;  ///< shown below the options
};

/// What was typed, sorted by option. Repeats of --set are kept apart; other options are given once.
struct Arguments {
    std::string command;
    std::vector<std::string> positionals;
    std::map<std::string, std::vector<std::string>> options;

    [[nodiscard]] bool has(std::string const& option) const { return options.count(option) != 0; }
    [[nodiscard]] std::optional<std::string> value(std::string const& option) const {
        auto const at = options.find(option);
        return at == options.end() ? std::nullopt : std::optional<std::string>(at->second.back());
    }
};

/// Result of reading the command line: either arguments, or a text to print (--help, --version) with exit code 0.
struct CommandLine {
    std::optional<Arguments> arguments;
    std::string text;
};

/// Reads the command line: global options may stand before or after the command.
/// Errors  ParseError naming what was not understood, with the nearest known name.
[[nodiscard]] CommandLine read_command_line(std::vector<std::string> const& words,
                                            std::vector<CommandText> const& commands,
                                            std::vector<OptionText> const& global_options);

/// True when the words ask for JSON, even if they cannot be read as a whole.
[[nodiscard]] bool asks_for_json(std::vector<std::string> const& words);

}  // namespace isserlis::cli
