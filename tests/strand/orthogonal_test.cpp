// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/orthogonal_norm.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/strand/expectation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "graphs.hpp"

// Haar-orthogonal weights: against all of O(1) and O(2), closed forms, and what follows by hand.

namespace {

using namespace isserlis;

template <class R>
R larger(R const& a, R const& b) {
    return a < b ? b : a;
}

/// Layers of those widths, entries of variance 1, all matrices orthogonal.
FullyConnected<Rational, std::uint64_t> layers_of(std::vector<int> const& widths, ActivationKind kind,
                                                  Rational const& slope = 0) {
    FullyConnected<Rational, std::uint64_t> net;
    net.activation = {.kind = kind, .slope = slope};
    for (std::size_t l = 1; l < widths.size(); ++l)
        net.layers.push_back({.fan_in = widths[l - 1], .fan_out = widths[l], .count = 1, .variance = 1});
    return net;
}

std::vector<std::optional<Rational>> sides_of_all(FullyConnected<Rational, std::uint64_t> const& net) {
    std::vector<std::optional<Rational>> out;
    for (auto const& run : net.layers) out.emplace_back(larger(run.fan_in, run.fan_out));
    return out;
}

Rational mean(std::string const& query, FullyConnected<Rational, std::uint64_t> const& net,
              std::vector<Rational> const& input) {
    ObservableSetting<Rational> setting;
    setting.inputs.vectors = {input};
    return expectation(parse_query(query), chain_graph(net, sides_of_all(net)), setting);
}

using Matrix = std::array<std::array<double, 2>, 2>;

Matrix product(Matrix const& a, Matrix const& b) {
    Matrix out{};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
            for (std::size_t k = 0; k < 2; ++k) out[i][j] += a[i][k] * b[k][j];
    return out;
}

constexpr int angles = 64;  // midpoints; sums over a quadrant of products of even powers are exact

/// sqrt(2) times an element of O(2): entries of variance 1.
Matrix scaled_orthogonal(int k) {
    double const angle = (k % angles + 0.5) * 2 * std::numbers::pi / angles;
    double const sign = k < angles ? 1 : -1;
    double const c = std::sqrt(2.0) * std::cos(angle);
    double const s = std::sqrt(2.0) * std::sin(angle);
    return {{{c, -sign * s}, {s, sign * c}}};
}

/// What is averaged of a network 2,2,`outputs` at the input (1, 0).
struct Averages {
    double spectral = 0;  ///< tr((J J^T)^2)
    double fourth = 0;    ///< tr((J J^T)^4)
    double kernel = 0;    ///< (z[1;m]^2)^2
    double eighth = 0;    ///< |z|^8
    double mixed = 0;     ///< W1[1,1]^2 W1[2,2]^2 z[1]^2
};

Averages over_all_of_o2(double slope, std::size_t outputs) {
    Averages out;
    double const share = 1 / (4.0 * angles * angles);
    for (int k = 0; k < 2 * angles; ++k) {
        Matrix const w1 = scaled_orthogonal(k);
        std::array<double, 2> gate{};
        for (std::size_t i = 0; i < 2; ++i) gate[i] = w1[i][0] > 0 ? 1 : slope;
        for (int l = 0; l < 2 * angles; ++l) {
            Matrix w2 = scaled_orthogonal(l);
            if (outputs == 1) w2[1] = {0, 0};
            Matrix gated = w2;
            for (auto& row : gated)
                for (std::size_t i = 0; i < 2; ++i) row[i] *= gate[i];
            Matrix const j = product(gated, w1);
            Matrix const gram = product(j, {{{j[0][0], j[1][0]}, {j[0][1], j[1][1]}}});
            Matrix const square = product(gram, gram);
            Matrix const power = product(square, square);
            double const norm = j[0][0] * j[0][0] + j[1][0] * j[1][0];  // the input is the first unit vector
            double kernel = 0;
            for (std::size_t i = 0; i < 2; ++i)
                kernel += gate[i] * gate[i] * (w1[i][0] * w1[i][0] + w2[0][i] * w2[0][i]);
            out.spectral += share * (square[0][0] + square[1][1]);
            out.fourth += share * (power[0][0] + power[1][1]);
            out.kernel += share * kernel * kernel;
            out.eighth += share * std::pow(norm, 4);
            out.mixed += share * std::pow(w1[0][0] * w1[1][1] * j[0][0], 2);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("gates over orthogonal matrices: every element of O(2)") {
    struct Case {
        ActivationKind kind;
        Rational slope;
        double number;
    };
    for (auto const& unit : {Case{ActivationKind::relu, 0, 0}, Case{ActivationKind::leaky, Rational(1) / 4, 0.25},
                             Case{ActivationKind::linear, 0, 1}}) {
        for (int const outputs : {1, 2}) {
            auto const net = layers_of({2, 2, outputs}, unit.kind, unit.slope);
            auto const brute = over_all_of_o2(unit.number, static_cast<std::size_t>(outputs));
            CAPTURE(outputs);
            CAPTURE(unit.number);
            auto const agrees = [&](std::string const& query, double expected) {
                CAPTURE(query);
                CHECK(mean(query, net, {1, 0}).convert_to<double>() == doctest::Approx(expected).epsilon(1e-12));
            };
            agrees("tr((J J^T)^2)", brute.spectral);
            agrees("tr((J J^T)^4)", brute.fourth);  // Weingarten functions of four pairs, which have poles at 2
            agrees("z[1;m]^2 z[1;n]^2", brute.kernel);
            agrees("(z[i]^2)^4", brute.eighth);
            agrees("W1[1,1]^2 W1[2,2]^2 z[1]^2", brute.mixed);
        }
    }
}

TEST_CASE("layers of width 1: signs") {
    // x = 1: w1 > 0 opens the gate, and then K = w2^2 + w1^2 = 2 and z^8 = 1; variances 1.
    auto const net = layers_of({1, 1, 1}, ActivationKind::relu);
    CHECK(mean("z[1;m]^2 z[1;n]^2", net, {1}) == 2);
    CHECK(mean("z^8", net, {1}) == Rational(1) / 2);
    CHECK(mean("z[1]^3", net, {1}) == 0);
}

TEST_CASE("norms are those of the closed form") {
    for (auto const& widths : {std::vector{2, 3, 2}, {3, 1, 4}, {4, 2, 2, 3}, {1, 5, 1}}) {
        for (auto const kind : {ActivationKind::relu, ActivationKind::leaky}) {
            auto const net = layers_of(widths, kind, kind == ActivationKind::leaky ? Rational(2) / 3 : Rational(0));
            auto const moments = relative_orthogonal_norm_moments(net, sides_of_all(net), Reading::preactivation, 4);
            std::vector<Rational> input(static_cast<std::size_t>(widths.front()), 0);
            input.front() = 1;
            for (unsigned p = 1; p <= 4; ++p) {
                CAPTURE(p);
                CHECK(mean("(z[i]^2)^" + std::to_string(p), net, input) == moments[p]);
            }
        }
    }
}

// W = sqrt(2) O of variance 1: |W x|^2 = 2 |x|^2, whatever O is.
TEST_CASE("an orthogonal matrix in floating point and over surds") {
    auto const fourth = [](auto const& five) {
        using R = std::decay_t<decltype(five)>;
        auto net = graphs::vanilla<R>({R(2), R(2)});
        net.stages[0].edges[0].orthogonal = R(2);
        ObservableSetting<R> setting;
        setting.inputs.squared_norm = five;
        return expectation(parse_query("(z[i]^2)^2"), net, setting);
    };
    CHECK(fourth(5.0) == doctest::Approx(100));
    CHECK(fourth(Surd(5)) == Surd(100));
    CHECK(fourth(Rational(5)) == 100);
    CHECK(fourth(RationalFunction(5)) == RationalFunction(100));
}

TEST_CASE("how many pairs meet in one orthogonal matrix") {
    auto net = graphs::vanilla<Rational>({3, 3, 2}, {.slope = 1});
    net.stages[0].edges[0].orthogonal = Rational(3);
    for (unsigned const pairs : {1U, 2U, 3U}) {
        RecursionTrace trace;
        (void)graphs::engine("(z[i]^2)^" + std::to_string(pairs), net, graphs::at_input({1, 2, 1}), {.trace = &trace});
        CHECK(trace.orthogonal_pairs == pairs);
    }
}

TEST_CASE("orthogonal and other matrices alternate") {
    auto const net = layers_of({3, 3, 2}, ActivationKind::linear);
    ObservableSetting<Rational> setting;
    setting.inputs.squared_norm = 1;
    auto const graph = chain_graph(net, {std::optional<Rational>(3), std::nullopt});
    // J J^T = 3 A A^T, A 2 x 3 Gaussian: 9 ab(a + b + 1).
    CHECK(expectation(parse_query("tr((J J^T)^2)"), graph, setting) == 9 * 2 * 3 * 6);
}

TEST_CASE("formulas: the tangent kernel of n,n,1 by hand") {
    // K = |h|^2 + |g w|^2 at a unit input, variances 2/n: h = g sqrt(2) u and w = sqrt(2) q, u and q uniform directions,
    // E u_i^4 = 3/(n (n + 2)) and E u_i^2 u_j^2 = 1/(n (n + 2)), so that E|h|^4 = E|g w|^4 = (n + 5)/(n + 2) and
    // E |h|^2 |g w|^2 = (n + 1)/n.
    auto const n = RationalFunction::symbol("n");
    FullyConnected<RationalFunction, Exponent> net;
    net.layers.push_back({.fan_in = n, .fan_out = n, .count = Exponent(1), .variance = RationalFunction(2) / n});
    net.layers.push_back(
        {.fan_in = n, .fan_out = RationalFunction(1), .count = Exponent(1), .variance = RationalFunction(2) / n});
    ObservableSetting<RationalFunction> setting;
    setting.inputs.squared_norm = RationalFunction(1);
    auto const graph = chain_graph(net, {std::optional(n), std::optional(n)});
    auto const second = expectation(parse_query("z[1;m]^2 z[1;n]^2"), graph, setting).formula();
    CHECK(second == RationalFunction(4) * (n * n + RationalFunction(4) * n + RationalFunction(1)) /
                        (n * (n + RationalFunction(2))));
    // A run of symbolic length: each layer multiplies E|h|^4 by (n + 5)/(n + 2).
    net.layers[0].count = Exponent::symbol("L");
    auto const deep =
        expectation(parse_query("(z{L}[i]^2)^2"), chain_graph(net, {std::optional(n), std::optional(n)}), setting);
    auto const at = [&](int width, int depth) {
        return deep.formula().evaluate({{"n", Rational(width)}, {"L", Rational(depth)}});
    };
    CHECK(at(4, 1) == Surd(4));  // |W x|^2 = 2
    CHECK(at(4, 3) == Surd(Rational(4) * 9 * 9 / 36));
}

TEST_CASE("what is refused") {
    RecursionOptions const options;
    ObservableSetting<Rational> setting;
    setting.inputs.squared_norm = 1;
    auto net = layers_of({2, 2, 2}, ActivationKind::relu);
    auto const ask = [&](std::string const& query, std::vector<std::optional<Rational>> const& sides) {
        return expectation(parse_query(query), chain_graph(net, sides), setting, options);
    };
    std::vector<std::optional<Rational>> const both(2, Rational(2));
    CHECK_THROWS_WITH_AS((void)ask("(z[i]^2)^5", both), doctest::Contains("orthogonal weights up to 8"),
                         UnsupportedError);
    CHECK_THROWS_WITH_AS((void)ask("z[1]^2", {Rational(0), Rational(2)}), doctest::Contains("which of the widths"),
                         UnsupportedError);
    CHECK_THROWS_WITH_AS((void)ask("z[1]^2", {Rational(3), Rational(2)}), doctest::Contains("the larger of"),
                         DomainError);
    CHECK_THROWS_WITH_AS((void)ask("h{1}[1]", both), doctest::Contains("odd"), UnsupportedError);
    net.activation.kind = ActivationKind::crelu;
    CHECK_THROWS_WITH_AS((void)ask("z[1]^2", both), doctest::Contains("two orthogonal matrices"), UnsupportedError);
}
