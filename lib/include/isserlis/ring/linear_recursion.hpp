// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/composed.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
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

/// All of a step, which may be taken no time at all.
template <class E, class Times = std::multiplies<>>
Matrix2<E> whole_step(LinearStep<E> const& step, Times const& times = {}) {
    if (step.count == 0) return {.a = E(1), .b = E(0), .c = E(0), .d = E(1)};
    return composed(step.matrix, step.count, times);
}

/// Last step times ... times first step.
template <class E>
Matrix2<E> whole_product(std::span<LinearStep<E> const> steps) {
    return composed(steps, [](LinearStep<E> const& step) { return whole_step(step); });
}

/// The same over the integers: the lower levels of the tree in machine words.
template <>
Matrix2<Integer> whole_product<Integer>(std::span<LinearStep<Integer> const> steps);

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
        Matrix2<E> const whole = detail::whole_product(std::span<LinearStep<E> const>(steps));
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

/// A linear recursion of two numbers of R, as numerators over denominators that its steps make known.
template <class R, class Count = std::uint64_t>
class LinearRecursion {
public:
    using E = typename Fractions<R>::Element;

    /// Rows of numerators over one denominator.
    void add(Matrix2<E> numerators, E const& denominator, std::uint64_t count) {
        denominator_.multiply(denominator, count);
        steps_.push_back({.matrix = std::move(numerators), .count = count});
    }
    void add(Matrix2<R> const& m, std::uint64_t count) {
        auto [n, denominator] = Fractions<R>::over_common({m.a, m.b, m.c, m.d});
        add({.a = std::move(n[0]), .b = std::move(n[1]), .c = std::move(n[2]), .d = std::move(n[3])}, denominator,
            count);
    }
    [[nodiscard]] typename Fractions<R>::Denominator const& denominator() const { return denominator_; }
    /// What the pairs become.
    template <std::size_t N>
    [[nodiscard]] std::array<Vector2<Fraction<R>>, N> after(std::array<Vector2<R>, N> const& starts) const {
        std::array<Vector2<E>, N> state;
        std::array<E, N> common;
        for (std::size_t i = 0; i < N; ++i) {
            auto over = Fractions<R>::over_common({starts[i].first, starts[i].second});
            state[i] = {.first = std::move(over.first[0]), .second = std::move(over.first[1])};
            common[i] = std::move(over.second);
        }
        apply(steps_, std::span<Vector2<E>>(state), Fractions<R>::tree);
        std::array<Vector2<Fraction<R>>, N> out;
        for (std::size_t i = 0; i < N; ++i) {
            auto denominator = denominator_;
            denominator.multiply(common[i], 1);
            out[i] = {.first = Fraction<R>(std::move(state[i].first), denominator),
                      .second = Fraction<R>(std::move(state[i].second), denominator)};
        }
        return out;
    }

private:
    std::vector<LinearStep<E>> steps_;
    typename Fractions<R>::Denominator denominator_;
};

/// The same where a step may be taken a number of times that has symbols, at least once.
///
/// Method  m^K = (l^K (m - l') - l'^K (m - l))/(l - l') at the roots l, l' of the characteristic polynomial, so that a
///         formula gets sqrt(trace^2 - 4 det).
template <>
class LinearRecursion<RationalFunction, Exponent> {
public:
    void add(Matrix2<RationalFunction> m, Exponent count) { steps_.emplace_back(std::move(m), std::move(count)); }
    template <std::size_t N>
    [[nodiscard]] std::array<Vector2<RationalFunction>, N> after(
        std::array<Vector2<RationalFunction>, N> vectors) const {
        for (auto& v : vectors) v = carried(0, v);
        return vectors;
    }

private:
    [[nodiscard]] Vector2<RationalFunction> carried(std::size_t from, Vector2<RationalFunction> const& v) const;
    std::vector<std::pair<Matrix2<RationalFunction>, Exponent>> steps_;
};

}  // namespace isserlis
