// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>

#include <string>

namespace isserlis::quantity {

/// What an error says to somebody who asked a question and called no function: the message without the name of the
/// function or class that stands first in it, as in "unit_moments: a variance from 1/1000000 to 10000 is required".
///
/// Law     none. The name of the error's own parameter stays, and so do single words in small letters: commands.
/// Errors  none.
/// Source  this library
[[nodiscard]] std::string reason(Error const& e);

/// The same of a query that the program has made itself, or that stands beside it: it is not named.
///
/// Law     none
/// Errors  none.
/// Source  this library
[[nodiscard]] std::string reason_of_own_query(Error const& e);

}  // namespace isserlis::quantity
