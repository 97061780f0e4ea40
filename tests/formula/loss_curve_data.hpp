// SPDX-License-Identifier: MIT
#pragma once
#include <rapidcheck.h>
#include <cmath>
#include <cstdint>
#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/formula/quadratic_forms.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/rational.hpp>
#include <vector>

/// Networks and data of the tests on loss curves.
namespace isserlis::testing {

/// Three inputs of a plane at angles that are no fractions of pi, for networks of two layers with gates.
inline Rows<Rational> const plane_inputs{{1, 1}, {-2, 1}, {Rational(1) / Rational(3), 1}};

/// Weight layers of the proportional scheme, variance 1/sqrt(fan-in * fan-out).
template <class R>
[[nodiscard]] std::vector<LayerRun<R, std::uint64_t>> proportional_between(std::vector<R> const& widths) {
    using std::sqrt;
    std::vector<LayerRun<R, std::uint64_t>> out;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        R const& in = widths[q - 1];
        R const& to = widths[q];
        out.push_back({.fan_in = in, .fan_out = to, .count = 1, .variance = R(1) / R(sqrt(in) * sqrt(to))});
    }
    return out;
}
template <class R>
[[nodiscard]] std::vector<LayerRun<R, std::uint64_t>> proportional_layers(std::vector<int> const& widths) {
    return proportional_between(std::vector<R>(widths.begin(), widths.end()));
}

/// The networks of the thesis's Table 4.1 in both readings (docs/errata.md, H20), with the figures of the
/// specification's section 6: S_N, replacement over exact, then vertex times S_N: constant gradients, one sample
/// (1, 1); constant gradients, 16 samples of the cosine; squared error, one sample with y = 0; with the cosine.
struct TableRow {
    std::vector<int> widths;
    double scaling_factor;
    double overestimate;
    double linear_one;
    double linear_cos;
    double squared_one;
    double squared_cos;
};
inline std::vector<TableRow> const& table_of_section_6() {
    static std::vector<TableRow> const rows{{{2, 10, 10, 10, 1}, 47.752, 1.176, 0.416, 0.772, 0.210, 0.365},
                                            {{2, 20, 20, 20, 1}, 67.610, 1.083, 0.383, 0.733, 0.263, 0.476},
                                            {{2, 10, 10, 10, 10, 1}, 78.039, 1.232, 0.436, 0.793, 0.177, 0.303},
                                            {{2, 20, 20, 20, 20, 1}, 103.653, 1.114, 0.394, 0.744, 0.239, 0.423},
                                            {{2, 10, 10, 10, 10, 10, 1}, 118.530, 1.287, 0.455, 0.814, 0.150, 0.254},
                                            {{2, 20, 20, 20, 20, 20, 1}, 146.229, 1.145, 0.405, 0.755, 0.217, 0.378}};
    return rows;
}

/// 16 midpoints t of [0, 2 pi), standardised in law, with the constant feature; targets cos t.
struct CosGrid {
    Rows<double> inputs;
    Rows<double> targets;
    CosGrid() {
        double const pi = std::acos(-1.0);
        for (int k = 0; k < 16; ++k) {
            double const t = 2 * pi * (k + 0.5) / 16;
            inputs.push_back({(t - pi) * std::sqrt(12.0) / (2 * pi), 1});
            targets.push_back({std::cos(t)});
        }
    }
};

[[nodiscard]] inline std::vector<int> random_widths(int ends, int most_hidden) {
    std::vector<int> widths{ends};
    int const hidden = *rc::gen::inRange(0, most_hidden + 1);
    for (int l = 0; l < hidden; ++l) widths.push_back(*rc::gen::inRange(1, 6));
    widths.push_back(*rc::gen::inRange(1, 4));
    return widths;
}

[[nodiscard]] inline Rational random_number() { return ratio(*rc::gen::inRange(-6, 7), *rc::gen::inRange(1, 4)); }

[[nodiscard]] inline Rows<Rational> random_rows(std::size_t rows, std::size_t columns) {
    Rows<Rational> out(rows, std::vector<Rational>(columns));
    for (auto& row : out) {
        for (auto& x : row) x = random_number();
    }
    return out;
}

[[nodiscard]] inline Rows<Rational> random_symmetric(std::size_t size) {
    auto out = random_rows(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < i; ++j) out[i][j] = out[j][i];
    }
    return out;
}

[[nodiscard]] inline Rows<double> doubles(Rows<Rational> const& rows) {
    return converted<double>(rows, [](Rational const& x) { return x.convert_to<double>(); });
}

[[nodiscard]] inline Rows<Rational> inner_products(Rows<Rational> const& rows) { return input_grams(rows).inner; }

/// The rows turned by (3/5, 4/5) in their first two columns.
[[nodiscard]] inline Rows<Rational> rotated(Rows<Rational> rows) {
    for (auto& row : rows) {
        Rational const a = row[0];
        row[0] = (3 * a - 4 * row[1]) / 5;
        row[1] = (4 * a + 3 * row[1]) / 5;
    }
    return rows;
}

[[nodiscard]] inline Rows<Rational> times(Rational const& c, Rows<Rational> rows) {
    for (auto& row : rows) {
        for (auto& x : row) x *= c;
    }
    return rows;
}

}  // namespace isserlis::testing
