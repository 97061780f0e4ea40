// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis {

/// A number or a symbol, as written.
struct WidthToken {
    std::string text;
    bool is_symbol = false;
};

/// One item of WIDTHS: `width` or `width:count`.
struct WidthItem {
    WidthToken width;
    WidthToken count{.text = "1", .is_symbol = false};
    std::size_t position = 0;  ///< offset of the item in the text
};

/// Most layers that an architecture may list.
inline constexpr unsigned long max_layers = 10'000'000;

/// Reads the WIDTHS grammar: items separated by commas, input first; an item is a width or `width:count`, where both
/// are whole numbers from 1 (1e3 too) or symbols. `784,n:L,10` is an input of 784, L hidden layers of n, 10 outputs.
/// Errors  ParseError naming the item and its place; UnsupportedError with an estimate for more than `max_layers`.
[[nodiscard]] std::vector<WidthItem> parse_widths(std::string_view text);

/// Checks a name: an ASCII identifier that is nothing else to an algebra system, nor fan_in or fan_out.
/// Errors  ParseError with a suggestion.
void check_symbol(std::string_view name, std::string_view argument);

/// True for [A-Za-z_][A-Za-z0-9_]*.
[[nodiscard]] bool is_identifier(std::string_view text);

}  // namespace isserlis
