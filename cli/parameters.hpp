// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/question.hpp>

#include <string>
#include <vector>

#include "arguments.hpp"

namespace isserlis::cli {

/// The option, or the placeholder of a word, that sets a parameter of the library's; other names as they are.
[[nodiscard]] std::string option_of(std::string const& parameter);
/// The parameter that an option sets, `label_factor` of --label-factor; an option that is none of the library's as it is.
[[nodiscard]] std::string parameter_of(std::string const& option);

/// A message of the library's, with options in place of the parameters that it has between backticks.
[[nodiscard]] std::string in_options(std::string message);
/// The message of an error, which may begin with the parameter that it is about.
[[nodiscard]] std::string in_options(std::string message, std::string const& argument);

/// The commands of the library, with options in place of parameters, and examples.
[[nodiscard]] std::vector<CommandText> library_commands();
/// The parameters of all commands as options, and --output and --timeout.
[[nodiscard]] std::vector<OptionText> global_options();

/// What was typed, as the library takes it.
[[nodiscard]] quantity::Question question_of(Arguments const& typed);

}  // namespace isserlis::cli
