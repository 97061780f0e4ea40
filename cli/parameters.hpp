// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/question.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"

namespace isserlis::cli {

/// The library's parameters as options. Those of `command` are looked at first: others are made only then.
class OptionNames {
public:
    explicit OptionNames(std::string command = {}) : command_(std::move(command)) {}

    /// The option, or the placeholder of a word, that sets a parameter; other names as they are.
    [[nodiscard]] std::string option_of(std::string const& parameter) const;
    /// The parameter that an option sets, `label_factor` of --label-factor; an option that is none of the library's as it
    /// is.
    [[nodiscard]] std::string parameter_of(std::string const& option) const;

    /// A message of the library's, with options in place of the parameters that it has between backticks.
    [[nodiscard]] std::string in_options(std::string message) const;
    /// The message of an error, which may begin with the parameter that it is about.
    [[nodiscard]] std::string in_options(std::string message, std::string const& argument) const;

private:
    /// What sets a parameter; empty for another name.
    [[nodiscard]] std::string setter_of(std::string const& name) const;
    std::string command_;
};

/// A command of the library with options in place of parameters, and examples; none of another name.
[[nodiscard]] std::optional<CommandText> library_command(std::string const& name);
[[nodiscard]] std::vector<CommandText> library_commands();
/// The parameters of all commands as options, and --output and --timeout.
[[nodiscard]] std::vector<OptionText> global_options();

/// What was typed, as the library takes it.
[[nodiscard]] quantity::Question question_of(Arguments const& typed);

}  // namespace isserlis::cli
