// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/network/activation.hpp>
#include <isserlis/network/weight_law.hpp>
#include <isserlis/ring/power.hpp>
#include <string>

#include "../ring/show.hpp"

using isserlis::Activation;
using isserlis::ActivationKind;
using isserlis::LawKind;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::WeightLaw;

TEST_SUITE("network/weight_law") {
    // E w^4 / (E w^2)^2 by hand: Gaussian 3 (Isserlis), uniform on [-a, a] (a^4/5)/(a^2/3)^2, signs 1, Laplace
    // 4!/(2!)^2.
    TEST_CASE_TEMPLATE("the kurtosis of each law is its textbook value", R, Rational, double, RationalFunction) {
        CHECK(WeightLaw<R>{.kind = LawKind::gaussian}.kurtosis() == R(3));
        CHECK(WeightLaw<R>{.kind = LawKind::uniform}.kurtosis() == R(9) / R(5));
        CHECK(WeightLaw<R>{.kind = LawKind::rademacher}.kurtosis() == R(1));
        CHECK(WeightLaw<R>{.kind = LawKind::laplace}.kurtosis() == R(6));
        CHECK(WeightLaw<R>{.kind = LawKind::kurtosis, .kurtosis_value = R(7)}.kurtosis() == R(7));
    }

    TEST_CASE("a symbolic kurtosis stays a symbol") {
        auto const k = RationalFunction::symbol("kappa");
        CHECK(WeightLaw<RationalFunction>{.kind = LawKind::kurtosis, .kurtosis_value = k}.kurtosis() == k);
    }

    TEST_CASE("names are those of the command line") {
        CHECK(std::string(name(LawKind::gaussian)) == "gaussian");
        CHECK(std::string(name(LawKind::uniform)) == "uniform");
        CHECK(std::string(name(LawKind::rademacher)) == "rademacher");
        CHECK(std::string(name(LawKind::laplace)) == "laplace");
        CHECK(std::string(name(LawKind::kurtosis)) == "kurtosis");
    }
}

TEST_SUITE("network/activation") {
    TEST_CASE("only ReLU and leaky units are gated, and only crelu is concatenated") {
        CHECK(Activation<Rational>{.kind = ActivationKind::relu}.is_gated());
        CHECK(Activation<Rational>{.kind = ActivationKind::leaky}.is_gated());
        CHECK_FALSE(Activation<Rational>{.kind = ActivationKind::linear}.is_gated());
        CHECK_FALSE(Activation<Rational>{.kind = ActivationKind::crelu}.is_gated());
        CHECK_FALSE(Activation<Rational>{.kind = ActivationKind::crelu_tied}.is_gated());
        CHECK(Activation<Rational>{.kind = ActivationKind::crelu}.is_concatenated());
        CHECK(Activation<Rational>{.kind = ActivationKind::crelu_tied}.is_concatenated());
        CHECK_FALSE(Activation<Rational>{.kind = ActivationKind::relu}.is_concatenated());
    }

    // residual.md, section 1: ReLU multiplies by 0 or 1, leaky by s or 1, linear and crelu by 1.
    TEST_CASE_TEMPLATE("the gate's slope is 0, s or 1", R, Rational, double, isserlis::Surd) {
        R const s = R(1) / R(3);
        CHECK(Activation<R>{.kind = ActivationKind::relu, .slope = s}.gate().negative == R(0));
        CHECK(Activation<R>{.kind = ActivationKind::leaky, .slope = s}.gate().negative == s);
        CHECK(Activation<R>{.kind = ActivationKind::linear, .slope = s}.gate().negative == R(1));
        CHECK(Activation<R>{.kind = ActivationKind::crelu, .slope = s}.gate().negative == R(1));
        CHECK(Activation<R>{.kind = ActivationKind::crelu_tied, .slope = s}.gate().negative == R(1));
    }

    TEST_CASE("names are those of the command line") {
        CHECK(std::string(name(ActivationKind::linear)) == "linear");
        CHECK(std::string(name(ActivationKind::relu)) == "relu");
        CHECK(std::string(name(ActivationKind::leaky)) == "leaky");
        CHECK(std::string(name(ActivationKind::crelu)) == "crelu");
        CHECK(std::string(name(ActivationKind::crelu_tied)) == "crelu-tied");
    }
}
