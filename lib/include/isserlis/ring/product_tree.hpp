// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace isserlis {

/// factors[0] * factors[1] * ..., multiplied as a balanced tree: the operands of each product have about equal size, so
/// that the cost is quasi-linear in the size of the answer. An empty product is T(1).
/// The order is kept, for products that do not commute.
template <class T>
[[nodiscard]] T product_tree(std::span<T const> factors) {
    if (factors.empty()) return T(1);
    if (factors.size() == 1) return factors[0];
    std::size_t const half = factors.size() / 2;
    return product_tree<T>(factors.first(half)) * product_tree<T>(factors.subspan(half));
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

}  // namespace isserlis
