// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/utf8.hpp>

#include <algorithm>

namespace isserlis {

std::string printable(std::string_view text) {
    constexpr std::size_t longest = 120;
    constexpr char const* hex = "0123456789abcdef";
    std::string out;
    std::size_t at = 0;
    while (at < std::min(text.size(), longest)) {
        auto const c = utf8_character(text.substr(at));
        if (c.length != 0 && is_visible(c.point) && c.point != '`') {
            out += text.substr(at, c.length);
            at += c.length;
            continue;
        }
        auto const byte = static_cast<unsigned char>(text[at++]);
        out += {'\\', 'x', hex[byte >> 4U], hex[byte & 15U]};
    }
    return at < text.size() ? out + "..." : out;
}

}  // namespace isserlis
