// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis::cli {

/// The option, or the placeholder of a word, that sets a parameter of the library's; other names as they are.
[[nodiscard]] std::string option_of(std::string const& parameter);

/// A message of the library's, with options in place of the parameters that it has between backticks.
[[nodiscard]] std::string in_options(std::string message);

/// The message of an error, which may begin with the parameter that it is about.
[[nodiscard]] std::string in_options(std::string message, std::string const& argument);

}  // namespace isserlis::cli
