// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/composed.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/surd.hpp>

#include <functional>
#include <span>
#include <vector>

namespace isserlis {

/// factors[0] * factors[1] * ..., multiplied as a balanced tree: the operands of each product have about equal size, so
/// that the cost is quasi-linear in the size of the answer. An empty product is T(1).
/// The order is kept, for products that do not commute.
template <class T>
[[nodiscard]] T product_tree(std::span<T const> factors) {
    if (factors.empty()) return T(1);
    return composed(factors, std::identity{}, [](T const& after, T const& before) { return T(before * after); });
}

/// Machine words first, trees above.
template <>
[[nodiscard]] Integer product_tree<Integer>(std::span<Integer const> factors);

/// Numerators and denominators apart, one gcd at the end.
template <>
[[nodiscard]] Rational product_tree<Rational>(std::span<Rational const> factors);

/// Rational parts as above; the radicands cancel as they come.
template <>
[[nodiscard]] Surd product_tree<Surd>(std::span<Surd const> factors);

template <class T>
[[nodiscard]] T product_tree(std::vector<T> const& factors) {
    return product_tree<T>(std::span<T const>(factors));
}

template <class R>
[[nodiscard]] Fraction<R> product_tree(std::vector<Fraction<R>> const& factors) {
    Fraction<R> out;
    std::vector<typename Fractions<R>::Element> numerators;
    numerators.reserve(factors.size());
    for (auto const& f : factors) {
        numerators.push_back(f.numerator);
        out.denominator.multiply(f.denominator);
    }
    out.numerator = product_tree(numerators);
    return out;
}

}  // namespace isserlis
