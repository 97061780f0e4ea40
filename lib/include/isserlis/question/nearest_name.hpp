// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// The known name that a word may have meant; none when nothing is near.
[[nodiscard]] std::optional<std::string> nearest_name(std::string const& word, std::vector<std::string> const& known);

}  // namespace isserlis::quantity
