// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/rescaled_step.hpp>
#include <isserlis/ring/rational.hpp>

using namespace isserlis;

TEST_SUITE("formula/rescaled_step") {
    // By hand (docs/formulas/rescaled_step.md): muP's variances of 1,1,1 are 2 and 1, so c_1^2 = 1/2 and c_2^2 = 1.
    TEST_CASE("1,1,1 with variances 1 is the muP network at other rates and targets") {
        FullyConnected<Rational, std::uint64_t> net;
        net.activation = {.kind = ActivationKind::relu, .slope = Rational(0)};
        net.layers = {{.fan_in = 1, .fan_out = 1, .count = 2, .variance = 1}};  // the last layer has a run of its own
        RescaledStep<Rational> const step(net, Rational(1));

        REQUIRE(step.net().layers.size() == 2);
        CHECK(step.net().layers[0].variance == 2);
        CHECK(step.net().layers[1].variance == 1);
        CHECK(step.net().layers[0].label_factor == 2);  // h/c^2
        CHECK(step.net().layers[1].label_factor == 1);
        CHECK(step.growth(0) == 1);
        CHECK(step.growth(1) == ratio(1, 2));
        CHECK(step.whole() == ratio(1, 2));
        CHECK(step.target_second() == 2);  // E|y/C|^2

        // z' = w_2 a(sqrt(2) w_1): E z'^2 = 1, E z' Delta z' = -(E a^4 + 2 E w_2^4 E a^2) = -(6 + 6).
        auto const output = step.moments(2, {.square = 1, .covariance = -12, .change_square = 8});
        CHECK(output.square == ratio(1, 2));
        CHECK(output.covariance == -3);
        CHECK(output.change_square == 1);
    }

    // By hand: a = relu(w_1), K = a^2 + w_2^2 [w_1 > 0], both w of variance 1, y of second moment 1. Layer 1: E z_1^2 = 1,
    // E z_1 Delta z_1 = -E a^2 w_2^2 = -1/2, E (w_2 a - y)^2 w_2^2 [w_1 > 0] = 3/2 + 1/2. Output: E w_2^2 a^2 = 1/2,
    // -E K w_2^2 a^2 = -(3/2 + 3/2), E K^2 (w_2^2 a^2 + y^2) = 15/2 + 9 + 15/2 + 3/2 + 1 + 3/2.
    TEST_CASE("1,1,1 with variances 1 has the moments by hand") {
        FullyConnected<Rational, std::uint64_t> net;
        net.activation = {.kind = ActivationKind::relu, .slope = Rational(0)};
        net.layers = {{.fan_in = 1, .fan_out = 1, .count = 1, .variance = 1},
                      {.fan_in = 1, .fan_out = 1, .count = 1, .variance = 1}};
        auto const found = rescaled_moments(net, Rational(1), Rational(1));
        REQUIRE(found.size() == 2);
        CHECK(found[0] == CoordinateMoments<Rational>{.square = 1, .covariance = ratio(-1, 2), .change_square = 2});
        CHECK(found[1] == CoordinateMoments<Rational>{.square = ratio(1, 2), .covariance = -3, .change_square = 28});
        CHECK_FALSE(RescaledStep<Rational>(net, Rational(1)).is_mup());
        net.layers[0].variance = 2;
        CHECK(RescaledStep<Rational>(net, Rational(1)).is_mup());
    }

    // The same with w_2 of variance 4: -E a^2 w_2^2 = -2, E w_2^4 a^2 + E w_2^2 [w_1 > 0] = 24 + 2. Output: 4/2,
    // -(3/2 4 + 48/2), 15/2 4 + 2 3/2 48 + 1/2 960 + 3/2 + 2 1/2 4 + 48/2.
    TEST_CASE("1,1,1 with variances 1 and 4 has the moments by hand") {
        FullyConnected<Rational, std::uint64_t> net;
        net.activation = {.kind = ActivationKind::relu, .slope = Rational(0)};
        net.layers = {{.fan_in = 1, .fan_out = 1, .count = 1, .variance = 1},
                      {.fan_in = 1, .fan_out = 1, .count = 1, .variance = 4}};
        auto const found = rescaled_moments(net, Rational(1), Rational(1));
        REQUIRE(found.size() == 2);
        CHECK(found[0] == CoordinateMoments<Rational>{.square = 1, .covariance = -2, .change_square = 26});
        CHECK(found[1] == CoordinateMoments<Rational>{.square = 2, .covariance = -30, .change_square = ratio(1367, 2)});
    }

    // Three matrices of variance 3: c^2 = 3/2, 3/2, 3.
    TEST_CASE("factors in the middle of a run, and the parts of a change") {
        FullyConnected<Rational, std::uint64_t> net;
        net.activation = {.kind = ActivationKind::relu, .slope = Rational(0)};
        net.layers = {{.fan_in = 1, .fan_out = 1, .count = 3, .variance = 3}};
        RescaledStep<Rational> const step(net, Rational(1));
        REQUIRE(step.net().layers.size() == 2);
        CHECK(step.net().layers[0].count == 2);
        CHECK(step.net().layers[1].count == 1);
        CHECK(step.growth(1) == ratio(3, 2));
        CHECK(step.growth(2) == ratio(9, 4));
        CHECK(step.growth(3) == ratio(27, 4));
        // C_2^2 C^4 = 9/4 729/16 of both parts, C_2^4 = 81/16 of the fourth moment.
        auto const found = step.layer(2, {.a = 64, .b = 128, .b_tilde = 1, .c = 1, .c_tilde = 1, .fourth_power = 16});
        CHECK(found.a == 6561);
        CHECK(found.b == 13122);
        CHECK(found.b_tilde == 0);
        CHECK(found.c == 0);
        CHECK(found.c_tilde == 0);
        CHECK(found.fourth_power == 81);
    }
}
