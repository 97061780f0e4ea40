// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>

#include "formula/pair_layer.hpp"
#include "normal_sums.hpp"

namespace isserlis::testing {

using Triples = std::array<std::array<double, 3>, 3>;

/// What `PairLayer` holds, in doubles.
struct LayerSums {
    std::array<double, 3> squares{};
    Triples spreads{};
    std::array<double, 3> gated_squares{};
    Triples slopes{};
    std::array<Triples, 3> bends{};
    Triples derivative_bends{};
};

/// By sums over the plane, with Price's theorem for derivatives by a, c and b: d/dc E f g = E f' g', d/da E f g =
/// E f'' g/2; those of E sigma(u)^2 from derivatives of the density of u.
template <class Value, class Slope>
[[nodiscard]] LayerSums layer_sums(Value const& value, Slope const& slope, double a, double c, double b) {
    auto const square = [&](double z) { return value(z) * value(z); };
    auto const mean = [&](auto const& f, auto const& g) { return pair_sums(f, g, a, c, b, 0, 0)[0][0]; };
    auto const power = [&](int k) { return [&value, k](double z) { return std::pow(value(z), k); }; };
    auto const gated = [&](int k) { return [&, k](double z) { return std::pow(value(z), k) * slope(z); }; };
    LayerSums out;
    // Powers of u and of v in the three products.
    std::array<int, 3> const of_u{2, 1, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        out.squares[i] = mean(power(of_u[i]), power(2 - of_u[i]));
        out.gated_squares[i] = mean(gated(of_u[i]), gated(2 - of_u[i]));
    }
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            out.spreads[i][j] =
                mean(power(of_u[i] + of_u[j]), power(4 - of_u[i] - of_u[j])) - out.squares[i] * out.squares[j];
    auto const p = pair_sums(value, value, a, c, b, 5, 5);
    out.slopes[1] = {p[2][0] / 2, p[1][1], p[0][2] / 2};
    auto const second = [&p](std::size_t i, std::size_t j) {
        return Triples{{{p[i + 4][j] / 4, p[i + 3][j + 1] / 2, p[i + 2][j + 2] / 4},
                        {p[i + 3][j + 1] / 2, p[i + 2][j + 2], p[i + 1][j + 3] / 2},
                        {p[i + 2][j + 2] / 4, p[i + 1][j + 3] / 2, p[i][j + 4] / 4}}};
    };
    out.bends[1] = second(0, 0);
    out.derivative_bends = second(1, 1);
    for (std::size_t const k : {std::size_t{0}, std::size_t{2}}) {
        double const variance = k == 0 ? a : b;
        auto const of_density = [&](double z, int order) {
            double const x = z * z / variance;
            return square(z) *
                   (order == 1 ? (x - 1) / (2 * variance) : (x * x - 6 * x + 3) / (4 * variance * variance));
        };
        out.slopes[k][k] = normal_sum([&](double z) { return of_density(z, 1); }, variance);
        out.bends[k][k][k] = normal_sum([&](double z) { return of_density(z, 2); }, variance);
    }
    return out;
}

inline void check_triple(PairTriple const& found, std::array<double, 3> const& expected) {
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(i);
        CHECK(is_near(found[i], expected[i], 1e-8 * (1 + std::abs(expected[i]))));
    }
}

inline void check_matrix(PairMatrix const& found, Triples const& expected) {
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(i);
        check_triple(found[i], expected[i]);
    }
}

inline void check_layer(PairLayer const& found, LayerSums const& expected) {
    check_triple(found.squares, expected.squares);
    check_matrix(found.spreads, expected.spreads);
    check_triple(found.gated_squares, expected.gated_squares);
    check_matrix(found.slopes, expected.slopes);
    for (std::size_t k = 0; k < 3; ++k) check_matrix(found.bends[k], expected.bends[k]);
    check_matrix(found.derivative_bends, expected.derivative_bends);
}

}  // namespace isserlis::testing
