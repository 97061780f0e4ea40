// SPDX-License-Identifier: MIT
// In a file of its own: GCC 12 failed to link it only where nothing else used RationalFunction's default constructor.
#include <doctest/doctest.h>

#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/rational_function.hpp>

using isserlis::Exponent;
using isserlis::RationalFunction;

TEST_SUITE("network/designated_initialisers") {
    TEST_CASE("a network of formulas by nested designated initialisers; what they leave out is 0") {
        auto const n = RationalFunction::symbol("n");
        isserlis::FullyConnected<RationalFunction, Exponent> const net{
            .layers = {{.fan_in = n, .fan_out = n, .count = Exponent::symbol("L"), .variance = 2 / n}},
            .activation = {.kind = isserlis::ActivationKind::leaky, .slope = RationalFunction(1)}};
        CHECK(net.layers.front().variance == 2 / n);
        CHECK(net.layers.front().law.kurtosis_value == RationalFunction(0));
        CHECK(net.activation.gate().negative == RationalFunction(1));
    }
}
