// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/label_pairs.hpp>

#include <vector>

#include "hessian_networks.hpp"
#include "layers.hpp"

using isserlis::ActivationKind;
using isserlis::Exponent;
using isserlis::label_pairs;
using isserlis::LabelPairs;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::testing::Count;
using isserlis::testing::raw_network;

namespace {

/// The double sums as the page writes them, pair by pair: O(L^2) with every product on its own.
LabelPairs<Rational> by_definition(isserlis::FullyConnected<Rational, Count> const& net, Rational const& square) {
    std::size_t const layers = net.layers.size();
    Rational const s = net.activation.slope;
    Rational const g2 = (1 + s * s) / 2;
    Rational const g4 = (1 + s * s * s * s) / 2;
    Rational gain = square * net.layers[0].variance;
    Rational spread = 1;
    std::vector<Rational> rho;
    for (std::size_t j = 0; j + 1 < layers; ++j) {
        Rational const n = net.layers[j].fan_out;
        gain *= net.layers[j + 1].variance * n * g2;
        // Eigenvalues of <pairing, gates, pairing'>: n(n-1) g2^2 + n g4 on the diagonal, n g4 off it.
        Rational const same = n * (n - 1) * g2 * g2 + n * g4;
        Rational const other = n * g4;
        spread *= (same + 2 * other) / (n * n * g2 * g2);
        rho.push_back((same - other) / (same + 2 * other));
    }
    auto between = [&](std::size_t k, std::size_t m) {
        Rational out = 1;
        for (std::size_t j = k; j < m; ++j) out *= rho[j];
        return out;
    };
    LabelPairs<Rational> out{.gain = gain,
                             .single = 0,
                             .distinct = 0,
                             .labels = {0, 0},
                             .equal = {0, 0},
                             .parallel = {0, 0},
                             .crossed = {0, 0}};
    for (std::size_t k = 0; k < layers; ++k) {
        Rational const tau = net.layers[k].label_factor / net.layers[k].variance;
        out.single += gain * tau;
        out.labels.plain += gain * gain * spread * tau;
        out.labels.decayed += gain * gain * spread * tau * between(k, layers - 1);
        for (std::size_t m = 0; m < layers; ++m) {
            Rational const both = tau * net.layers[m].label_factor / net.layers[m].variance;
            Rational const base = gain * gain * spread * both;
            Rational const p = between(std::min(k, m), std::max(k, m));
            Rational const left = between(std::max(k, m), layers - 1);
            if (k == m) {
                out.equal.plain += base;
                out.equal.decayed += base * left;
                continue;
            }
            out.distinct += gain * both;
            out.parallel.plain += base * (1 + 2 * p) / 3;
            out.parallel.decayed += base * (1 + 2 * p) / 3 * left;
            out.crossed.plain += base * (1 - p) / 3;
            out.crossed.decayed += base * (1 - p) / 3 * left;
        }
    }
    return out;
}

}  // namespace

