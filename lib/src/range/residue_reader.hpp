// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "range/fraction_reader.hpp"
#include "ring/word_modulus.hpp"

namespace isserlis::quantity {

/// re + im i over the integers modulo p = 2^61 - 1, of which -1 is no square: a field in which each whole number has a
/// root.
struct Residue {
    WordModulus::Number re = 0;
    WordModulus::Number im = 0;

    [[nodiscard]] bool is_zero() const { return re == 0 && im == 0; }
    friend bool operator==(Residue const&, Residue const&) = default;
};

/// Reads fractions and roots of fractions as residues, in words where exact numbers of a long formula have thousands of
/// digits.
///
/// What one reader reads is mapped by one homomorphism: roots of a few radicands, of which no product is a square, are
/// chosen, and those of the rest follow from them. So equal numbers have equal residues, and different ones different
/// residues but for a chance of about 2^-61; that two radicands of one residue are equal is as sure.
class ResidueReader {
public:
    using Values = std::map<std::string, Rational>;

    /// The values, and what is read, outlive it.
    explicit ResidueReader(Values const& values) : values_(values), fractions_(values) {}

    /// None for words, exp, symbols without values, roots in roots, roots of more radicands than a few, and multiples of
    /// p, which are not told from 0.
    /// Errors  DomainError for division by 0 and the root of a negative number.
    [[nodiscard]] std::optional<Residue> value(Expression const& e);

private:
    [[nodiscard]] static std::optional<Residue> of(Rational const& x);
    [[nodiscard]] std::optional<Residue> sum(Expression const& e);
    [[nodiscard]] std::optional<Residue> product(Expression const& e);
    [[nodiscard]] std::optional<Residue> kept(Expression const& symbol, Rational const& exponent);
    [[nodiscard]] std::optional<Residue> power_of(Expression const& radix, std::optional<Rational> const& exponent);
    [[nodiscard]] std::optional<Residue> root(Expression const& radicand);
    [[nodiscard]] std::optional<Residue> root_of(Integer const& x);

    Values const& values_;
    FractionReader fractions_;
    std::map<std::pair<std::string_view, Rational>, std::optional<Residue>> powers_;  ///< of symbols
    std::map<WordModulus::Number, std::optional<Residue>> roots_;  ///< by the residues of their radicands
    std::vector<std::pair<Integer, Residue>> chosen_;              ///< radicands and their roots
};

}  // namespace isserlis::quantity
