// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/ntk_moments.hpp>

#include <cmath>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "hessian_networks.hpp"
#include "layers.hpp"

using isserlis::ActivationKind;
using isserlis::Exponent;
using isserlis::Graph;
using isserlis::ntk_moments;
using isserlis::NtkMoments;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::testing::by_strands;
using isserlis::testing::Count;
using isserlis::testing::effective_network;
using isserlis::testing::raw_network;

namespace {

constexpr char const* trace_squared = "z[i;m]^2 z[j;n]^2";
constexpr char const* squared_trace = "z[i;m] z[j;m] z[i;n] z[j;n]";

/// A chain in which every layer also reads the input through weights of variance 0: derivatives by those are |x|^2
/// times the derivatives by biases. The strand engine has no biases of its own.
Graph<Rational, Count> with_biases(isserlis::FullyConnected<Rational, Count> const& net,
                                   std::vector<Rational> const& bias, Rational const& square) {
    Graph<Rational, Count> out;
    out.input_width = net.input_width();
    out.sides = net.activation.sides();
    isserlis::GraphStage<Rational, Count> stage;
    stage.numbered = false;
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        auto const& run = net.layers[l];
        bool const head = l + 1 == net.layers.size();
        stage.nodes.push_back(isserlis::weighted_node(run.fan_out, net.activation, !head, "z" + std::to_string(l + 1)));
        isserlis::GraphEdge<Rational> edge{.name = "w" + std::to_string(l + 1), .from = l, .to = l + 1};
        edge.variance = run.variance;
        edge.label_factor = run.label_factor;
        stage.edges.push_back(edge);
        isserlis::GraphEdge<Rational> second{.name = "b" + std::to_string(l + 1), .from = 0, .to = l + 1};
        second.variance = 0;
        second.label_factor = bias[l] / square;
        stage.edges.push_back(second);
    }
    out.stages = {stage};
    return out;
}

}  // namespace

