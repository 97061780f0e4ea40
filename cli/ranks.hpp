// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/ranks.hpp>
#include <isserlis/question/surroundings.hpp>

#include <string>

#include "arguments.hpp"

namespace isserlis::cli {

/// Finds the processes that a launcher has started with this one, unless each has its own part, --shard.
void join_ranks(Arguments const& typed);

/// Tells the library of them, and how many cores are left for each.
void introduce_ranks(quantity::Surroundings& to);

/// A launcher has started this process, alone or with others. Its output goes through a terminal of the launcher's, which
/// nobody looks at.
[[nodiscard]] bool is_launched();

/// This process prints; of several only the first does.
[[nodiscard]] bool speaks();

/// What comes before a sentence about what is wrong: nothing, or which of several processes says it. The first one
/// speaks first, and the others no more if it does.
[[nodiscard]] std::string who_complains();

/// Ends the others, and this one; nothing where there are none.
void end_ranks(int exit_code);

/// All is done.
void leave_ranks();

}  // namespace isserlis::cli
