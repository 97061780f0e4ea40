// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "question/command.hpp"

namespace isserlis::quantity {

/// `solve`: in place of the rows of an answer from `first` on, the value of a symbol with which the one that `of` names
/// meets `target`: the least width or the greatest depth with which it is at most that, or the number with which a
/// parameter brings it there. `bindings` and `prefix` are those under which the rows were answered.
///
/// Errors  ParseError where `of` or `target` is missing, or no row has that name and index; DomainError where nothing
///         stands for what is looked for, or no value of it meets the target, with what was met; UnsupportedError for a
///         quantity that is no exact number there.
void solve(Command const& command, Task const& task, Session const& session, Bindings const& bindings,
           std::vector<std::string> const& prefix, std::size_t first, Answer& answer);

/// Why a solution is set beside no samples.
inline constexpr char const* a_solution = "a solution, with nothing to sample; `check` the network that has it";

/// Of these points in rising order two neighbours between which a sign changes, those nearest to 1, or twice a point
/// where it is 0. `sign` is that of what is sought to be 0, none where it has no value; `failed` throws if there are none.
[[nodiscard]] std::pair<Rational, Rational> sign_change(std::vector<Rational> const& points,
                                                        std::function<std::optional<int>(Rational const&)> const& sign,
                                                        std::function<void()> const& failed);

/// 2^-40 .. 2^40
[[nodiscard]] std::vector<Rational> powers_of_two();

}  // namespace isserlis::quantity
