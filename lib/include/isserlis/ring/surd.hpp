// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace isserlis {

/// Exact sum of rational multiples of square roots: q_1 sqrt(r_1) + ... + q_k sqrt(r_k).
///
/// The radicands are positive integers no two of which multiply to a perfect square, hence linearly independent over
/// the rationals: the sum is 0 only when it has no terms, and equality is exact. Radicands below 2^64 are square-free.
class Surd {
public:
    struct Term {
        Integer radicand;      ///< 1 for the rational part, which comes first
        Rational coefficient;  ///< never 0
        friend bool operator==(Term const&, Term const&) = default;
    };

    Surd();
    Surd(Surd const&);
    Surd(Surd&&) noexcept;
    Surd& operator=(Surd const&);
    Surd& operator=(Surd&&) noexcept;
    ~Surd();
    Surd(int value) : Surd(Rational(value)) {}  // NOLINT(google-explicit-constructor): a ring embeds the integers
    Surd(Integer const& value) : Surd(Rational(value)) {}  // NOLINT(google-explicit-constructor)
    Surd(Rational const& value);                           // NOLINT(google-explicit-constructor)

    [[nodiscard]] std::vector<Term> const& terms() const { return terms_; }
    [[nodiscard]] bool is_zero() const { return terms_.empty(); }
    [[nodiscard]] bool is_rational() const;
    [[nodiscard]] bool is_integer() const;
    /// Errors  UnsupportedError when a root is left.
    [[nodiscard]] Rational to_rational() const;

    friend Surd operator+(Surd const& a, Surd const& b);
    friend Surd operator-(Surd const& a, Surd const& b);
    /// Errors  UnsupportedError when there are more than 200,000 pairs of roots.
    friend Surd operator*(Surd const& a, Surd const& b);
    /// Rationalises the denominator by its conjugates.
    /// Errors  DomainError for division by 0; UnsupportedError when the denominator has more than 5 independent roots.
    friend Surd operator/(Surd const& a, Surd const& b);
    friend Surd operator-(Surd const& a);
    /// Exact, also between radicands too large to be factored.
    friend bool operator==(Surd const& a, Surd const& b);
    friend bool operator==(Surd const& a, int b);

    /// The term q sqrt(r) of any positive r; takes out what square factors it can find.
    static Surd monomial(Rational const& coefficient, Integer const& radicand);

private:
    void add_term(Integer const& radicand, Rational const& coefficient);
    std::vector<Term> terms_;  // by increasing radicand
};

/// The square root of a non-negative rational.
/// Errors  DomainError below 0.
[[nodiscard]] Surd sqrt(Rational const& x);
/// Errors  DomainError below 0; UnsupportedError when x is itself a sum with roots (a nested root).
[[nodiscard]] Surd sqrt(Surd const& x);
[[nodiscard]] Surd power(Surd const& base, std::uint64_t exponent);
/// -1, 0 or 1, certified.
[[nodiscard]] int sign(Surd const& x);
/// SymPy and PARI/GP text, e.g. "216*sqrt(10)/125 + 864/25".
[[nodiscard]] std::string to_string(Surd const& x);

}  // namespace isserlis
