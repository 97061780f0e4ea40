// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/domain.hpp>
#include <isserlis/ring/numerators.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace isserlis {

/// Numbers that are carried as they are: surds, and formulas with roots of symbols.
template <class R>
struct PlainCarrier {
    using Value = R;
    using Element = R;
    struct Denominators {};
    static auto over_common(std::vector<R> const& values) { return PlainNumerators<R>::over_common(values); }
    static void divide(Denominators&, Element const&, std::uint64_t) {}
    static void add_product(Element& sum, Element const& a, Element const& b) { sum = sum + a * b; }
    static R finish(Element const& numerator, Denominators const&) { return numerator; }
};

/// How the recursion keeps its numbers: numerators over denominators that every step makes known. Values of R come in,
/// one value of R goes out.
template <class R>
struct Carrier : PlainCarrier<R> {};

namespace carrier_detail {

template <class R>
struct WithDenominators {
    using Value = R;
    using Element = typename Domain<R>::Element;
    using Denominators = typename Domain<R>::Powers;
    static void divide(Denominators& all, Element const& by, std::uint64_t times) {
        if (by == Element(1)) return;
        for (auto& [base, exponent] : all) {
            if (base == by) {
                exponent += times;
                return;
            }
        }
        all.push_back({.base = by, .exponent = times});
    }
    static R finish(Element const& numerator, Denominators const& denominators) {
        return Domain<R>::finish(numerator, denominators);
    }
};

}  // namespace carrier_detail

template <>
struct Carrier<Rational> : carrier_detail::WithDenominators<Rational> {
    static auto over_common(std::vector<Rational> const& values) { return Numerators<Rational>::over_common(values); }
    static void add_product(Integer& sum, Integer const& a, Integer const& b) {
        mpz_addmul(sum.backend().data(), a.backend().data(), b.backend().data());
    }
};

template <>
struct Carrier<RationalFunction> : carrier_detail::WithDenominators<RationalFunction> {
    static auto over_common(std::vector<RationalFunction> const& values) {
        return Numerators<RationalFunction>::over_common(values);
    }
    static void add_product(Polynomial& sum, Polynomial const& a, Polynomial const& b) { sum = sum + a * b; }
};

template <>
struct Carrier<double> : carrier_detail::WithDenominators<double> {
    static std::pair<std::vector<ScaledDouble>, ScaledDouble> over_common(std::vector<double> const& values) {
        std::vector<ScaledDouble> out;
        for (double const x : values) out.emplace_back(x);
        return {out, ScaledDouble(1)};
    }
    static void add_product(ScaledDouble& sum, ScaledDouble const& a, ScaledDouble const& b) { sum = sum + a * b; }
};

}  // namespace isserlis
