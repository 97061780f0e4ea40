// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational_function.hpp>

#include <set>
#include <string>
#include <vector>

// What the parts of RationalFunction share: products of powers, and the generators over which FLINT adds them up.
namespace isserlis::detail {

using Base = RationalFunction::Base;
using Factor = RationalFunction::Factor;
using Term = RationalFunction::Term;
using Kind = Base::Kind;

/// Monomials up to which a sum is merged without being asked.
inline constexpr std::size_t merge_below = 12;

// ---- terms: formula_terms.cpp

/// A total order: integers, symbols, polynomials.
[[nodiscard]] int compare(Base const& a, Base const& b);
[[nodiscard]] Base symbol_base(std::string name);
[[nodiscard]] Base integer_base(Integer value);
[[nodiscard]] Base polynomial_base(Polynomial value);
/// term *= base^exponent, settled: whole powers of integers go into the coefficient, exponents 0 vanish.
void multiply_into(Term& term, Base const& base, Exponent const& exponent);
[[nodiscard]] Term multiply(Term const& a, Term const& b);
[[nodiscard]] bool same_factors(Term const& a, Term const& b);
/// term *= n^exponent by the primes of n; a number of more than a hundred bits counts as a prime.
void multiply_by_integer_power(Term& term, Integer n, Exponent const& exponent);
/// term *= value: content and monomial factors apart, the rest factored if it is small.
void multiply_by_polynomial(Term& term, Polynomial const& value);
/// Adds up the terms with equal factors and drops zeros.
void merge_equal_products(std::vector<Term>& terms);

// ---- generators: formula_generators.cpp

/// The variable that stands for base^unit, a symbol, a root, or a power with a symbolic exponent such as (n + 5)^L.
[[nodiscard]] Polynomial generator(Base const& base, Exponent const& unit);
/// What a variable stands for.
[[nodiscard]] Factor meaning(std::string const& name);
/// Rewrites what a polynomial says in roots: sqrt(2)^2 is 2, sqrt(n + 5)^2 is n + 5, sqrt(n) with even powers only is
/// n.
[[nodiscard]] Polynomial reduced(Polynomial const& p);
/// Symbols under a root in one term have to be roots in all of them.
[[nodiscard]] Polynomial in_roots(Polynomial const& p, std::set<std::string> const& roots);

// ---- text: formula_text.cpp

/// base^exponent; the exponent is not 0.
[[nodiscard]] std::string factor_text(Base const& base, Exponent const& exponent);

}  // namespace isserlis::detail
