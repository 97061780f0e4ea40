// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/network_size.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "layers.hpp"

using isserlis::ActivationKind;
using isserlis::Exponent;
using isserlis::minimal_width;
using isserlis::parameter_count;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::layer;
using isserlis::testing::network;

TEST_SUITE("formula/network_size") {
    // By hand: 2-10-10-10-1 has 20 + 100 + 100 + 10 weights; crelu has P and N.
    TEST_CASE_TEMPLATE("2,10:3,1 has 230 weights, and 460 as a crelu network", R, Rational, double, Surd,
                       RationalFunction) {
        auto net = network(std::vector{layer(R(2), R(10), std::uint64_t{1}), layer(R(10), R(10), std::uint64_t{2}),
                                       layer(R(10), R(1), std::uint64_t{1})},
                           ActivationKind::relu);
        CHECK(parameter_count(net) == R(230));
        net.activation.kind = ActivationKind::linear;
        CHECK(parameter_count(net) == R(230));
        net.activation.kind = ActivationKind::leaky;
        CHECK(parameter_count(net) == R(230));
        net.activation.kind = ActivationKind::crelu;
        CHECK(parameter_count(net) == R(460));
        net.activation.kind = ActivationKind::crelu_tied;
        CHECK(parameter_count(net) == R(460));
    }

    // 31 and 61 parameters: [Liquet 2024, eqs. (5.5), (5.6)].
    TEST_CASE("with biases there is one more for each neuron") {
        auto const of = [](std::vector<std::uint64_t> const& widths, ActivationKind kind) {
            std::vector<decltype(layer(Rational(1), Rational(1), std::uint64_t{1}))> layers;
            for (std::size_t q = 1; q < widths.size(); ++q)
                layers.push_back(layer(Rational(widths[q - 1]), Rational(widths[q]), std::uint64_t{1}));
            return network(layers, kind);
        };
        CHECK(parameter_count(of({4, 5, 1}, ActivationKind::relu), true) == Rational(31));
        CHECK(parameter_count(of({4, 4, 3, 5, 1}, ActivationKind::relu), true) == Rational(61));
        CHECK(parameter_count(of({4, 5, 1}, ActivationKind::crelu), true) == Rational(56));
        CHECK(parameter_count(of({4, 5, 1}, ActivationKind::crelu)) == Rational(50));
    }

    TEST_CASE("784,n:L,10 has 784 n + (L - 1) n^2 + 10 n weights, and numbers put in agree") {
        auto const n = RationalFunction::symbol("n");
        auto const L = RationalFunction::symbol("L");
        auto const net = network(
            std::vector{layer(RationalFunction(784), n, Exponent(1)), layer(n, n, Exponent::symbol("L") - Exponent(1)),
                        layer(n, RationalFunction(10), Exponent(1))},
            ActivationKind::relu);
        auto const symbolic = parameter_count(net);
        CHECK(symbolic == 784 * n + (L - 1) * n * n + 10 * n);
        isserlis::testing::holds([&] {
            int const width = any_int(1, 1000);
            int const depth = any_int(1, 50);
            Rational expected = 0;
            std::vector<int> list(static_cast<std::size_t>(depth) + 2, width);
            list.front() = 784;
            list.back() = 10;
            for (std::size_t i = 1; i < list.size(); ++i) expected += list[i - 1] * list[i];
            RC_ASSERT(symbolic.evaluate({{"n", width}, {"L", depth}}) == Surd(expected));
        });
    }

    TEST_CASE("counts past 64 bits are exact") {
        auto const wide = isserlis::power(Rational(10), 30);
        auto const net = network(std::vector{layer(wide, wide, std::uint64_t{1'000'000})}, ActivationKind::relu);
        CHECK(parameter_count(net) == isserlis::power(Rational(10), 66));
    }

    // [Hanin 2017, Thm 1], as [Hettinger 2019, Thm 3.6]: d_in + 1 <= w <= d_in + d_out.
    TEST_CASE_TEMPLATE("minimal widths lie between d_in + 1 and d_in + d_out, and meet for one output", R, Rational,
                       double, RationalFunction) {
        auto const out = minimal_width(R(2), R(5));
        CHECK(out.lower == R(3));
        CHECK(out.upper == R(7));
        CHECK(minimal_width(R(2), R(1)).lower == minimal_width(R(2), R(1)).upper);
    }
}
