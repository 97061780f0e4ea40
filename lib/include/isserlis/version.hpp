// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis {

/// Major, minor and patch number of the library. CMake reads them from this line.
inline constexpr char const* version = "0.1.0";

}  // namespace isserlis
