// SPDX-License-Identifier: MIT
// Expected loss curves beside real weights: forward and backward passes that know no formula, averaged over a
// quadrature that is exact for polynomials, or over samples.
#include <doctest/doctest.h>

#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "loss_curve_data.hpp"

using isserlis::Rows;
using isserlis::testing::proportional_layers;

namespace {

using Vector = std::vector<double>;

Vector times(Rows<double> const& a, Vector const& x) {
    Vector out;
    for (auto const& row : a) out.push_back(isserlis::dot(row, x));
    return out;
}
Vector transposed_times(Rows<double> const& a, Vector const& x) {
    Vector out(a.front().size(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < out.size(); ++j) out[j] += a[i][j] * x[i];
    }
    return out;
}
Vector sum(Vector a, double factor, Vector const& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
    return a;
}
/// The coordinates of one sign.
Vector part(Vector x, double sign) {
    for (double& v : x) v = sign * v > 0 ? v : 0;
    return x;
}

struct Problem {
    Rows<double> inputs;
    Rows<double> targets;    ///< of squared error
    Rows<double> gradients;  ///< constant ones, when there are any
    Rows<double> hessian;    ///< of every sample
    bool crelu = false;
};

struct Derivatives {
    double loss = 0;
    double slope = 0;
    double chi = 0;
    double gamma = 0;
};

/// Of the mean loss after W - lambda dW, at lambda = 0. In a crelu network P = N = W, dP and dN apart.
Derivatives derivatives(std::vector<Rows<double>> const& w, Problem const& problem) {
    std::size_t const samples = problem.inputs.size();
    double const s = static_cast<double>(samples);
    std::size_t const layers = w.size();
    std::vector<std::vector<Vector>> x(samples);
    std::vector<Vector> g(samples);
    Derivatives out;
    // step[0] for positive inputs of a layer (P, or all of a linear network), step[1] for negative ones (N).
    std::array<std::vector<Rows<double>>, 2> step{w, w};
    for (auto& side : step) {
        for (auto& matrix : side) {
            for (auto& row : matrix) row.assign(row.size(), 0);
        }
    }
    for (std::size_t k = 0; k < samples; ++k) {
        x[k].push_back(problem.inputs[k]);
        for (auto const& matrix : w) x[k].push_back(times(matrix, x[k].back()));
        if (problem.gradients.empty()) {
            Vector const off = sum(x[k].back(), -1, problem.targets[k]);
            out.loss += isserlis::dot(off, off) / s;
            g[k] = sum(off, 1, off);
        } else {
            g[k] = problem.gradients[k];
        }
        Vector delta = g[k];
        for (std::size_t i = layers; i-- > 0;) {
            for (std::size_t side = 0; side < 2; ++side) {
                Vector const read = problem.crelu ? part(x[k][i], side == 0 ? 1 : -1) : x[k][i];
                for (std::size_t r = 0; r < delta.size(); ++r) {
                    for (std::size_t c = 0; c < read.size(); ++c) step[side][i][r][c] += delta[r] * read[c] / s;
                }
            }
            delta = transposed_times(w[i], delta);
        }
    }
    for (std::size_t side = 0; side < (problem.crelu ? 2 : 1); ++side) {
        for (auto const& matrix : step[side]) {
            for (auto const& row : matrix) out.slope -= isserlis::dot(row, row);
        }
    }
    for (std::size_t k = 0; k < samples; ++k) {
        Vector first(x[k][0].size(), 0);
        Vector second = first;
        for (std::size_t i = 0; i < layers; ++i) {
            // The pattern of signs is that at lambda = 0.
            auto stepped = [&](Vector const& v) {
                if (!problem.crelu) return times(step[0][i], v);
                Vector positive = v;
                Vector negative = v;
                for (std::size_t r = 0; r < v.size(); ++r) (x[k][i][r] > 0 ? negative : positive)[r] = 0;
                return sum(times(step[0][i], positive), 1, times(step[1][i], negative));
            };
            Vector const next = sum(times(w[i], first), -1, stepped(x[k][i]));
            second = sum(times(w[i], second), -2, stepped(first));
            first = next;
        }
        out.gamma += isserlis::dot(g[k], second) / s;
        out.chi += isserlis::bilinear(first, problem.hessian, first) / s;
    }
    return out;
}

/// Calls f with matrices of the widths, entries from next() times the standard deviation.
std::vector<Rows<double>> weights(std::vector<int> const& widths, std::function<double()> const& next) {
    std::vector<Rows<double>> out;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        double const deviation = std::pow(widths[q - 1] * widths[q], -0.25);
        out.emplace_back();
        for (int r = 0; r < widths[q]; ++r) {
            out.back().emplace_back();
            for (int c = 0; c < widths[q - 1]; ++c) out.back().back().push_back(deviation * next());
        }
    }
    return out;
}

