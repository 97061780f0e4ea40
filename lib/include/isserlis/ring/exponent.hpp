// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// An exponent or a number of layers: a rational constant plus rational multiples of symbols, such as L - 1 or 1/2.
class Exponent {
public:
    using Part = std::pair<std::string, Rational>;

    Exponent() = default;
    Exponent(int value) : constant_(value) {}  // NOLINT(google-explicit-constructor): numbers are exponents
    Exponent(Rational value) : constant_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
    /// Errors  ParseError for what is no identifier.
    static Exponent symbol(std::string name);

    [[nodiscard]] Rational const& constant() const { return constant_; }
    [[nodiscard]] std::vector<Part> const& symbols() const { return symbols_; }  ///< sorted by name, none 0
    [[nodiscard]] bool is_constant() const { return symbols_.empty(); }
    [[nodiscard]] bool is_zero() const { return symbols_.empty() && constant_.is_zero(); }
    /// The sign of the first symbol's coefficient, or of the constant when there is no symbol.
    [[nodiscard]] int leading_sign() const;

    friend Exponent operator+(Exponent const& a, Exponent const& b);
    friend Exponent operator-(Exponent const& a, Exponent const& b);
    /// Errors  UnsupportedError when both have symbols: the product is no longer linear.
    friend Exponent operator*(Exponent const& a, Exponent const& b);
    friend bool operator==(Exponent const& a, Exponent const& b) = default;

private:
    Rational constant_ = 0;
    std::vector<Part> symbols_;
};

/// Symbols are told apart by their text: "sqrt(2)" or "1 + x" for one would be mistaken for a formula.
/// Errors  ParseError unless the text is [A-Za-z_][A-Za-z0-9_]*.
void require_symbol_name(std::string const& text);

/// "L - 1", "3/2", "2*L".
[[nodiscard]] std::string to_string(Exponent const& e);

}  // namespace isserlis
