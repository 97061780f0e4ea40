// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace isserlis::cli {

/// Length of the well-formed UTF-8 sequence at the start, or 0 (overlong forms and surrogates are not well formed).
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// The text starts with a control character: one of ASCII, or of U+0080 .. U+009F, which terminals obey too.
[[nodiscard]] bool is_control(std::string_view text);

/// The text as a terminal may get it: what is not visible, but for line ends, and bytes that are no UTF-8, become \xNN.
[[nodiscard]] std::string legible(std::string_view text);

}  // namespace isserlis::cli
