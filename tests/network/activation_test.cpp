// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/network/activation.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/power.hpp>

#include "../ring/show.hpp"

using isserlis::Activation;
using isserlis::ActivationKind;
using isserlis::Gate;
using isserlis::Rational;
using isserlis::WeightSides;

TEST_SUITE("network/activation") {
    // By hand: half of 2^k + (-3)^k.
    TEST_CASE_TEMPLATE("both values of a gate count in its moments", R, Rational, double, isserlis::Surd) {
        Gate<R> const gate{R(2), R(-3)};
        CHECK(gate.moment(0) == R(1));
        CHECK(gate.moment(1) == R(-1) / R(2));
        CHECK(gate.moment(2) == R(13) / R(2));
        CHECK(gate.moment(4) == R(97) / R(2));
    }

    TEST_CASE("a gate is ReLU unless said otherwise, an open one changes nothing") {
        CHECK(Gate<Rational>{} == Gate<Rational>{1, 0});
        CHECK(Gate<Rational>::open().moment(7) == 1);
    }

    TEST_CASE("the gate and the sides of each activation") {
        auto const of = [](ActivationKind kind) { return Activation<Rational>{.kind = kind, .slope = 5}; };
        CHECK(of(ActivationKind::relu).gate() == Gate<Rational>{});
        CHECK(of(ActivationKind::leaky).gate() == Gate<Rational>{1, 5});
        for (auto const kind : {ActivationKind::linear, ActivationKind::crelu, ActivationKind::crelu_tied}) {
            CHECK(of(kind).gate() == Gate<Rational>::open());
            CHECK_FALSE(of(kind).is_gated());
        }
        CHECK(of(ActivationKind::relu).sides() == WeightSides::one);
        CHECK(of(ActivationKind::crelu).sides() == WeightSides::independent);
        CHECK(of(ActivationKind::crelu_tied).sides() == WeightSides::tied);
        CHECK(of(ActivationKind::crelu).is_concatenated());
        CHECK_FALSE(of(ActivationKind::crelu).is_tied());
        CHECK_FALSE(of(ActivationKind::linear).is_concatenated());
    }
}
