// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis {

// Of ASCII, in every locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// What a name begins with.
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace isserlis
