// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/asymptotics.hpp>
#include <isserlis/ring/exp_polynomial.hpp>

#include <string>
#include <vector>

namespace isserlis {

/// A quotient of formulas in a depth, such as a variance over a squared mean.
///
/// A denominator of one summand is divided out, so that it is 1; one with several, (n + 5)^L + (n - 1)^L, stays.
/// Powers are brought to one base for each symbol of their exponents, so that equal ones cancel.
class ExpQuotient {
public:
    ExpQuotient() : ExpQuotient(ExpPolynomial()) {}
    explicit ExpQuotient(Integer const& value) : ExpQuotient(ExpPolynomial(RationalFunction(value))) {}
    explicit ExpQuotient(ExpPolynomial const& numerator);

    [[nodiscard]] ExpPolynomial const& numerator() const { return numerator_; }
    [[nodiscard]] ExpPolynomial const& denominator() const { return denominator_; }
    /// Is the denominator 1?
    [[nodiscard]] bool is_polynomial() const;
    /// The same, above and below divided by the powers of the first summand below, so that neither grows as a power of
    /// a width with the depth in its exponent if the quotient does not.
    [[nodiscard]] ExpQuotient reduced() const;

    /// The sum of many: over one denominator at once.
    [[nodiscard]] static ExpQuotient sum(std::vector<ExpQuotient> const& parts);

    friend ExpQuotient operator+(ExpQuotient const& a, ExpQuotient const& b);
    friend ExpQuotient operator-(ExpQuotient const& a, ExpQuotient const& b);
    friend ExpQuotient operator*(ExpQuotient const& a, ExpQuotient const& b);
    /// Errors  DomainError for division by 0.
    friend ExpQuotient operator/(ExpQuotient const& a, ExpQuotient const& b);
    friend bool operator==(ExpQuotient const& a, ExpQuotient const& b);

private:
    ExpQuotient(ExpPolynomial const& numerator, ExpPolynomial const& denominator);

    ExpPolynomial numerator_;
    ExpPolynomial denominator_;
};

/// SymPy text.
[[nodiscard]] std::string to_string(ExpQuotient const& x);

/// As of an ExpPolynomial.
[[nodiscard]] PowerSeries series_at_infinity(ExpQuotient const& x, std::string const& n, std::size_t order);
[[nodiscard]] LeadingTerm leading_term(ExpQuotient const& x, std::string const& n, std::string const& depth);

}  // namespace isserlis
