// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/question.hpp>

namespace isserlis::quantity {

/// Errors  ParseError for parameters that the command does not have.
void check_known(CommandText const& command, Question const& question);

/// Errors  ParseError for parameters that do not go together, and those that mean nothing alone.
void check_together(CommandText const& command, Question const& question);

}  // namespace isserlis::quantity
