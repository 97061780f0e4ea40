// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis::cli {

/// A text answer as a terminal shows it best: results first, assumptions and notes below them in lines of at most
/// `width` columns, and what fails in colour. The words are the same.
[[nodiscard]] std::string for_terminal(std::string const& text, std::size_t width, bool in_colour);

}  // namespace isserlis::cli
