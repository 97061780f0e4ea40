// SPDX-License-Identifier: MIT
#pragma once
#include <pybind11/pybind11.h>

#include <isserlis/report/answer.hpp>

namespace isserlis::python {

/// Everything that an answer holds, as dictionaries, lists and strings.
[[nodiscard]] pybind11::dict plain(Answer const& answer);

/// The commands, a dictionary for each: name, summary, positional, positional_help, most_positionals, parameters.
[[nodiscard]] pybind11::list commands();

/// The parameters that every command has.
[[nodiscard]] pybind11::list common_parameters();

/// The table of quantities, a dictionary for each.
[[nodiscard]] pybind11::list all_quantities();

}  // namespace isserlis::python