TEST_SUITE("formula/label_pairs") {
    TEST_CASE_TEMPLATE("the sums of one pass are the double sums of the definition", R, Rational, Surd,
                       RationalFunction) {
        for (auto const& widths : std::vector<std::vector<int>>{
                 {2, 3}, {1, 1, 1}, {2, 1, 3}, {2, 3, 4, 1}, {1, 2, 2, 1, 3, 2}, {3, 1, 4, 1, 5, 9, 2, 6}}) {
            for (auto const& slope : {Rational(0), ratio(-1, 2), Rational(1)}) {
                auto const net = raw_network(widths, slope);
                auto const expected = by_definition(net, 3);
                auto const sums = label_pairs(isserlis::testing::over<R>(net), R(3));
                CHECK(sums.gain == R(expected.gain));
                CHECK(sums.single == R(expected.single));
                CHECK(sums.distinct == R(expected.distinct));
                CHECK(sums.labels.plain == R(expected.labels.plain));
                CHECK(sums.labels.decayed == R(expected.labels.decayed));
                CHECK(sums.equal.plain == R(expected.equal.plain));
                CHECK(sums.equal.decayed == R(expected.equal.decayed));
                CHECK(sums.parallel.plain == R(expected.parallel.plain));
                CHECK(sums.parallel.decayed == R(expected.parallel.decayed));
                CHECK(sums.crossed.plain == R(expected.crossed.plain));
                CHECK(sums.crossed.decayed == R(expected.crossed.decayed));
            }
        }
    }

    // Sums over labelled layers of which two have labels only.
    TEST_CASE_TEMPLATE("rows of pairs are those of the definition", R, Rational, Surd, RationalFunction) {
        for (auto const& slope : {Rational(0), ratio(-1, 2)}) {
            auto const net = raw_network({2, 3, 4, 2, 3}, slope);
            std::size_t const layers = net.layers.size();
            for (std::size_t row = 1; row <= layers; ++row) {
                auto const pairs = isserlis::label_pair_row(isserlis::testing::over<R>(net), R(3), row);
                REQUIRE(pairs.size() == layers);
                for (std::size_t m = 0; m < layers; ++m) {
                    std::size_t const k = row - 1;
                    auto alone = net;  // without the other labels
                    for (std::size_t j = 0; j < layers; ++j)
                        if (j != k && j != m) alone.layers[j].label_factor = 0;
                    auto const expected = by_definition(alone, 3);
                    Rational const share = k == m ? Rational(1) : ratio(1, 2);  // (k, m) and (m, k)
                    auto const& same = k == m ? expected.equal : expected.parallel;
                    CHECK(pairs[m].parallel.plain == R(same.plain * share));
                    CHECK(pairs[m].parallel.decayed == R(same.decayed * share));
                    CHECK(pairs[m].crossed.plain == R(expected.crossed.plain * share));
                    CHECK(pairs[m].crossed.decayed == R(expected.crossed.decayed * share));
                    CHECK(pairs[m].distinct == R(expected.distinct * share));
                }
            }
        }
        auto const net = isserlis::testing::over<R>(raw_network({2, 3, 1}, Rational(0)));
        for (std::size_t const row : {0U, 3U})
            CHECK_THROWS_AS((void)isserlis::label_pair_row(net, R(3), row), isserlis::DomainError);
    }

    // By hand: two layers 1,n,1 with tau = 1 and unit variances; rho = (n-1)/(n+5), g = n/2, R = 1 + 5/n.
    TEST_CASE("one hidden layer gives the sums by hand") {
        int const n = 3;
        auto const net = isserlis::testing::network_of_widths(std::vector<Rational>{1, n, 1}, ActivationKind::relu);
        auto const sums = label_pairs(net, Rational(1));
        Rational const base = ratio(9, 4) * ratio(8, 3);  // g^2 R = 6
        Rational const rho = ratio(1, 4);
        CHECK(sums.gain == ratio(3, 2));
        CHECK(sums.equal.plain == 2 * base);
        CHECK(sums.equal.decayed == base * (1 + rho));
        CHECK(sums.parallel.plain == 2 * base * (1 + 2 * rho) / 3);
        CHECK(sums.crossed.plain == 2 * base * (1 - rho) / 3);
        CHECK(sums.crossed.decayed == sums.crossed.plain);  // the upper layer of the pair is the output layer
    }

    TEST_CASE("at symbolic depth the sums are those of every depth") {
        auto const n = RationalFunction::symbol("n");
        auto net = isserlis::testing::network(
            isserlis::layers_between<RationalFunction, Exponent>({{2, 1}, {n, Exponent::symbol("L")}, {3, 1}}),
            ActivationKind::relu);
        for (auto& run : net.layers) run.variance = 1;
        net.layers[0].label_factor = ratio(2, 3);
        net.layers[1].label_factor = ratio(5, 2);
        net.layers[2].label_factor = ratio(3, 4);
        auto const symbolic = label_pairs(net, RationalFunction(1));
        for (int const width : {1, 2, 4}) {
            for (int const depth : {1, 2, 3, 6}) {
                if (width == 1 && depth == 1) continue;  // (n - 1)^(L - 1) is 0^0
                std::vector<Rational> widths(static_cast<std::size_t>(depth) + 2, width);
                widths.front() = 2;
                widths.back() = 3;
                auto numbers = isserlis::testing::network_of_widths(widths, ActivationKind::relu);
                for (auto& run : numbers.layers) run.label_factor = ratio(5, 2);
                numbers.layers.front().label_factor = ratio(2, 3);
                numbers.layers.back().label_factor = ratio(3, 4);
                auto const sums = label_pairs(numbers, Rational(1));
                std::map<std::string, Rational> const at{{"n", width}, {"L", depth}};
                CHECK(symbolic.parallel.plain.evaluate(at) == Surd(sums.parallel.plain));
                CHECK(symbolic.parallel.decayed.evaluate(at) == Surd(sums.parallel.decayed));
                CHECK(symbolic.crossed.decayed.evaluate(at) == Surd(sums.crossed.decayed));
                CHECK(symbolic.distinct.evaluate(at) == Surd(sums.distinct));
                CHECK(symbolic.single.evaluate(at) == Surd(sums.single));
                CHECK(symbolic.equal.plain.evaluate(at) == Surd(sums.equal.plain));
            }
        }
    }

    TEST_CASE("width 1 at symbolic depth is refused, for 0^L has no one closed form") {
        auto net = isserlis::testing::network(
            isserlis::layers_between<RationalFunction, Exponent>({{2, 1}, {1, Exponent::symbol("L")}, {3, 1}}),
            ActivationKind::relu);
        for (auto& run : net.layers) run.variance = 1;
        CHECK_THROWS_AS((void)label_pairs(net, RationalFunction(1)), isserlis::UnsupportedError);
    }
}
