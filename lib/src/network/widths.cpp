// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>

#include "reserved_symbols.hpp"

namespace isserlis {
namespace {

constexpr char const* argument = "WIDTHS";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

[[noreturn]] void refuse(std::string_view item, std::size_t position, std::string const& why) {
    throw ParseError("WIDTHS: '" + printable(item) + "' at character " + std::to_string(position + 1) + ": " + why,
                     argument);
}

WidthToken read_token(std::string_view token, std::string_view item, std::size_t position, char const* what) {
    if (token.empty()) refuse(item, position, std::string("the ") + what + " is missing");
    if (is_letter(token[0])) {
        if (!is_identifier(token)) refuse(item, position, "a symbol has letters, digits and _ only");
        try {
            check_symbol(token, argument);
        } catch (ParseError const& e) {
            throw ParseError(std::string(e.what()) + " ('" + printable(item) + "' at character " +
                                 std::to_string(position + 1) + ")",
                             argument);
        }
        return {.text = std::string(token), .is_symbol = true};
    }
    if (!std::all_of(token.begin(), token.end(), is_digit)) {
        refuse(item, position,
               std::string("a ") + what + " is a whole number from 1 or a symbol, such as 784, n or 10:3");
    }
    if (token == "0") refuse(item, position, std::string("a ") + what + " of 0 is impossible; it has to be at least 1");
    if (token[0] == '0') refuse(item, position, "leading zeros are not read, since they mean octal to some");
    return {.text = std::string(token), .is_symbol = false};
}

}  // namespace

bool is_identifier(std::string_view text) {
    return !text.empty() && is_letter(text[0]) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

void check_symbol(std::string_view name, std::string_view of) {
    if (!is_identifier(name)) {
        throw ParseError(std::string(of) + ": '" + printable(name) + "' is not a symbol; use letters, digits and _",
                         std::string(of));
    }
    if (is_reserved_symbol(name)) {
        throw ParseError(std::string(of) + ": the symbol '" + std::string(name) +
                             "' means something else to computer algebra systems; write '" + std::string(name) +
                             "0' or '" + std::string(name) + "_' instead",
                         std::string(of));
    }
}

std::vector<WidthItem> parse_widths(std::string_view text) {
    if (text.empty()) {
        throw ParseError("WIDTHS is empty; list the layers from the input on, such as 2,10:3,1", argument);
    }
    std::vector<WidthItem> items;
    unsigned long layers = 0;
    bool symbolic = false;
    std::size_t start = 0;
    while (start <= text.size()) {
        std::size_t const comma = std::min(text.find(',', start), text.size());
        auto const item = text.substr(start, comma - start);
        if (item.empty()) refuse(item, start, "a width is missing between the commas");
        auto const colon = item.find(':');
        WidthItem read{.width = read_token(item.substr(0, colon), item, start, "width"), .position = start};
        if (colon != std::string_view::npos) {
            read.count = read_token(item.substr(colon + 1), item, start, "repeat count");
        }
        if (read.count.is_symbol) {
            symbolic = true;
        } else {
            unsigned long const count = read.count.text.size() > 18 ? max_layers + 1 : std::stoul(read.count.text);
            layers += std::min(count, max_layers + 1);
            if (layers > max_layers) {
                throw UnsupportedError(
                    "WIDTHS: '" + printable(item) + "' at character " + std::to_string(start + 1) + " makes " +
                        (read.count.text.size() > 18 ? "about 10^" + std::to_string(read.count.text.size() - 1)
                                                     : std::to_string(count)) +
                        " layers; exact numbers would have more digits than that, so the limit is " +
                        std::to_string(max_layers) + "; a symbolic depth such as n:L has no limit",
                    argument);
            }
        }
        items.push_back(std::move(read));
        start = comma + 1;
    }
    if (!symbolic && layers < 2) {
        throw ParseError(
            "WIDTHS: '" + printable(text) + "' has one width only; a network needs an input and an output, such as 2,1",
            argument);
    }
    return items;
}

}  // namespace isserlis
