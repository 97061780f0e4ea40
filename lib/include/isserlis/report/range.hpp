// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// The values of one symbol for which a result holds; ends are numbers, or formulas in other symbols such as "L - 1".
struct SymbolRange {
    std::string symbol;
    bool whole = true;                      ///< whole numbers, else real ones
    std::string least = "1";                ///< of real numbers the one that they are above, when `open`; empty: none
    std::string most = {};                  ///< empty without an upper end
    bool open = false;                      ///< `least` itself is out
    std::vector<std::string> without = {};  ///< values within that are out
    friend bool operator==(SymbolRange const&, SymbolRange const&) = default;

    [[nodiscard]] static SymbolRange positive(std::string name) {
        return {.symbol = std::move(name), .whole = false, .least = "0", .open = true};
    }
    [[nodiscard]] static SymbolRange only(std::string name, std::string const& value) {
        return {.symbol = std::move(name), .least = value, .most = value};
    }
    /// One value alone.
    [[nodiscard]] bool is_point() const { return !least.empty() && least == most; }
};

/// Where a result holds: in the range of each of its symbols, where no expression of `nonzero` is 0, all of `positive`
/// are above 0 and none of `not_negative` is below it.
struct Range {
    std::vector<SymbolRange> symbols;
    std::vector<std::string> nonzero = {};
    std::vector<std::string> positive = {};
    std::vector<std::string> not_negative = {};
    friend bool operator==(Range const&, Range const&) = default;

    [[nodiscard]] bool empty() const {
        return symbols.empty() && nonzero.empty() && positive.empty() && not_negative.empty();
    }
    [[nodiscard]] SymbolRange const* find(std::string const& symbol) const;
    /// Takes the place of what is known of the symbol.
    void set(SymbolRange range);
};

/// "L >= 2", "1 <= l <= L - 1", "L = 1", "a > 0, a != 1"
[[nodiscard]] std::string to_string(SymbolRange const& range);
/// "L >= 2, n >= 1, a*n - 2 != 0"
[[nodiscard]] std::string to_string(Range const& range);
/// A sentence: "whole n >= 1, L >= 2; real a > 0"
[[nodiscard]] std::string stated(Range const& range);
[[nodiscard]] std::string latex(Range const& range);
[[nodiscard]] std::string stated_in_latex(Range const& range);

/// What most of the ranges say of each symbol: a table says it once, and rows say what is theirs alone.
[[nodiscard]] Range common_range(std::vector<Range const*> const& ranges);
/// What `range` says that `common` does not.
[[nodiscard]] Range beyond(Range const& range, Range const& common);

/// Takes out of the range where a divisor in the formula is 0: a value of one symbol that is out, a higher least one,
/// or an expression that must not be 0. What lies within the range otherwise is not looked at. False for a formula of
/// megabytes, which is not searched.
bool leave_out_zero_divisors(std::string const& formula, Range& range);

}  // namespace isserlis
