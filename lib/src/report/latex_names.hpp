// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <optional>
#include <string>

namespace isserlis {

/// The left side of a quantity as a paper prints it, its index (in LaTeX already, perhaps empty) in its place; none for
/// quantities without a symbol of their own. What the symbols mean is the quantity's formula in the registry.
[[nodiscard]] std::optional<std::string> latex_name(std::string const& command, std::string const& name,
                                                    std::string const& index);

}  // namespace isserlis
