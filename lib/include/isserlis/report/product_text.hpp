// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational_function.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace isserlis {

/// A form with products over l, such as "(n^2)*Product(1 + 1/l, (l, 1, L))", taken apart.
struct ProductText {
    struct Product {
        std::string term;
        std::string from;
        std::string to;
    };
    std::string outside;  ///< with Product1, Product2, .. in the places of the products
    std::vector<Product> products;

    /// All symbols but l and those names.
    [[nodiscard]] std::set<std::string> symbols() const;
};

/// Nothing for other forms.
[[nodiscard]] std::optional<ProductText> read_products(std::string const& form);

/// The value of a formula, or of a form with products, under these values; other symbols stay. None for other texts.
/// Errors  those of `evaluate`.
[[nodiscard]] std::optional<RationalFunction> formula_at(std::string const& text,
                                                         std::map<std::string, Rational> const& values);

}  // namespace isserlis
