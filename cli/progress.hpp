// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/surroundings.hpp>

namespace isserlis::cli {

/// On a terminal a line that is written anew: how much is done, and how long the rest will take. Elsewhere, and where
/// long work is announced, one such line in a run, if that is long.
[[nodiscard]] quantity::Progress progress_on_stderr(quantity::ProgressWords words);

}  // namespace isserlis::cli