/// Hermite's rule of 4 nodes for a standard normal: exact up to degree 7 in each weight.
constexpr std::size_t hermite_nodes = 4;

/// The exact mean for a linear network: in each weight the squared error's L'' has degree 6 at most.
Derivatives quadrature(std::vector<int> const& widths, Problem const& problem) {
    double const root = std::sqrt(6.0);
    std::array<double, hermite_nodes> const at{std::sqrt(3 - root), -std::sqrt(3 - root), std::sqrt(3 + root),
                                               -std::sqrt(3 + root)};
    std::array<double, hermite_nodes> const mass{(3 + root) / 12, (3 + root) / 12, (3 - root) / 12, (3 - root) / 12};
    std::size_t count = 0;
    for (std::size_t q = 1; q < widths.size(); ++q) count += static_cast<std::size_t>(widths[q - 1] * widths[q]);
    Derivatives out;
    std::vector<std::size_t> point(count, 0);
    for (;;) {
        double weight = 1;
        std::size_t next = 0;
        for (std::size_t const p : point) weight *= mass[p];
        auto const d = derivatives(weights(widths, [&] { return at[point[next++]]; }), problem);
        out.loss += weight * d.loss;
        out.slope += weight * d.slope;
        out.chi += weight * d.chi;
        out.gamma += weight * d.gamma;
        std::size_t i = 0;
        while (i < count && ++point[i] == hermite_nodes) point[i++] = 0;
        if (i == count) return out;
    }
}

/// Mean and standard error of a number over drawn networks.
struct Sampled {
    double mean = 0;
    double error = 0;
    [[nodiscard]] bool agrees(double exact) const { return std::abs(mean - exact) <= 5 * error; }
};
Sampled sampled(std::vector<int> const& widths, Problem const& problem, int samples,
                std::function<double(Derivatives const&)> const& of) {
    std::mt19937_64 engine(20191125);
    std::normal_distribution<double> normal;
    double first = 0;
    double second = 0;
    for (int i = 0; i < samples; ++i) {
        double const x = of(derivatives(weights(widths, [&] { return normal(engine); }), problem));
        first += x / samples;
        second += x * x / samples;
    }
    return {.mean = first, .error = std::sqrt((second - first * first) / samples)};
}

Rows<double> identity(std::size_t size, double value) {
    Rows<double> out(size, Vector(size, 0));
    for (std::size_t i = 0; i < size; ++i) out[i][i] = value;
    return out;
}

}  // namespace

