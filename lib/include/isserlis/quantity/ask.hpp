// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/question.hpp>
#include <isserlis/question/surroundings.hpp>
#include <isserlis/report/answer.hpp>

#include <string>
#include <vector>

namespace isserlis::quantity {

/// All commands, in the order of help.
[[nodiscard]] std::vector<std::string> command_names();
/// What a command says of itself; null where there is none of this name.
[[nodiscard]] CommandText const* find_command(std::string const& name);

/// The answer to a question: every quantity of the command, exact or sampled, with its assumptions and range.
///
/// Errors  ParseError and DomainError naming the parameter that is wrong; UnsupportedError for what is not served, or
///         is over a limit; Interrupted.
[[nodiscard]] Answer ask(Question const& question, Surroundings const& surroundings = {});

}  // namespace isserlis::quantity
