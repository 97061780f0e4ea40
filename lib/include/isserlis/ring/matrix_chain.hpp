// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/add_product.hpp>
#include <isserlis/ring/composed.hpp>
#include <isserlis/ring/fractions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

/// A square matrix with many zeros, which cost nothing in products.
template <class E, std::size_t D>
struct Matrix {
    std::array<std::array<E, D>, D> rows;

    Matrix() {
        for (auto& row : rows) row.fill(E(0));
    }
    [[nodiscard]] std::array<E, D>& operator[](std::size_t i) { return rows[i]; }
    [[nodiscard]] std::array<E, D> const& operator[](std::size_t i) const { return rows[i]; }

    /// First y, then x.
    friend Matrix operator*(Matrix const& x, Matrix const& y) {
        E const zero(0);
        Matrix out;
        for (std::size_t k = 0; k < D; ++k) {
            for (std::size_t j = 0; j < D; ++j) {
                if (y.rows[k][j] == zero) continue;
                for (std::size_t i = 0; i < D; ++i) {
                    if (!(x.rows[i][k] == zero)) detail::add_product(out.rows[i][j], x.rows[i][k], y.rows[k][j]);
                }
            }
        }
        return out;
    }
    friend std::array<E, D> operator*(Matrix const& x, std::array<E, D> const& v) {
        E const zero(0);
        std::array<E, D> out;
        out.fill(zero);
        for (std::size_t i = 0; i < D; ++i) {
            for (std::size_t k = 0; k < D; ++k) {
                if (!(x.rows[i][k] == zero)) detail::add_product(out[i], x.rows[i][k], v[k]);
            }
        }
        return out;
    }
    friend bool operator==(Matrix const&, Matrix const&) = default;
};

/// A linear step of D numbers of R that is taken `count` times, as numerators over one denominator.
template <class R, std::size_t D>
struct ChainStep {
    using Element = typename Fractions<R>::Element;
    Matrix<Element, D> matrix;
    Element denominator = Element(1);
    std::uint64_t count = 1;
};

/// D numbers of R as numerators over one known denominator.
template <class R, std::size_t D>
struct ChainState {
    using Element = typename Fractions<R>::Element;
    std::array<Element, D> numerators;
    typename Fractions<R>::Denominator denominator;

    [[nodiscard]] R value(std::size_t i) const { return Fractions<R>::divided(numerators[i], denominator); }
};

namespace detail {

/// Over the least denominator: what all entries share with it would be carried through every layer. Floats have their
/// own scale, and share nothing.
template <class R, std::size_t D>
ChainStep<R, D> in_lowest_terms(ChainStep<R, D> step) {
    using Element = typename ChainStep<R, D>::Element;
    if constexpr (std::is_same_v<Element, Integer> || std::is_same_v<Element, Polynomial>) {
        Element common = step.denominator;
        for (auto const& row : step.matrix.rows)
            for (auto const& entry : row)
                if (!(common == Element(1))) common = Element(gcd(common, entry));
        if (common == Element(1)) return step;
        auto const divide = [&](Element& x) {
            if constexpr (std::is_same_v<Element, Integer>) {
                x /= common;
            } else {
                x = *divide_exactly(x, common);
            }
        };
        divide(step.denominator);
        for (auto& row : step.matrix.rows)
            for (auto& entry : row) divide(entry);
    }
    return step;
}

}  // namespace detail

/// The step x after the step y, both taken once.
template <class R, std::size_t D>
[[nodiscard]] ChainStep<R, D> operator*(ChainStep<R, D> const& x, ChainStep<R, D> const& y) {
    return detail::in_lowest_terms<R, D>({.matrix = x.matrix * y.matrix, .denominator = x.denominator * y.denominator});
}

template <class R, std::size_t D>
[[nodiscard]] ChainStep<R, D> chain_step(Matrix<R, D> const& matrix, std::uint64_t count = 1) {
    std::vector<R> entries;
    for (auto const& row : matrix.rows) entries.insert(entries.end(), row.begin(), row.end());
    auto const over_common = Fractions<R>::over_common(entries);
    ChainStep<R, D> out{.matrix = {}, .denominator = over_common.second, .count = count};
    for (std::size_t i = 0; i < entries.size(); ++i) out.matrix[i / D][i % D] = over_common.first[i];
    return out;
}

template <class R, std::size_t D>
[[nodiscard]] ChainState<R, D> chain_state(std::array<R, D> const& values) {
    auto const over_common = Fractions<R>::over_common({values.begin(), values.end()});
    ChainState<R, D> out;
    for (std::size_t i = 0; i < D; ++i) out.numerators[i] = over_common.first[i];
    out.denominator.multiply(over_common.second, 1);
    return out;
}

namespace detail {

template <class E, std::size_t D>
std::array<E, D> taken(Matrix<E, D> const& matrix, std::uint64_t count, std::array<E, D> v, bool tree) {
    return isserlis::taken(matrix, count, std::move(v), tree ? 4 : count,
                           [](auto const& m, auto const& x) { return m * x; });
}

/// The first half is applied to the vector, never multiplied out; so is the first half of that, and so on.
template <class R, std::size_t D>
auto applied(std::span<ChainStep<R, D> const> steps, std::array<typename ChainState<R, D>::Element, D> v) {
    constexpr std::size_t few = 8;
    if (!Fractions<R>::tree || steps.size() <= few) {
        for (auto const& step : steps) v = taken(step.matrix, step.count, std::move(v), Fractions<R>::tree);
        return v;
    }
    std::size_t const half = steps.size() / 2;
    auto const upper =
        composed(steps.subspan(half), [](ChainStep<R, D> const& step) { return composed(step.matrix, step.count); });
    return upper * applied(steps.first(half), std::move(v));
}

}  // namespace detail

/// The state after the steps, the first one first; every count at least 1. Integers are multiplied as a balanced tree
/// and equal steps by squaring, so that the cost stays quasi-linear in the size of the answer.
///
/// Errors  none.
template <class R, std::size_t D>
[[nodiscard]] ChainState<R, D> after(std::vector<ChainStep<R, D>> const& steps, ChainState<R, D> state) {
    for (auto const& step : steps) state.denominator.multiply(step.denominator, step.count);
    state.numerators = detail::applied<R, D>(std::span<ChainStep<R, D> const>(steps), state.numerators);
    return state;
}

template <class R, std::size_t D>
[[nodiscard]] ChainState<R, D> after(ChainStep<R, D> const& step, ChainState<R, D> state) {
    state.denominator.multiply(step.denominator, step.count);
    state.numerators = detail::taken(step.matrix, step.count, state.numerators, Fractions<R>::tree);
    return state;
}

}  // namespace isserlis
