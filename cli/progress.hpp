// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/surroundings.hpp>

namespace isserlis::cli {

/// If standard error is a terminal, a line on it: how much is done, and how long the rest will take; else nothing to
/// call.
[[nodiscard]] quantity::Progress progress_on_terminal(quantity::ProgressWords words);

}  // namespace isserlis::cli