TEST_SUITE("formula/loss_curve_sampled") {
    TEST_CASE("squared error of tiny linear networks: all parts, by quadrature over every weight") {
        Rows<double> const two_targets{{1, -2}, {0.5, 1}};
        for (auto const& widths : std::vector<std::vector<int>>{{2, 2, 1}, {2, 1, 1, 2}, {2, 2, 2}, {2, 1, 1, 1, 1}}) {
            auto const outputs = static_cast<std::size_t>(widths.back());
            Problem problem{.inputs = {{1, 2}, {-1, 0.5}},
                            .targets = outputs == 2 ? two_targets : Rows<double>{{1}, {-2}},
                            .gradients = {},
                            .hessian = identity(outputs, 2)};
            auto const expected = quadrature(widths, problem);
            auto const curve = isserlis::squared_loss_curve(proportional_layers<double>(widths),
                                                            isserlis::target_moments(problem.inputs, problem.targets));
            CHECK(curve.loss == doctest::Approx(expected.loss).epsilon(1e-11));
            CHECK(curve.slope == doctest::Approx(expected.slope).epsilon(1e-11));
            CHECK(curve.curvature_chi == doctest::Approx(expected.chi).epsilon(1e-11));
            CHECK(curve.curvature_gamma == doctest::Approx(expected.gamma).epsilon(1e-11));
        }
    }

    TEST_CASE("constant gradients of tiny linear networks, by quadrature") {
        for (auto const& widths : std::vector<std::vector<int>>{{2, 2, 1}, {2, 1, 1, 2}, {2, 2, 2}}) {
            auto const outputs = static_cast<std::size_t>(widths.back());
            Problem problem{.inputs = {{1, 2}, {-1, 0.5}},
                            .targets = {},
                            .gradients = outputs == 2 ? Rows<double>{{1, -2}, {0.5, 1}} : Rows<double>{{1}, {-2}},
                            .hessian = outputs == 2 ? Rows<double>{{2, 1}, {1, 3}} : Rows<double>{{2}}};
            auto const expected = quadrature(widths, problem);
            auto const curve = isserlis::linear_loss_curve(
                proportional_layers<double>(widths),
                isserlis::gradient_moments(problem.inputs, problem.gradients, {problem.hessian}));
            CHECK(curve.slope == doctest::Approx(expected.slope).epsilon(1e-11));
            CHECK(curve.curvature == doctest::Approx(expected.chi).epsilon(1e-11));
            CHECK(std::abs(expected.gamma) < 1e-9);
        }
    }

    TEST_CASE(
        "concatenated ReLU, inputs in space: sampled networks agree with the formulas and not with the linear one") {
        Problem problem{.inputs = {{1, 0.3, 1}, {-0.8, 1, 1}, {0.2, -1.2, 1}},
                        .targets = {},
                        .gradients = {{1.5}, {0.5}, {-1}},
                        .hessian = {{2}},
                        .crelu = true};
        auto const linear = isserlis::gradient_moments(problem.inputs, problem.gradients, {problem.hessian});
        auto const moments = isserlis::crelu_gradient_moments(problem.inputs, problem.gradients);
        std::vector<int> const deep{3, 3, 4, 2, 1};
        auto const slope = sampled(deep, problem, 20'000, [](auto const& d) { return d.slope; });
        CHECK(slope.agrees(isserlis::crelu_slope(proportional_layers<double>(deep), moments)));
        CHECK_FALSE(slope.agrees(isserlis::linear_loss_curve(proportional_layers<double>(deep), linear).slope));
        std::vector<int> const two{3, 4, 1};
        auto const layers = proportional_layers<double>(two);
        auto const curvature = sampled(two, problem, 40'000, [](auto const& d) { return d.chi + d.gamma; });
        CHECK(curvature.agrees(
            isserlis::crelu_curvature_of_two_layers(layers, problem.inputs, problem.gradients, {problem.hessian})));
        CHECK_FALSE(curvature.agrees(isserlis::linear_loss_curve(layers, linear).curvature));
    }

    TEST_CASE("concatenated ReLU, squared error, several outputs") {
        Problem problem{.inputs = {{1, 0.3, 1}, {-0.8, 1, 1}, {0.2, -1.2, 1}},
                        .targets = {{1, 0}, {0.5, -1}, {-1, 2}},
                        .gradients = {},
                        .hessian = identity(2, 2),
                        .crelu = true};
        std::vector<int> const widths{3, 4, 3, 2};
        auto const layers = proportional_layers<double>(widths);
        auto const slope = sampled(widths, problem, 40'000, [](auto const& d) { return d.slope; });
        CHECK(slope.agrees(
            isserlis::crelu_squared_slope(layers, isserlis::crelu_target_moments(problem.inputs, problem.targets))));
        auto const linear =
            isserlis::squared_loss_curve(layers, isserlis::target_moments(problem.inputs, problem.targets));
        CHECK_FALSE(slope.agrees(linear.slope));
        auto const loss = sampled(widths, problem, 40'000, [](auto const& d) { return d.loss; });
        CHECK(loss.agrees(linear.loss));
    }
}
