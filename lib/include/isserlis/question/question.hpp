// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// What is asked: a command, the words that it takes, and parameters by name, as `find_command` and `common_parameters` list
/// them.
///
///     Question{.command = "ntk", .words = {"4,8,8,2"}, .parameters = {{"effective", {}}, {"set", {"n=3"}}}}
///
/// A flag has no values; `set` and `table` may have several, other parameters have one.
struct Question {
    std::string command;
    std::vector<std::string> words = {};  ///< widths, and before them an expression where the command takes one
    std::map<std::string, std::vector<std::string>> parameters = {};
};

/// Parameters that another one, or a command, does not go with.
struct Refusal {
    std::vector<std::string> parameters;
    std::string why;  ///< "{} has no meaning with `limit`", where {} is the refused one
};

/// One parameter: the row that reading, help, completion and the manual are made from.
struct Parameter {
    std::string name;
    std::string value = {};                 ///< placeholder of its value; empty for a flag
    std::string help = {};                  ///< without default and choices
    std::string usual = {};                 ///< its default
    std::vector<std::string> choices = {};  ///< words that it may be
    char letter = 0;                        ///< by which a command line may abbreviate it
    std::vector<std::string> needs = {};    ///< it means nothing without one of these
    std::vector<Refusal> refusals = {};     ///< what it does not go with
    [[nodiscard]] bool is_flag() const { return value.empty(); }
};

/// What a command is and takes.
struct CommandText {
    std::string name;
    std::string summary;
    std::string positional;  ///< its words, such as "`query` `widths`"; empty when there are none
    std::string positional_help;
    std::size_t most_positionals = 1;
    std::vector<Parameter> parameters = {};
    std::vector<Refusal> refusals = {};      ///< common parameters that mean nothing to it
    std::string charted = {};                ///< what `plot` draws if nothing else is asked; empty without charts
    std::vector<std::string> needless = {};  ///< what parameters of it need, and it does unasked
};

/// The parameters that every command has.
[[nodiscard]] std::vector<Parameter> const& common_parameters();

}  // namespace isserlis::quantity
