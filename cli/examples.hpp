// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis::cli {

/// Command lines that a help text ends with; empty for a command without any.
[[nodiscard]] std::string examples_of(std::string const& command);

}  // namespace isserlis::cli
