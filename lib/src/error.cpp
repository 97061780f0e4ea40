// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>

#include <isserlis/utf8.hpp>

#include <algorithm>
#include <utility>

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

Error::Error(std::string message, std::string argument)
    : std::runtime_error(std::move(message)), argument_(std::move(argument)) {}

DomainError::DomainError(std::string message, std::string argument) : Error(std::move(message), std::move(argument)) {}

UnsupportedError::UnsupportedError(std::string message, std::string argument)
    : Error(std::move(message), std::move(argument)) {}

ParseError::ParseError(std::string message, std::string argument) : Error(std::move(message), std::move(argument)) {}

}  // namespace isserlis
