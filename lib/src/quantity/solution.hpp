// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <string>
#include <vector>

#include "question/command.hpp"

namespace isserlis::quantity {

/// `solve`: in place of the rows of an answer from `first` on, the value of a symbol with which the one that `of` names
/// meets `target`: the least width with which it is at most that, the greatest depth up to which it is, or the number with which a
/// parameter brings it there. `bindings` and `prefix` are those under which the rows were answered.
///
/// Errors  ParseError where `of` or `target` is missing, or no row has that name and index; DomainError where nothing
///         stands for what is looked for, or no value of it meets the target, with what was met; UnsupportedError for a
///         quantity that is no exact number there.
void solve(Command const& command, Task const& task, Session const& session, Bindings const& bindings,
           std::vector<std::string> const& prefix, std::size_t first, Answer& answer);

/// Why a solution is set beside no samples.
inline constexpr char const* a_solution = "a solution, with nothing to sample; `check` the network that has it";

}  // namespace isserlis::quantity