TEST_SUITE("formula/ntk_moments") {
    TEST_CASE("every moment equals the strand engine") {
        for (auto const& widths :
             std::vector<std::vector<int>>{{2, 3}, {1, 1, 1}, {2, 3, 4, 1}, {2, 3, 2}, {3, 1, 2, 3}, {2, 2, 3, 2, 2}}) {
            for (auto const& slope : {Rational(0), ratio(1, 3), Rational(1)}) {
                auto const net = raw_network(widths, slope);
                auto const moments = ntk_moments(net, Rational(3));
                CHECK(moments.mean == by_strands(net, "z[1;m]^2", 3));
                CHECK(moments.second_moment == by_strands(net, "z[1;m]^2 z[1;n]^2", 3));
                CHECK(moments.trace_mean == by_strands(net, "z[i;m]^2", 3));
                CHECK(moments.trace_second_moment == by_strands(net, trace_squared, 3));
                CHECK(moments.squared_trace_mean == by_strands(net, squared_trace, 3));
            }
        }
    }

    TEST_CASE("with biases every moment equals the strand engine on a chain that reads the input at every layer") {
        Rational const square = 3;
        for (auto const& widths :
             std::vector<std::vector<int>>{{2, 3}, {2, 3, 2}, {3, 1, 2, 3}, {2, 2, 3, 2, 1}, {1, 2, 3, 2, 2}}) {
            auto const net = raw_network(widths, ratio(1, 2));
            std::vector<Rational> bias;
            for (std::size_t l = 0; l < net.layers.size(); ++l) bias.push_back(ratio(static_cast<int>(2 * l + 1), 2));
            auto const graph = with_biases(net, bias, square);
            auto strands = [&](char const* query) {
                isserlis::ObservableSetting<Rational> setting;
                setting.inputs.squared_norm = square;
                return isserlis::expectation(isserlis::parse_query(query), graph, setting, {});
            };
            auto const moments = ntk_moments(net, square, bias);
            CHECK(moments.trace_mean == strands("z[i;m]^2"));
            CHECK(moments.trace_second_moment == strands(trace_squared));
            CHECK(moments.squared_trace_mean == strands(squared_trace));
            CHECK(moments.second_moment == strands("z[1;m]^2 z[1;n]^2"));
        }
    }

    // The double sums of docs/formulas/ntk_moments.md, term by term, O(L^2), on top of the weights alone.
    TEST_CASE("the part with biases is the double sum of its definition, equal layers or not") {
        isserlis::testing::holds([] {
            using isserlis::testing::any_int;
            std::vector<int> widths{any_int(1, 4)};
            int const layers = any_int(1, 24);
            for (int l = 0; l < layers; ++l) widths.push_back(any_int(0, 2) != 0 ? widths.back() : any_int(1, 5));
            auto net = raw_network(widths, any_int(0, 1) == 0 ? Rational(0) : ratio(1, 2));
            std::vector<Rational> bias;
            for (auto& run : net.layers) {
                run.variance = 2 / run.fan_in;
                run.label_factor = 1;
                bias.push_back(bias.empty() || any_int(0, 2) == 0 ? ratio(any_int(0, 5), 3) : bias.back());
            }
            std::size_t const size = net.layers.size();
            Rational const slope = net.activation.slope;
            Rational const g2 = (1 + slope * slope) / 2;
            Rational const g4 = (1 + slope * slope * slope * slope) / 2;
            auto between = [&](std::size_t from, std::size_t to, auto const& factor) {
                Rational out = 1;
                for (std::size_t j = from; j < to; ++j) out *= factor(j);
                return out;
            };
            auto b = [&](std::size_t l) {
                return between(l, size - 1,
                               [&](auto j) { return Rational(net.layers[j + 1].variance * widths[j + 1] * g2); });
            };
            auto r = [&](std::size_t j) { return Rational((widths[j + 1] - 1 + 3 * g4 / (g2 * g2)) / widths[j + 1]); };
            auto rho = [&](std::size_t j) { return Rational((widths[j + 1] - 1) / (widths[j + 1] * r(j))); };
            Rational mean = 0, plain = 0, decayed = 0;
            Rational const gain = 3 * net.layers[0].variance * b(0);
            for (std::size_t l = 0; l < size; ++l) {
                mean += bias[l] * b(l);
                for (std::size_t m = 0; m < size; ++m) {
                    std::size_t const top = std::max(l, m);
                    Rational const left = between(top, size - 1, rho);
                    Rational const two = bias[l] * bias[m] * b(l) * b(m) * between(top, size - 1, r);
                    Rational const tau = net.layers[m].label_factor / net.layers[m].variance;
                    Rational const c = m > l ? Rational((1 + 2 * between(l, m, rho)) / 3) : Rational(1);
                    Rational const mixed = 2 * gain * tau * bias[l] * b(l) * between(l, size - 1, r) * c;
                    plain += two + mixed;
                    decayed += (two + mixed) * left;
                }
            }
            auto const without = ntk_moments(net, Rational(3));
            auto const with = ntk_moments(net, Rational(3), bias);
            Rational const outputs = widths.back();
            CHECK(with.mean - without.mean == mean);
            CHECK(with.second_moment - without.second_moment == plain);
            CHECK(with.squared_trace_mean - without.squared_trace_mean ==
                  outputs * ((outputs + 2) * plain + (1 - outputs) * decayed) / 3);
        });
    }

    // hm-127 by brute force: widths 1,2,1, eta^2 = 1,2, bias factors 1,2.
    // A constant has none; E K = 3/2 and E K^2 = 19/2 leave 19/2 - 9/4.
    TEST_CASE("the variance is that of one entry") {
        auto const constant = NtkMoments<Rational>{
            .mean = 5, .second_moment = 25, .trace_mean = 5, .trace_second_moment = 25, .squared_trace_mean = 25};
        CHECK(constant.variance() == 0);
        NtkMoments<Rational> const spread{.mean = ratio(3, 2),
                                          .second_moment = ratio(19, 2),
                                          .trace_mean = 0,
                                          .trace_second_moment = 0,
                                          .squared_trace_mean = 0};
        CHECK(spread.variance() == ratio(29, 4));
    }

    TEST_CASE("with biases E K^2 is 60 for a small network") {
        auto net = effective_network(std::vector<Rational>{1, 2, 1});
        net.layers[1].label_factor *= 2;
        CHECK(ntk_moments(net, Rational(1), std::vector<Rational>{1, 2}).second_moment == 60);
    }

    TEST_CASE("biases that do not count change nothing") {
        auto const net = raw_network({2, 3, 4, 2}, 0);
        CHECK(ntk_moments(net, Rational(2), std::vector<Rational>(3, 0)) == ntk_moments(net, Rational(2)));
        CHECK_THROWS_AS((void)ntk_moments(net, Rational(2), std::vector<Rational>(2, 0)), isserlis::DomainError);
    }

    // Means over five million networks, widths 2,n,n,n,2, label factors 1/fan_in, |x|^2 = 1.338255221515: 2.6765104.
    TEST_CASE("the mean of one entry does not depend on the width and is twice |x|^2 for four layers") {
        auto const n = RationalFunction::symbol("n");
        auto const net = effective_network(std::vector<RationalFunction>{2, n, n, n, 2});
        CHECK(ntk_moments(net, RationalFunction(ratio(1338255221515, 1000000000000))).mean ==
              RationalFunction(ratio(1338255221515, 500000000000)));
    }

    // Section 3: E K^2/(E K)^2 -> e^(5b)(1 + 2 I(b))/3 as L, n -> infinity with L/n = b, I = 2/c - 2(1-e^-c)/c^2, c =
    // 6b.
    TEST_CASE("deep and wide, the relative second moment approaches the printed limit") {
        double const beta = 0.25;
        double const c = 6 * beta;
        double const limit = std::exp(5 * beta) * (1 + 2 * (2 / c - 2 * (1 - std::exp(-c)) / (c * c))) / 3;
        Count const depth = 50000;
        auto net = isserlis::testing::network(
            isserlis::layers_between<double, Count>({{1, 1}, {static_cast<double>(depth) / beta, depth}, {1, 1}}),
            ActivationKind::relu);
        for (auto& run : net.layers) {
            run.variance = 2 / run.fan_in;
            run.label_factor = 1 / run.fan_in;
        }
        auto const moments = ntk_moments(net, 1.0);
        CHECK(moments.second_moment / (moments.mean * moments.mean) == doctest::Approx(limit).epsilon(1e-4));
    }

    TEST_CASE("every ring gives one number") {
        auto const exact = ntk_moments(raw_network({2, 3, 4, 2}, 0), Rational(3));
        CHECK(ntk_moments(isserlis::testing::over<double>(raw_network({2, 3, 4, 2}, 0)), 3.0).variance() ==
              doctest::Approx(exact.variance().convert_to<double>()));
        CHECK(ntk_moments(isserlis::testing::over<Surd>(raw_network({2, 3, 4, 2}, 0)), Surd(3)).variance() ==
              Surd(exact.variance()));
    }
}
