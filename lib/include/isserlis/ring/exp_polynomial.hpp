// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// A formula in a depth: a sum of coefficient * base_1^exponent_1 * .., the exponents linear in symbols such as L, the
/// coefficients formulas that may be polynomial in them.
class ExpPolynomial {
public:
    using Power = std::pair<RationalFunction, Exponent>;
    struct Term {
        std::vector<Power> powers;  ///< bases differ from 1; none for what does not grow
        RationalFunction coefficient;
    };

    ExpPolynomial() = default;
    ExpPolynomial(RationalFunction value) {  // NOLINT(google-explicit-constructor)
        add({.powers = {}, .coefficient = std::move(value)});
    }

    [[nodiscard]] std::vector<Term> const& terms() const { return terms_; }
    /// Terms of equal powers become one.
    void add(Term term);
    /// The sum of many: what stands before equal powers is merged once, not part by part.
    [[nodiscard]] static ExpPolynomial sum(std::vector<ExpPolynomial> const& parts);

    friend ExpPolynomial operator+(ExpPolynomial a, ExpPolynomial const& b) {
        for (auto const& t : b.terms_) a.add(t);
        return a;
    }
    friend ExpPolynomial operator*(ExpPolynomial const& a, RationalFunction const& factor);

    /// The same as one formula, each term in lowest terms.
    [[nodiscard]] RationalFunction formula() const;

private:
    std::vector<Term> terms_;
};

/// SymPy text, one summand for each eigenvalue: "(n + 5)^L*(..)/n^L + (n - 1)^L*(..) + ..".
[[nodiscard]] std::string to_string(ExpPolynomial const& x);

}  // namespace isserlis
