// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/y_functionals.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "hessian_networks.hpp"
#include "layers.hpp"

using isserlis::ActivationKind;
using isserlis::hessian_norm;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::y_functionals;
using isserlis::testing::by_strands;
using isserlis::testing::Count;
using isserlis::testing::effective_network;

namespace {

/// He networks with a label factor of its own for each layer.
isserlis::FullyConnected<Rational, Count> he_network(std::vector<int> const& widths) {
    auto net = effective_network(std::vector<Rational>(widths.begin(), widths.end()));
    for (std::size_t l = 0; l < net.layers.size(); ++l) net.layers[l].label_factor *= ratio(static_cast<int>(l) + 2, 3);
    return net;
}

std::vector<std::vector<int>> const grid = {{1, 1, 1},    {2, 3, 1},       {3, 2, 4, 1},
                                            {1, 2, 2, 1}, {2, 1, 3, 2, 1}, {2, 4, 3, 1, 2, 1}};

}  // namespace

TEST_SUITE("formula/y_functionals") {
    // The queries name the last layer of a network cut off there, with a linear top: z is its output.
    TEST_CASE("the fourteen functionals equal the strand engine") {
        for (auto const& widths : std::vector<std::vector<int>>{{2, 3, 1}, {3, 2, 4, 1}, {2, 1, 3, 2, 1}}) {
            auto const net = he_network(widths);
            auto const all = y_functionals(net, Rational(3));
            REQUIRE(all.size() == widths.size() - 2);
            for (std::size_t l = 1; l <= all.size(); ++l) {
                auto cut = net;
                cut.layers.resize(l);
                Rational const n = widths[l];
                auto strands = [&](char const* query) { return by_strands(cut, query, 3); };
                auto const& y = all[l - 1];
                CHECK(y.u == strands("z[i;m]^2") / n);
                CHECK(y.v == strands("z[i;m,n]^2") / n);
                CHECK(y.y0 == strands("z[i;m]^2 z[j]^2") / (n * n));
                CHECK(y.y1 == strands("z[i] z[i;m] z[j] z[j;m]") / (n * n));
                CHECK(y.ystar == strands("z[1]^2 z[1;m]^2"));
                CHECK(y.p0 == strands("z[i;m]^2 z[j;n]^2") / (n * n));
                CHECK(y.p1 == strands("z[i;m] z[i;n] z[j;m] z[j;n]") / (n * n));
                CHECK(y.pstar == strands("z[1;m]^2 z[1;n]^2"));
                CHECK(y.q0 == strands("z[i;m,n]^2 z[j]^2") / (n * n));
                CHECK(y.q1 == strands("z[i] z[i;m,n] z[j] z[j;m,n]") / (n * n));
                CHECK(y.qstar == strands("z[1]^2 z[1;m,n]^2"));
                CHECK(y.r0 == strands("z[i;m,n] z[i;m] z[j] z[j;n]") / (n * n));
                CHECK(y.r2 == strands("z[i] z[i;m,n] z[j;m] z[j;n]") / (n * n));
                CHECK(y.rstar == strands("z[1] z[1;m,n] z[1;m] z[1;n]"));
            }
        }
    }

    TEST_CASE("the closed form of one layer is that of the recursion, on random networks") {
        isserlis::testing::holds([] {
            using isserlis::testing::any_int;
            std::vector<int> widths{any_int(1, 5)};
            int const layers = any_int(2, 20);
            for (int l = 0; l < layers; ++l) widths.push_back(any_int(0, 1) == 0 ? widths.back() : any_int(1, 9));
            auto net = he_network(widths);
            if (any_int(0, 1) == 0)  // layers that are equal to those below them
                for (auto& run : net.layers) run.label_factor = ratio(any_int(1, 2), 3);
            auto const all = y_functionals(net, Rational(3));
            auto const l = static_cast<std::size_t>(any_int(1, layers - 1));
            CHECK(isserlis::y_functionals_of_layer(net, Rational(3), l) == all[l - 1]);
        });
    }

    TEST_CASE("every layer of a network whose layers repeat") {
        auto net = effective_network(std::vector<Rational>{2, 5, 3, 3, 3, 4, 4, 4, 1});
        for (auto& run : net.layers) run.label_factor = ratio(2, 3);
        auto const all = y_functionals(net, Rational(3));
        for (std::size_t l = 1; l <= all.size(); ++l)
            CHECK(isserlis::y_functionals_of_layer(net, Rational(3), l) == all[l - 1]);
        for (std::uint64_t const l : {0U, 8U})
            CHECK_THROWS_WITH_AS((void)isserlis::y_functionals_of_layer(net, Rational(3), l),
                                 doctest::Contains("hidden layers are 1 .. 7"), isserlis::DomainError);
        net.layers.back().variance = 5;  // the head does not enter
        CHECK(y_functionals(net, Rational(3)) == all);
    }

    TEST_CASE("the corrected Lemma 2 gives every part of the closed form") {
        for (auto const& widths : grid) {
            auto const net = he_network(widths);
            auto const& head = net.layers.back();
            auto const parts = hessian_norm_of(y_functionals(net, Rational(3)).back(), head.fan_in,
                                               Rational(head.label_factor * head.fan_in), ratio(5, 2));
            CHECK(parts == hessian_norm(net, Rational(3), ratio(5, 2)));
        }
    }

    // Section 2 of the specification.
    TEST_CASE("the redundant functionals are those that the others fix") {
        for (auto const& widths : grid) {
            auto const net = he_network(widths);
            auto const all = y_functionals(net, Rational(2));
            for (std::size_t l = 0; l < all.size(); ++l) {
                auto const& y = all[l];
                Rational const f = 1 + 2 / net.layers[l].fan_out;
                CHECK(f * y.ystar == y.y0 + 2 * y.y1);
                CHECK(f * y.pstar == y.p0 + 2 * y.p1);
                CHECK(f * y.qstar == y.q0 + 2 * y.q1);
                CHECK(f * y.rstar == 2 * y.r0 + y.r2);
            }
        }
    }

    TEST_CASE("in symbols the first layer of a network of width n has Y0 = 2 eta^2 and Y1 = 2 eta^2/n") {
        auto const n = RationalFunction::symbol("n");
        auto const y = y_functionals(effective_network(std::vector<RationalFunction>{n, n, 1}), n);
        CHECK(y[0].y0 == RationalFunction(2));
        CHECK(y[0].y1 == 2 / n);
        CHECK(y[0].p1 == 1 / n);
        CHECK(y[0].q0 == RationalFunction(0));
    }

    TEST_CASE("other activations and variances are refused") {
        auto net = he_network({2, 3, 1});
        net.layers[0].variance = 1;
        net.layers[0].fan_in = 3;
        CHECK_THROWS_AS((void)y_functionals(net, Rational(1)), isserlis::UnsupportedError);
        net = he_network({2, 3, 1});
        net.activation.kind = ActivationKind::linear;
        CHECK_THROWS_AS((void)y_functionals(net, Rational(1)), isserlis::UnsupportedError);
    }
}
