// SPDX-License-Identifier: MIT
#include <isserlis/utf8.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace isserlis {

Utf8Character utf8_character(std::string_view text) {
    auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    unsigned const lead = byte(0);
    std::size_t const length = lead < 0x80 ? 1 : lead >> 5U == 6 ? 2 : lead >> 4U == 14 ? 3 : lead >> 3U == 30 ? 4 : 0;
    if (length < 2 || text.empty()) return {.length = text.empty() ? 0 : length, .point = lead};
    std::uint32_t point = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if (byte(i) >> 6U != 2) return {};
        point = point << 6U | (byte(i) & 63U);
    }
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    bool const surrogate = point >= 0xd800 && point < 0xe000;
    if (point < least[length] || point > 0x10ffff || surrogate) return {};
    return {.length = length, .point = point};
}

bool is_visible(std::uint32_t point) {
    constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 10> hidden{{{0, 0x1f},
                                                                              {0x7f, 0x9f},
                                                                              {0xad, 0xad},      // soft hyphen
                                                                              {0x61c, 0x61c},    // Arabic mark
                                                                              {0x200b, 0x200f},  // no width, marks
                                                                              {0x2028, 0x202e},  // lines, embeddings
                                                                              {0x2060, 0x206f},  // joiners, isolates
                                                                              {0xfeff, 0xfeff},  // byte order
                                                                              {0xfff9, 0xfffb},  // annotations
                                                                              {0xe0000, 0xe0fff}}};  // tags
    return std::none_of(hidden.begin(), hidden.end(),
                        [&](auto const& range) { return point >= range.first && point <= range.second; });
}

bool is_control(std::string_view text) {
    auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0xffU; };
    return byte(0) < 0x20 || byte(0) == 0x7f || (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0);
}

std::string with_hidden(std::string_view text, std::function<std::string(std::string_view)> const& shown) {
    auto const is_plain = [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; };
    std::string out;
    while (!text.empty()) {
        auto const plain =
            static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        auto const c = utf8_character(text);
        auto const character = text.substr(0, std::max<std::size_t>(c.length, 1));
        out += c.length != 0 && is_visible(c.point) ? std::string(character) : shown(character);
        text.remove_prefix(character.size());
    }
    return out;
}

std::string legible(std::string_view text) {
    return with_hidden(text, [](std::string_view hidden) {
        constexpr char const* hex = "0123456789abcdef";
        std::string out;
        for (char const c : hidden) {
            auto const byte = static_cast<unsigned char>(c);
            out += {'\\', 'x', hex[byte >> 4U], hex[byte & 15U]};
        }
        return out;
    });
}

}  // namespace isserlis
