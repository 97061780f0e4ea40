// SPDX-License-Identifier: MIT
#include "range/printed_formula.hpp"

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
