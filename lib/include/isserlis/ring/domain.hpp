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

/// numerator over a product of powers, with what they share cancelled as far as the domain can.
template <class E>
struct KnownFraction {
    E numerator;
    std::vector<DenominatorPower<E>> denominator;
};

/// Where recursions over the field R run without dividing: elements of R are numerator / denominator over `Element`,
/// and `finish` divides once, at the end, by powers that are known.
///
/// `reduced(n, d)` cancels what n and the powers d share; `finish(f, n, d)` is f n / d in R.
/// `tree` says whether products of many steps should be balanced: then operands stay of equal size, which turns a
/// quadratic product of integers into a quasi-linear one. Polynomials and floats gain nothing by it.
template <class R>
struct Domain;

template <>
struct Domain<Rational> {
    using Element = Integer;
    using Powers = std::vector<DenominatorPower<Integer>>;
    static constexpr bool tree = true;
    static Integer numerator(Rational const& x) { return numerator_of(x); }
    static Integer denominator(Rational const& x) { return denominator_of(x); }
    /// Cancels small known primes by valuation instead of taking a gcd of huge numbers.
    /// Errors  DomainError when the base of a power is not positive.
    static KnownFraction<Integer> reduced(Integer numerator, Powers const& denominator);
    static Rational finish(KnownFraction<Integer> const& common, Integer numerator, Powers const& denominator);
    static Rational finish(Integer const& numerator, Powers const& denominator) {
        return finish(reduced(numerator, denominator), Integer(1), {});
    }
};

template <>
struct Domain<RationalFunction> {
    using Element = Polynomial;
    using Powers = std::vector<DenominatorPower<Polynomial>>;
    static constexpr bool tree = false;
    static Polynomial numerator(RationalFunction const& x) { return x.as_fraction().first; }
    static Polynomial denominator(RationalFunction const& x) { return x.as_fraction().second; }
    static KnownFraction<Polynomial> reduced(Polynomial const& numerator, Powers const& denominator) {
        return {.numerator = numerator, .denominator = denominator};
    }
    static RationalFunction finish(KnownFraction<Polynomial> const& common, Polynomial const& numerator,
                                   Powers const& denominator);
    static RationalFunction finish(Polynomial const& numerator, Powers const& denominator) {
        return finish(reduced(numerator, denominator), Polynomial(1), {});
    }
};

template <>
struct Domain<double> {
    using Element = ScaledDouble;
    using Powers = std::vector<DenominatorPower<ScaledDouble>>;
    static constexpr bool tree = false;
    static ScaledDouble numerator(double x) { return ScaledDouble(x); }
    static ScaledDouble denominator(double) { return ScaledDouble(1); }
    static KnownFraction<ScaledDouble> reduced(ScaledDouble numerator, Powers const& denominator) {
        return {.numerator = numerator, .denominator = denominator};
    }
    static double finish(KnownFraction<ScaledDouble> const& common, ScaledDouble numerator, Powers const& denominator);
    static double finish(ScaledDouble const& numerator, Powers const& denominator) {
        return finish(reduced(numerator, denominator), ScaledDouble(1), {});
    }
};

}  // namespace isserlis
