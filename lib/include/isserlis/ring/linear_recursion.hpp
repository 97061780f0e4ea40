// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isserlis {

template <class E>
struct Vector2 {
    E first;
    E second;
};

/// Rows (a b; c d).
template <class E>
struct Matrix2 {
    E a;
    E b;
    E c;
    E d;

    friend Matrix2 operator*(Matrix2 const& x, Matrix2 const& y) {
        return {.a = x.a * y.a + x.b * y.c,
                .b = x.a * y.b + x.b * y.d,
                .c = x.c * y.a + x.d * y.c,
                .d = x.c * y.b + x.d * y.d};
    }
    friend Vector2<E> operator*(Matrix2 const& m, Vector2<E> const& v) {
        return {.first = m.a * v.first + m.b * v.second, .second = m.c * v.first + m.d * v.second};
    }
};

/// The same step taken `count` times.
template <class E>
struct LinearStep {
    Matrix2<E> matrix;
    std::uint64_t count = 1;
};

namespace detail {

template <class E>
Matrix2<E> matrix_power(Matrix2<E> base, std::uint64_t exponent) {
    Matrix2<E> out{.a = E(1), .b = E(0), .c = E(0), .d = E(1)};
    for (;; exponent /= 2) {
        if (exponent % 2 == 1) out = base * out;
        if (exponent < 2) return out;
        base = base * base;
    }
}

/// Last step times ... times first step.
template <class E>
Matrix2<E> composed(std::span<LinearStep<E> const> steps) {
    if (steps.size() == 1) {
        return steps[0].count == 1 ? steps[0].matrix : matrix_power(steps[0].matrix, steps[0].count);
    }
    std::size_t const half = steps.size() / 2;
    return composed(steps.subspan(half)) * composed(steps.first(half));
}

/// The same over the integers: the lower levels of the tree in machine words.
template <>
Matrix2<Integer> composed<Integer>(std::span<LinearStep<Integer> const> steps);

}  // namespace detail

/// Applies the steps, the first one first, to every vector in place.
///
/// `tree` composes them as a balanced product (for integers, whose size grows with the number of steps); otherwise
/// the vectors are carried from step to step.
template <class E>
void apply(std::vector<LinearStep<E>> const& steps, std::span<Vector2<E>> vectors, bool tree) {
    if (steps.empty()) return;
    bool const few =
        steps.size() <= 8 && std::all_of(steps.begin(), steps.end(), [](auto const& s) { return s.count <= 8; });
    if (tree && !few) {
        Matrix2<E> const whole = detail::composed(std::span<LinearStep<E> const>(steps));
        for (auto& v : vectors) v = whole * v;
        return;
    }
    for (auto const& [matrix, count] : steps) {
        for (std::uint64_t i = 0; i < count; ++i) {
            for (auto& v : vectors) v = matrix * v;
        }
    }
}

/// The same over polynomials, in place.
template <>
void apply<Polynomial>(std::vector<LinearStep<Polynomial>> const& steps, std::span<Vector2<Polynomial>> vectors,
                       bool tree);

}  // namespace isserlis
