// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/domain.hpp>
#include <isserlis/ring/product_tree.hpp>
#include <isserlis/ring/surd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

/// Numbers carried as they are, for recursions that know their denominators where there are any: surds, and formulas
/// with roots of symbols.
template <class R>
struct PlainNumerators {
    using Value = R;
    using Element = R;
    static constexpr bool tree = std::is_same_v<R, Surd>;  ///< numbers grow with the number of steps
    struct Denominator {
        void multiply(Element const&, std::uint64_t) {}
        void multiply(Denominator const&) {}
    };
    /// The values over one denominator.
    static std::pair<std::vector<Element>, Element> over_common(std::vector<R> const& values) {
        return {values, Element(1)};
    }
    static R divided(Element const& numerator, Denominator const&) { return numerator; }
    static Element expanded(Denominator const&) { return Element(1); }
};

/// How a recursion over R carries its numbers: numerators over denominators that every step makes known, so that one
/// division at the end is all.
template <class R>
struct Numerators : PlainNumerators<R> {};

namespace detail {

/// A product of known powers.
template <class E>
class KnownDenominator {
public:
    void multiply(E const& base, std::uint64_t times) {
        if (base == E(1) || times == 0) return;
        for (std::size_t i = powers_.size(); i-- > 0 && powers_.size() - i <= remembered;) {
            if (powers_[i].base == base) {
                powers_[i].exponent += times;
                return;
            }
        }
        powers_.push_back({.base = base, .exponent = times});
    }
    void multiply(KnownDenominator const& other) {
        for (auto const& [base, exponent] : other.powers_) multiply(base, exponent);
    }
    [[nodiscard]] std::vector<DenominatorPower<E>> const& powers() const { return powers_; }

private:
    static constexpr std::size_t remembered = 16;  ///< how many recent bases are compared
    std::vector<DenominatorPower<E>> powers_;
};

template <class E>
E expanded(KnownDenominator<E> const& denominator) {
    std::vector<E> factors;
    for (auto const& [base, exponent] : denominator.powers()) factors.push_back(power(base, exponent));
    return product_tree(factors);
}

}  // namespace detail

template <>
struct Numerators<Rational> {
    using Value = Rational;
    using Element = Integer;
    using Denominator = detail::KnownDenominator<Integer>;
    static constexpr bool tree = true;
    static std::pair<std::vector<Integer>, Integer> over_common(std::vector<Rational> const& values) {
        // By GMP's own functions: most denominators divide one another, and this is the inner loop of small queries.
        Integer common = 1;
        mpz_ptr const c = common.backend().data();
        for (auto const& x : values) {
            mpz_srcptr const d = mpq_denref(x.backend().data());
            if (mpz_divisible_p(c, d) == 0) mpz_lcm(c, c, d);
        }
        std::vector<Integer> out(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            mpz_ptr const n = out[i].backend().data();
            mpz_divexact(n, c, mpq_denref(values[i].backend().data()));
            mpz_mul(n, n, mpq_numref(values[i].backend().data()));
        }
        return {std::move(out), std::move(common)};
    }
    static Integer expanded(Denominator const& denominator) { return detail::expanded(denominator); }
    /// A few bases are cancelled prime by prime; one gcd is cheaper than many bases.
    static Rational divided(Integer const& numerator, Denominator const& denominator) {
        constexpr std::size_t few = 8;
        if (denominator.powers().size() <= few) return Domain<Rational>::finish(numerator, denominator.powers());
        return ratio(numerator, expanded(denominator));
    }
};

template <>
struct Numerators<RationalFunction> {
    using Value = RationalFunction;
    using Element = Polynomial;
    using Denominator = detail::KnownDenominator<Polynomial>;
    static constexpr bool tree = false;
    static std::pair<std::vector<Polynomial>, Polynomial> over_common(std::vector<RationalFunction> const& values) {
        Polynomial common(1);
        std::vector<std::pair<Polynomial, Polynomial>> fractions;
        for (auto const& x : values) {
            fractions.push_back(x.merged().as_fraction());
            Polynomial const& d = fractions.back().second;
            if (!divide_exactly(common, d)) common = common * *divide_exactly(d, gcd(common, d));
        }
        std::vector<Polynomial> out;
        for (auto const& [n, d] : fractions) out.push_back(n * *divide_exactly(common, d));
        return {out, common};
    }
    static Polynomial expanded(Denominator const& denominator) { return detail::expanded(denominator); }
    static RationalFunction divided(Polynomial const& numerator, Denominator const& denominator) {
        return Domain<RationalFunction>::finish(numerator, denominator.powers());
    }
};

}  // namespace isserlis
