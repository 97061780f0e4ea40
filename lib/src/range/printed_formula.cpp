// SPDX-License-Identifier: MIT
#include "range/printed_formula.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/report/product_text.hpp>
#include <isserlis/ring/surd.hpp>
#include <utility>

#include "range/residue_reader.hpp"

namespace isserlis::quantity {
namespace {

using Values = std::map<std::string, Rational>;

std::optional<Expression> read(std::string const& text) {
    if (read_products(text)) return std::nullopt;
    try {
        return Expression::parse(text, "value");
    } catch (ParseError const&) {
        return std::nullopt;  // words
    }
}

bool are_known(std::set<std::string> const& symbols, Values const& values) {
    return std::all_of(symbols.begin(), symbols.end(), [&](auto const& symbol) { return values.count(symbol) != 0; });
}

constexpr std::size_t long_formula = 4000;  ///< characters from which on sums of terms with symbols take too long

/// Numbers for the symbols that have none, at which no polynomial is 0 by chance: one of degree d is 0 at d of all numbers.
Values at_a_point(std::set<std::string> const& symbols, Values values) {
    constexpr int first = 1'000'003;
    constexpr int step = 10'007;
    constexpr int below = 997;
    int numerator = first;
    for (auto const& symbol : symbols)
        if (values.emplace(symbol, ratio(numerator, below)).second) numerator += step;
    return values;
}

/// A root of a number too large to be factored has several forms; its square has one.
bool are_equal(Surd const& x, Surd const& y) { return x == y || (sign(x) == sign(y) && x * x == y * y); }

}  // namespace

PrintedFormula::PrintedFormula(std::string text) : text_(std::move(text)), read_(read(text_)) {
    if (read_) symbols_ = read_->symbols();
}

std::optional<bool> PrintedFormula::agrees(Values const& values, std::string const& other) const {
    try {
        // Numbers are put together in far less time than formulas, of which every sum is brought into lowest terms.
        if (auto const number = read(other); read_ && number) {
            bool const is_number = number->symbols().empty() && are_known(symbols_, values);
            if (is_number || std::max(text_.size(), other.size()) > long_formula) {
                auto const at = at_a_point(symbols_, values);
                ResidueReader reader(at);
                auto const x = reader.value(*read_);
                auto const y = x ? reader.value(*number) : std::nullopt;
                if (x && y) return *x == *y;
            }
        }
        auto const a = formula_at(text_, values);
        auto const b = formula_at(other, {});
        if (!a || !b) return std::nullopt;
        if (*a == *b) return true;
        return a->is_numeric() && b->is_numeric() && are_equal(a->evaluate({}), b->evaluate({}));
    } catch (DomainError const&) {
        return false;  // a divisor is 0
    } catch (UnsupportedError const&) {
        return std::nullopt;
    }
}

}  // namespace isserlis::quantity
