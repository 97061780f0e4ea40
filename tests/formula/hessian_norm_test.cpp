// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/strand/expectation.hpp>

#include <cmath>
#include <ctime>

#include "../timed.hpp"
#include "hessian_networks.hpp"
#include "layers.hpp"

using isserlis::ActivationKind;
using isserlis::Exponent;
using isserlis::FullyConnected;
using isserlis::hessian_norm;
using isserlis::HessianNorm;
using isserlis::label_pairs;
using isserlis::LawKind;
using isserlis::LayerRun;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::testing::by_strands;
using isserlis::testing::Count;
using isserlis::testing::effective_network;
using isserlis::testing::raw_network;

namespace {

/// Each part and the total as the strand engine sees them: it knows queries and no formula.
void agrees_with_strands(FullyConnected<Rational, Count> const& net, Rational const& square, Rational const& target) {
    auto const parts = hessian_norm(net, square, target);
    auto strands = [&](char const* query) { return by_strands(net, query, square, target); };
    CHECK(parts.gauss_newton == strands("z[i;m] z[i;n] z[j;m] z[j;n]"));
    CHECK(parts.functional == strands("z[i;m,n] z[i] z[j;m,n] z[j]"));
    CHECK(parts.cross == 2 * strands("z[i;m] z[i;n] z[j;m,n] z[j]"));
    CHECK(parts.total() == strands("(D[m,n] loss)^2"));
}

}  // namespace

