// SPDX-License-Identifier: MIT
#include "range/printed_formula.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/report/product_text.hpp>
#include <isserlis/ring/surd.hpp>
#include <utility>

namespace isserlis::quantity {
namespace {

/// None for words, products over l, and what takes a formula to be worked out, such as symbols without values and roots
/// in roots.
std::optional<Surd> number_of(Expression const& formula, std::map<std::string, Rational> const& values) {
    try {
        return evaluate<Surd>(formula, [&](std::string const& name) {
            auto const at = values.find(name);
            if (at == values.end()) throw UnsupportedError("the symbol '" + name + "' has no value");
            return Surd(at->second);
        });
    } catch (UnsupportedError const&) {
        return std::nullopt;
    }
}

std::optional<Expression> read(std::string const& text) {
    if (read_products(text)) return std::nullopt;
    try {
        return Expression::parse(text, "value");
    } catch (ParseError const&) {
        return std::nullopt;  // words
    }
}

constexpr std::size_t long_formula = 4000;  ///< characters from which on sums of terms with symbols take too long

/// Numbers for the symbols that have none, at which no polynomial is 0 by chance: one of degree d is 0 at d of all numbers.
std::map<std::string, Rational> at_a_point(Expression const& formula, std::map<std::string, Rational> values) {
    constexpr int first = 1'000'003;
    constexpr int step = 10'007;
    constexpr int below = 997;
    int numerator = first;
    for (auto const& symbol : formula.symbols())
        if (values.emplace(symbol, ratio(numerator, below)).second) numerator += step;
    return values;
}

/// A root of a number too large to be factored has several forms; its square has one.
bool are_equal(Surd const& x, Surd const& y) { return x == y || (sign(x) == sign(y) && x * x == y * y); }

}  // namespace

PrintedFormula::PrintedFormula(std::string text) : text_(std::move(text)), read_(read(text_)) {}

std::optional<bool> PrintedFormula::agrees(std::map<std::string, Rational> const& values,
                                           std::string const& other) const {
    try {
        // Numbers are put together in far less time than formulas, of which every sum is brought into lowest terms.
        auto const number = read(other);
        auto const x = read_ && number ? number_of(*read_, values) : std::nullopt;
        auto const y = x ? number_of(*number, {}) : std::nullopt;
        if (x && y) return are_equal(*x, *y);
        if (read_ && number && std::max(text_.size(), other.size()) > long_formula) {
            auto const point = at_a_point(*read_, values);
            auto const u = number_of(*read_, point);
            auto const v = u ? number_of(*number, point) : std::nullopt;
            if (u && v) return are_equal(*u, *v);
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
