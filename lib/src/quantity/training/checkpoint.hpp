// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

namespace isserlis::quantity {

inline constexpr char const* checkpoint_parameter = "checkpoint";

/// What messages call the file.
[[nodiscard]] std::string checkpoint_place(std::string const& file);

/// What a run that was killed has left; none if there is no file yet, which can be written then.
/// Errors  DomainError when it cannot be read, or cannot be written later.
[[nodiscard]] std::optional<std::string> checkpoint_text(std::string const& file);

}  // namespace isserlis::quantity
