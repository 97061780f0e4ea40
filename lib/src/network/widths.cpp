// SPDX-License-Identifier: MIT
#include <isserlis/network/widths.hpp>

#include <algorithm>
#include <isserlis/error.hpp>
#include <optional>

#include "characters.hpp"
#include "reserved_symbols.hpp"

namespace isserlis {
namespace {

constexpr char const* argument = "widths";

[[noreturn]] void refuse(std::string_view item, std::size_t position, std::string const& why) {
    throw ParseError("`widths`: '" + printable(item) + "' at character " + std::to_string(position + 1) + ": " + why,
                     argument);
}

constexpr std::size_t largest_power_of_ten = 10'000;

/// Digits with single underscores between them, without the underscores; none for other texts.
std::optional<std::string> digits_of(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const between = i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
        if (text[i] == '_' && between) continue;
        if (!is_digit(text[i])) return std::nullopt;
        out += text[i];
    }
    return out;
}

/// The digits of a whole number in another form, such as 1e3, 2.5e3 or 1_000; the text itself when it is none.
/// Written out here: what samples networks reads widths too, and knows no exact numbers.
std::string plain_digits(std::string_view token) {
    std::string const typed(token);
    std::size_t const e = std::min(token.find_first_of("eE"), token.size());
    std::size_t const point = std::min(token.find('.'), e);
    auto const whole = digits_of(token.substr(0, point));
    auto const fraction = digits_of(point < e ? token.substr(point + 1, e - point - 1) : "");
    auto const power = digits_of(e < token.size() ? token.substr(e + 1) : "0");
    if (!whole || whole->empty() || !fraction || !power || power->empty()) return typed;
    std::string const significant = fraction->substr(0, fraction->find_last_not_of('0') + 1);
    std::size_t const exponent = power->size() > 9 ? largest_power_of_ten + 1 : std::stoul(*power);
    if (exponent > largest_power_of_ten) {
        throw UnsupportedError(
            "`widths`: '" + printable(token) + "' has an exponent beyond " + std::to_string(largest_power_of_ten),
            argument);
    }
    if (significant.size() > exponent) return typed;
    return *whole + significant + std::string(exponent - significant.size(), '0');
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
    std::string const digits = plain_digits(token);
    if (!std::all_of(digits.begin(), digits.end(), is_digit)) {
        refuse(item, position,
               std::string("a ") + what + " is a whole number from 1 or a symbol, such as 784, n or 10:3");
    }
    if (digits == "0")
        refuse(item, position, std::string("a ") + what + " of 0 is impossible; it has to be at least 1");
    if (digits[0] == '0') refuse(item, position, "leading zeros are not read, since they mean octal to some");
    return {.text = digits, .is_symbol = false};
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
    if (name == "fan_in" || name == "fan_out") {
        throw ParseError(std::string(of) + ": '" + std::string(name) +
                             "' is a word of variances, such as `variance` 2/fan_in; it has no meaning here, and no "
                             "symbol has its name",
                         std::string(of));
    }
    if (name == "nan" || name == "inf") {
        throw ParseError(
            std::string(of) + ": '" + std::string(name) + "' is no number here, and no symbol has its name",
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
    if (text.find_first_of("[](){}") != std::string_view::npos) {
        throw ParseError(
            "`widths`: '" + printable(text) + "' has brackets; list the widths without them, such as 2,10:3,1",
            argument);
    }
    if (text.empty()) {
        throw ParseError("`widths` is empty; list the layers from the input on, such as 2,10:3,1", argument);
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
            bool const is_huge = read.count.text.size() > 18;
            unsigned long const length = layers + (is_huge ? 0 : std::stoul(read.count.text));
            if (is_huge || length > max_layers) {
                throw UnsupportedError(
                    "`widths`: '" + printable(item) + "' at character " + std::to_string(start + 1) +
                        " makes a list of " +
                        (is_huge ? "about 10^" + std::to_string(read.count.text.size() - 1) : std::to_string(length)) +
                        " widths; exact numbers would have more digits than that, so the limit is " +
                        std::to_string(max_layers) +
                        ", input and output counted; a symbolic depth such as n:L has no limit",
                    argument);
            }
            layers = length;
        }
        items.push_back(std::move(read));
        start = comma + 1;
    }
    if (!symbolic && layers < 2) {
        throw ParseError("`widths`: '" + printable(text) +
                             "' has one width only; a network needs an input and an output, such as 2,1",
                         argument);
    }
    return items;
}

}  // namespace isserlis
