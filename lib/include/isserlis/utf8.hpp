// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace isserlis {

/// A character of UTF-8.
struct Utf8Character {
    std::size_t length = 0;  ///< in bytes; 0 where none is well formed: overlong forms and surrogates are not
    std::uint32_t point = 0;
};
/// The one that the text starts with.
[[nodiscard]] Utf8Character utf8_character(std::string_view text);

/// It moves nothing and hides nothing: no control character (of U+0080 .. U+009F neither, which terminals obey too), no
/// mark of direction, no line end, nothing without width.
[[nodiscard]] bool is_visible(std::uint32_t point);

/// The text starts with a control character: one of ASCII, or of U+0080 .. U+009F, which terminals obey too.
[[nodiscard]] bool is_control(std::string_view text);

/// The text with what is not visible, but for line ends, and bytes that are no UTF-8, as `shown` has each of them.
[[nodiscard]] std::string with_hidden(std::string_view text, std::function<std::string(std::string_view)> const& shown);

/// The text as a terminal may get it: what is not visible, but for line ends, and bytes that are no UTF-8, become \xNN.
[[nodiscard]] std::string legible(std::string_view text);

}  // namespace isserlis
