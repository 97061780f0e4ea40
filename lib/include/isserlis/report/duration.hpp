// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis {

/// "about 40 seconds", "about 10 minutes", "about 13 hours", "about 4 days".
[[nodiscard]] std::string about(double seconds);

/// Seconds of a text: 90, 90s, 1.5m, 2h. Errors  DomainError naming `parameter`.
[[nodiscard]] double read_duration(std::string const& text, std::string const& parameter);

}  // namespace isserlis
