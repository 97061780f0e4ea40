// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "question/command.hpp"

namespace isserlis::quantity {

/// Evaluates a command under given values of the symbols. At symbolic depth every result then has the range for which
/// it holds, found by asking again at small depths in numbers, and the depths and layers outside have results of their
/// own. `prefix` is what stands before each index.
void evaluate_with_ranges(Command const& command, Task const& task, Session const& session, Bindings const& bindings,
                          std::vector<std::string> const& prefix, Answer& answer);

}  // namespace isserlis::quantity
