// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace isserlis::cli {

/// Options that another one, or a command, does not go with.
struct Refusal {
    std::vector<std::string> options;
    std::string why;  ///< "{} has no meaning with --limit", where {} is the refused one
};

/// One option as the user sees it: the row that reading, help, completion and the manual are made from.
struct OptionText {
    std::string name;                       ///< with its dashes
    std::string value = {};                 ///< placeholder of its value; empty for a flag
    std::string help = {};                  ///< without default and choices
    std::string usual = {};                 ///< its default
    std::vector<std::string> choices = {};  ///< words that it may be
    char letter = 0;                        ///< of a short form, such as -c
    std::vector<std::string> needs = {};    ///< it means nothing without one of these
    std::vector<Refusal> refusals = {};     ///< what it does not go with
    [[nodiscard]] bool is_flag() const { return value.empty(); }
};

/// A command as the user sees it.
struct CommandText {
    std::string name;
    std::string summary;
    std::string positional;  ///< placeholder, empty when there is none
    std::string positional_help;
    std::size_t most_positionals = 1;
    std::vector<OptionText> options = {};
    std::string examples = {};               ///< shown below the options
    std::vector<Refusal> refusals = {};      ///< global options that mean nothing to it
    std::vector<std::string> needless = {};  ///< what options of it need, and it does unasked
};

/// One word of the command line, or an option with its value, quoted for a shell.
struct TypedWord {
    std::string option;  ///< with its dashes; empty for other words
    std::string text;
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
    std::vector<TypedWord> typed = {};  ///< all words, in their order
};

/// Reads the command line: global options may stand before or after the command.
/// Errors  ParseError naming what was not understood, with the nearest known name.
[[nodiscard]] CommandLine read_command_line(std::vector<std::string> const& words,
                                            std::vector<CommandText> const& commands,
                                            std::vector<OptionText> const& global_options);

/// Errors  ParseError for options that do not go together, and those that mean nothing alone.
void check_together(CommandText const& command, std::vector<OptionText> const& global_options, Arguments const& typed);

/// The entries of a comma-separated list, as typed.
[[nodiscard]] std::vector<std::string> split(std::string const& list);

/// The known name that a word may have meant; none when nothing is near.
[[nodiscard]] std::optional<std::string> nearest_name(std::string const& word, std::vector<std::string> const& known);
/// "isserlis norm 2,3,1 --input '1, 2'": the words as typed, quoted so that a shell reads them back, in one line; but
/// for those options.
[[nodiscard]] std::string command_line(std::vector<TypedWord> const& typed, std::set<std::string> const& left_out = {});

/// True when the words ask for JSON, even if they cannot be read as a whole.
[[nodiscard]] bool asks_for_json(std::vector<std::string> const& words);

}  // namespace isserlis::cli
