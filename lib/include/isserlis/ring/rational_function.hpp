// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// Exact formula in positive symbols: a sum of products of powers, kept in product form.
///
/// Each term is a rational times powers of primes, symbols and primitive polynomials; exponents are integers, halves,
/// or linear in symbols ((n + 5)^(L - 1)). Terms are merged into one fraction when the merged numerator is small;
/// otherwise the sum of products stays as it is, since prod (1 + 2/n_l) over fifty widths would be 2^50 monomials.
/// Laurent polynomials (of symbols or of their square roots) are the elements without a polynomial in a denominator.
/// Symbols stand for positive numbers, and so do polynomials under a root.
class RationalFunction {
public:
    /// What a power is taken of.
    struct Base {
        enum class Kind { integer, symbol, polynomial };
        Kind kind = Kind::integer;
        Integer number;         ///< a prime, or a number too large to be factored
        std::string symbol;     ///< a name
        Polynomial polynomial;  ///< primitive, positive leading coefficient, at least two monomials
    };
    struct Factor {
        Base base;
        Exponent exponent;
    };
    struct Term {
        Rational coefficient;
        std::vector<Factor> factors;  ///< sorted by base; no exponent is 0
    };

    // Defaulted in the source file: whoever passes formulas around does not compile the terms' copies again.
    RationalFunction();
    RationalFunction(RationalFunction const&);
    RationalFunction(RationalFunction&&) noexcept;
    RationalFunction& operator=(RationalFunction const&);
    RationalFunction& operator=(RationalFunction&&) noexcept;
    ~RationalFunction();
    RationalFunction(int value) : RationalFunction(Rational(value)) {}  // NOLINT(google-explicit-constructor)
    RationalFunction(Integer const& value)
        : RationalFunction(Rational(value)) {}  // NOLINT(google-explicit-constructor)
    RationalFunction(Rational const& value);    // NOLINT(google-explicit-constructor)
    RationalFunction(Surd const& value);        // NOLINT(google-explicit-constructor)
    /// The polynomial's variables are symbols.
    explicit RationalFunction(Polynomial const& value);
    explicit RationalFunction(Exponent const& value);
    /// Errors  ParseError for what is no identifier.
    static RationalFunction symbol(std::string const& name);
    /// The element with this one term, whose factors are sorted and settled already.
    static RationalFunction product(Term term);
    /// The sum of many, merged once; term by term takes the square of the time.
    static RationalFunction sum(std::vector<RationalFunction> const& parts);

    [[nodiscard]] std::vector<Term> const& terms() const { return terms_; }
    /// Exact; merges the terms if it must.
    [[nodiscard]] bool is_zero() const;
    /// Contains no symbol.
    [[nodiscard]] bool is_numeric() const;
    /// Has no polynomial in a denominator and no symbol in an exponent.
    [[nodiscard]] bool is_laurent() const;
    /// All names, sorted, those in exponents included.
    [[nodiscard]] std::vector<std::string> symbols() const;

    friend RationalFunction operator+(RationalFunction const& a, RationalFunction const& b);
    friend RationalFunction operator-(RationalFunction const& a, RationalFunction const& b);
    friend RationalFunction operator-(RationalFunction const& a);
    /// Errors  UnsupportedError when there are more than 200,000 pairs of terms.
    friend RationalFunction operator*(RationalFunction const& a, RationalFunction const& b);
    /// Errors  DomainError for division by 0; UnsupportedError when the divisor is too large to become one fraction.
    friend RationalFunction operator/(RationalFunction const& a, RationalFunction const& b);
    friend bool operator==(RationalFunction const& a, RationalFunction const& b);

    /// One fraction in lowest terms, numerator expanded.
    /// Errors  UnsupportedError past a million monomials.
    [[nodiscard]] RationalFunction merged() const;
    /// The same, or none where `merged` refuses.
    [[nodiscard]] std::optional<RationalFunction> try_merged() const;

    /// Value at positive numbers for every symbol.
    /// Errors  DomainError when one is missing or an exponent comes out
    /// neither whole nor half.
    [[nodiscard]] Surd evaluate(std::map<std::string, Rational> const& values) const;

    /// Numerator and denominator polynomials of a merged Laurent or rational value with whole exponents.
    /// Errors  UnsupportedError for roots and symbolic exponents.
    [[nodiscard]] std::pair<Polynomial, Polynomial> as_fraction() const;
    /// Would `as_fraction` of the merged formula answer?
    [[nodiscard]] bool is_fraction() const;

private:
    static RationalFunction collect(std::vector<Term> terms, std::size_t most_monomials);
    std::vector<Term> terms_;
};

[[nodiscard]] RationalFunction power(RationalFunction const& base, Exponent const& exponent);
[[nodiscard]] RationalFunction power(RationalFunction const& base, std::uint64_t exponent);
[[nodiscard]] RationalFunction sqrt(RationalFunction const& x);

/// The sign that x has at all positive values of its symbols, as far as the signs of its terms tell.
[[nodiscard]] std::optional<int> known_sign(RationalFunction const& x);

/// SymPy text; PARI/GP text too when the exponents are whole numbers. E.g. "(n + 5)^(L - 1)*n0/(4*n^L)".
[[nodiscard]] std::string to_string(RationalFunction const& x);

/// The value of the linear form a + b L + .. as an exponent.
/// Errors  UnsupportedError when x is not one.
[[nodiscard]] Exponent as_exponent(RationalFunction const& x);

}  // namespace isserlis
