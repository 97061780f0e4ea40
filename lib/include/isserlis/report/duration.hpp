// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis {

/// "about 40 seconds", "about 10 minutes", "about 13 hours", "about 4 days".
[[nodiscard]] std::string about(double seconds);

}  // namespace isserlis
