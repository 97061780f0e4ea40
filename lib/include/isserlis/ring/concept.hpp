// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

namespace isserlis {

/// Commutative ring with one: all that an exact recursion asks of its number type.
/// Operators may return expression templates, hence `convertible_to`, not `same_as`.
template <class R>
concept Ring = std::regular<R> && std::constructible_from<R, int> && requires(R const& a, R const& b) {
    { a + b } -> std::convertible_to<R>;
    { a - b } -> std::convertible_to<R>;
    { a* b } -> std::convertible_to<R>;
};

/// A ring with division by non-zero elements: what a published closed form such as 1 + 5/n asks.
template <class R>
concept Field = Ring<R> && requires(R const& a, R const& b) {
    { a / b } -> std::convertible_to<R>;
};

}  // namespace isserlis
