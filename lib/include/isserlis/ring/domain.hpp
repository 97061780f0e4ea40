// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/scaled_double.hpp>

#include <cstdint>
#include <vector>

namespace isserlis {

/// base^exponent, one factor of a denominator that a recursion knows in advance.
template <class E>
struct DenominatorPower {
    E base;
    std::uint64_t exponent;
};

/// Where recursions over the field R run without dividing: elements of R are numerator / denominator over `Element`,
/// and `finish` divides once, at the end, by powers that are known.
/// `tree` says whether products of many steps should be balanced: then operands stay of equal size, which turns a
/// quadratic product of integers into a quasi-linear one. Polynomials and floats gain nothing by it.
template <class R>
struct Domain;

template <>
struct Domain<Rational> {
    using Element = Integer;
    static constexpr bool tree = true;
    static Integer numerator(Rational const& x) { return numerator_of(x); }
    static Integer denominator(Rational const& x) { return denominator_of(x); }
    /// Cancels small known primes by valuation instead of taking a gcd of huge numbers.
    static Rational finish(Integer numerator, std::vector<DenominatorPower<Integer>> const& denominator);
};

template <>
struct Domain<RationalFunction> {
    using Element = Polynomial;
    static constexpr bool tree = false;
    static Polynomial numerator(RationalFunction const& x) { return x.as_fraction().first; }
    static Polynomial denominator(RationalFunction const& x) { return x.as_fraction().second; }
    static RationalFunction finish(Polynomial const& numerator,
                                   std::vector<DenominatorPower<Polynomial>> const& denominator);
};

template <>
struct Domain<double> {
    using Element = ScaledDouble;
    static constexpr bool tree = false;
    static ScaledDouble numerator(double x) { return ScaledDouble(x); }
    static ScaledDouble denominator(double) { return ScaledDouble(1); }
    static double finish(ScaledDouble const& numerator, std::vector<DenominatorPower<ScaledDouble>> const& denominator);
};

}  // namespace isserlis