TEST_SUITE("formula/hessian_norm") {
    // Section 1 of the specification: polynomials in 1/n, by brute force at the corners and interpolation.
    TEST_CASE("parts of constant width reproduce the published table for one to four hidden layers") {
        struct Row {
            std::uint64_t depth;
            std::vector<int> gauss_newton, functional, cross, target, total;
        };
        std::vector<Row> const table = {
            {1, {4, 12}, {2, 2}, {0, 8}, {1}, {7, 22}},
            {2, {9, 58, 113}, {6, 28, 38}, {0, 32, 112}, {3}, {18, 118, 263}},
            {3, {16, 160, 640, 912}, {12, 100, 340, 412}, {0, 80, 560, 1088}, {6}, {34, 340, 1540, 2412}},
            {4,
             {25, 340, 2070, 5972, 6713},
             {20, 240, 1320, 3472, 3588},
             {0, 160, 1680, 6528, 8912},
             {10},
             {55, 740, 5070, 15972, 19213}}};
        RationalFunction const n = RationalFunction::symbol("n");
        auto polynomial = [&](std::vector<int> const& c) {
            RationalFunction out(0);
            for (auto at = c.rbegin(); at != c.rend(); ++at) out = out / n + RationalFunction(*at);
            return out;
        };
        for (auto const& row : table) {
            std::vector<RationalFunction> widths{RationalFunction::symbol("d")};
            widths.insert(widths.end(), row.depth, n);
            widths.push_back(1);
            // X = |x|^2/n_0 = 1.
            auto const parts = hessian_norm(effective_network(widths), RationalFunction::symbol("d"), {1});
            CHECK(parts.gauss_newton == polynomial(row.gauss_newton));
            CHECK(parts.functional == polynomial(row.functional));
            CHECK(parts.cross == polynomial(row.cross));
            CHECK(parts.target == polynomial(row.target));
            CHECK(parts.total() == polynomial(row.total));
        }
    }

    // E|H|^2 = (1+5/n)^L {(L+1)(4L+3)/3 + (2(n-1)/9)[L - (n-1)/6 (1 - rho^L)]} + L(L+1)/2 at X = E|y|^2 = 1, as the
    // specification prints it; the code knows geometric sums only.
    TEST_CASE("at symbolic depth the total is the printed closed form") {
        auto const n = RationalFunction::symbol("n");
        auto const depth = RationalFunction::symbol("L");
        auto const count = Exponent::symbol("L");
        auto net = isserlis::testing::network(isserlis::layers_between<RationalFunction, Exponent>(
                                                  {{RationalFunction::symbol("d"), 1}, {n, count}, {1, 1}}),
                                              ActivationKind::relu);
        for (auto& run : net.layers) {
            run.variance = 2 / run.fan_in;
            run.label_factor = 1 / run.fan_in;
        }
        auto const total = hessian_norm(net, RationalFunction::symbol("d"), {1}).total();
        auto const grown = power(RationalFunction((n + 5) / n), count);
        auto const left = power(RationalFunction((n - 1) / (n + 5)), count);
        auto const printed =
            grown * ((depth + 1) * (4 * depth + 3) / 3 + 2 * (n - 1) / 9 * (depth - (n - 1) / 6 * (1 - left))) +
            depth * (depth + 1) / 2;
        for (int const width : {2, 3, 7}) {
            for (int const layers : {1, 2, 5}) {
                std::map<std::string, Rational> const at{{"n", width}, {"L", layers}, {"d", 3}};
                CHECK(total.evaluate(at) == printed.evaluate(at));
            }
        }
        CHECK(total == printed);
    }

    // Second leg. Widths, outputs, slopes, variances and label factors differ from layer to layer.
    TEST_CASE("every part equals the strand engine") {
        for (auto const& widths : std::vector<std::vector<int>>{
                 {1, 1, 1}, {2, 3, 1}, {2, 3, 4, 1}, {3, 2, 1, 2, 1}, {2, 3, 2}, {1, 2, 3, 3}, {2, 1, 3, 2, 2}}) {
            INFO("layers ", widths.size() - 1, ", outputs ", widths.back());
            agrees_with_strands(raw_network(widths, 0), 3, ratio(3, 2));
            agrees_with_strands(raw_network(widths, ratio(1, 3)), 1, 2);
            agrees_with_strands(raw_network(widths, 1), ratio(1, 2), 0);
        }
    }

    TEST_CASE("a linear model has the Gauss-Newton part only: one layer, |x|^4 per output") {
        // z = Wx: d_ij z_k = delta_ik x_j, so tr K^2 = N |x|^4.
        auto const parts = hessian_norm(raw_network({2, 3}, 0), Rational(5), Rational(7));
        auto const h = raw_network({2, 3}, 0).layers[0].label_factor;
        CHECK(parts == HessianNorm<Rational>{.gauss_newton = 3 * 25 * h * h, .functional = 0, .cross = 0, .target = 0});
    }

    TEST_CASE("blocks add up to the total and are symmetric") {
        for (auto const& widths : std::vector<std::vector<int>>{{2, 3, 1}, {2, 1, 4, 2}, {1, 2, 3, 2, 3}}) {
            auto const net = raw_network(widths, ratio(1, 4));
            std::size_t const layers = net.layers.size();
            std::vector<std::vector<Rational>> rows;
            Rational sum = 0;
            for (std::size_t row = 1; row <= layers; ++row) {
                rows.push_back(isserlis::hessian_block_row(net, Rational(2), ratio(1, 3), row));
                for (auto const& b : rows.back()) sum += b;
            }
            CHECK(sum == hessian_norm(net, Rational(2), ratio(1, 3)).total());
            for (std::size_t l = 0; l < layers; ++l) {
                for (std::size_t k = 0; k < l; ++k) CHECK(rows[l][k] == rows[k][l]);
            }
        }
    }

    TEST_CASE("a block equals the strand engine with labels held in two layers") {
        auto const net = raw_network({2, 3, 2, 2}, 0);
        for (std::size_t l = 1; l <= 3; ++l) {
            auto const row = isserlis::hessian_block_row(net, Rational(3), Rational(2), l);
            for (std::size_t k = 1; k <= 3; ++k) {
                std::string const query =
                    "(D[m,n] loss)^2 where m in " + std::to_string(l) + ", n in " + std::to_string(k);
                CHECK(row[k - 1] == by_strands(net, query.c_str(), 3, 2));
            }
        }
    }

    TEST_CASE("every ring gives one number") {
        auto const exact = hessian_norm(raw_network({2, 3, 4, 2}, 0), Rational(3), Rational(2)).total();
        CHECK(hessian_norm(isserlis::testing::over<double>(raw_network({2, 3, 4, 2}, 0)), 3.0, 2.0).total() ==
              doctest::Approx(exact.convert_to<double>()));
        CHECK(hessian_norm(isserlis::testing::over<Surd>(raw_network({2, 3, 4, 2}, 0)), Surd(3), Surd(2)).total() ==
              Surd(exact));
        CHECK(hessian_norm(isserlis::testing::over<RationalFunction>(raw_network({2, 3, 4, 2}, 0)), RationalFunction(3),
                           RationalFunction(2))
                  .total() == RationalFunction(exact));
    }

    TEST_CASE("a run of equal layers is the same as the layers one by one") {
        for (Count const depth : {1U, 2U, 3U, 4U, 7U, 12U}) {
            std::vector<Rational> widths{2};
            widths.insert(widths.end(), depth, Rational(3));
            widths.push_back(2);
            auto const single = effective_network(widths);
            auto runs = isserlis::testing::network(
                isserlis::layers_between<Rational, Count>({{2, 1}, {3, depth}, {2, 1}}), ActivationKind::relu);
            for (auto& run : runs.layers) {
                run.variance = 2 / run.fan_in;
                run.label_factor = 1 / run.fan_in;
            }
            CHECK(hessian_norm(single, Rational(1), Rational(1)) == hessian_norm(runs, Rational(1), Rational(1)));
        }
    }

    // Section 1: n, L -> infinity with beta = L/n: e^(5 beta)(4 + 2 I)/3 + 1/2, I = 2/c - 2(1 - e^-c)/c^2, c = 6 beta.
    TEST_CASE("deep and wide, the total per layer squared approaches the printed limit") {
        double const beta = 0.5;
        double const c = 6 * beta;
        double const integral = 2 / c - 2 * (1 - std::exp(-c)) / (c * c);
        double const limit = std::exp(5 * beta) * (4 + 2 * integral) / 3 + 0.5;
        Count const depth = 20000;
        auto net = isserlis::testing::network(
            isserlis::layers_between<double, Count>({{1, 1}, {static_cast<double>(depth) / beta, depth}, {1, 1}}),
            ActivationKind::relu);
        for (auto& run : net.layers) {
            run.variance = 2 / run.fan_in;
            run.label_factor = 1 / run.fan_in;
        }
        double const scaled = hessian_norm(net, 1.0, 1.0).total() / static_cast<double>(depth) / depth;
        CHECK(scaled == doctest::Approx(limit).epsilon(1e-3));
    }

    TEST_CASE("the probability of a dead network is 43/64 for hidden widths 1, 2, 3") {
        // By hand: 1 - 1/2 * 3/4 * 7/8.
        CHECK(isserlis::dead_probability({{1, 1}, {2, 1}, {3, 1}}) == ratio(43, 64));
        CHECK(isserlis::dead_probability({{2, 2}}) == ratio(7, 16));
        CHECK(isserlis::dead_probability({}) == 0);
    }

    TEST_CASE("what is not covered is refused by name") {
        auto net = raw_network({2, 3, 1}, 0);
        net.layers[1].law.kind = LawKind::uniform;
        CHECK_THROWS_WITH_AS((void)hessian_norm(net, Rational(1), Rational(1)),
                             "`law`: Gaussian weights are required, or others of kurtosis 3",
                             isserlis::UnsupportedError);
        net = raw_network({2, 3, 1}, 0);
        net.gated_head = true;
        CHECK_THROWS_AS((void)hessian_norm(net, Rational(1), Rational(1)), isserlis::UnsupportedError);
        net = raw_network({2, 3, 1}, 0);
        net.activation.kind = ActivationKind::crelu;
        CHECK_THROWS_AS((void)hessian_norm(net, Rational(1), Rational(1)), isserlis::UnsupportedError);
    }

    // The issue: time(2L)/time(L) <= 3, over layers that all differ, so that nothing is a power.
    TEST_CASE("the cost of ten thousand different layers is nearly linear" * timed()) {
        auto seconds = [](std::size_t depth) {
            std::vector<int> widths{2};
            for (std::size_t l = 0; l < depth; ++l) widths.push_back(static_cast<int>(5 + l % 7));
            widths.push_back(1);
            auto const net = raw_network(widths, 0);
            auto const start = std::clock();
            CHECK(hessian_norm(net, Rational(1), Rational(1)).total() > 0);
            return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        };
        (void)seconds(500);
        // The least of several, taken in turns: others use the machine too.
        double shallow = seconds(2500);
        double deep = seconds(10'000);
        for (int i = 0; i < 2; ++i) {
            shallow = std::min(shallow, seconds(2500));
            deep = std::min(deep, seconds(10'000));
        }
        CHECK(deep <= 9 * shallow + 0.02);
    }
}
