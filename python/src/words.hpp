// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis::python {

/// The keyword of a Python call that sets a parameter.
[[nodiscard]] std::string keyword_of(std::string const& parameter);

/// A sentence of the library's, with keywords for the parameters that it names between backticks.
[[nodiscard]] std::string in_keywords(std::string message);

}  // namespace isserlis::python
