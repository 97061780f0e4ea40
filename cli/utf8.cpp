// SPDX-License-Identifier: MIT
#include "utf8.hpp"

#include <isserlis/utf8.hpp>

namespace isserlis::cli {

std::size_t utf8_length(std::string_view text) { return utf8_character(text).length; }

bool is_control(std::string_view text) {
    auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0xffU; };
    return byte(0) < 0x20 || byte(0) == 0x7f || (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0);
}

std::string legible(std::string_view text) {
    constexpr char const* hex = "0123456789abcdef";
    std::string out;
    for (std::size_t length = 0; !text.empty(); text.remove_prefix(length)) {
        length = utf8_length(text);
        if (length != 0 && (text[0] == '\n' || is_visible(utf8_character(text).point))) {
            out += text.substr(0, length);
            continue;
        }
        length = 1;
        auto const byte = static_cast<unsigned char>(text[0]);
        out += {'\\', 'x', hex[byte >> 4U], hex[byte & 15U]};
    }
    return out;
}

}  // namespace isserlis::cli
