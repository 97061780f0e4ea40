// SPDX-License-Identifier: MIT
#include "formula/pair_layer.hpp"

#include <doctest/doctest.h>

#include <array>

#include "double_units.hpp"
#include "normal_sums.hpp"
#include "pair_layer_sums.hpp"
#include "tenths_pair.hpp"

using isserlis::testing::check_layer;
using isserlis::testing::layer_sums;
using isserlis::testing::tenths_pair;
using isserlis::testing::unit_slope;
using isserlis::testing::unit_value;
using namespace isserlis;

TEST_SUITE("formula/pair_layer") {
    namespace {

    constexpr unsigned layer_bits = 120;

    auto sums_of_unit(SmoothUnit unit, double a, double c, double b) {
        return layer_sums([unit](double z) { return unit_value(unit, z); },
                          [unit](double z) { return unit_slope(unit, z); }, a, c, b);
    }

    }  // namespace

    TEST_CASE("a unit at a pair, by sums over the plane") {
        for (auto const unit : {SmoothUnit::sin, SmoothUnit::selu, SmoothUnit::silu}) {
            CAPTURE(static_cast<int>(unit));
            check_layer(smooth_pair_layer(unit, tenths_pair(9, -4, 14), true, layer_bits),
                        sums_of_unit(unit, 0.9, -0.4, 1.4));
        }
        check_layer(smooth_pair_layer(SmoothUnit::cos, tenths_pair(8, 3, 8), true, layer_bits),
                    sums_of_unit(SmoothUnit::cos, 0.8, 0.3, 0.8));
    }

    TEST_CASE("derivatives that are not asked for are 0, but for the slope") {
        auto sums = sums_of_unit(SmoothUnit::erf, 0.9, 0.4, 1.4);
        double const slope = sums.slopes[1][1];
        sums.slopes = {};
        sums.slopes[1][1] = slope;
        sums.bends = {};
        sums.derivative_bends = {};
        check_layer(smooth_pair_layer(SmoothUnit::erf, tenths_pair(9, 4, 14), false, layer_bits), sums);
    }

    // One of three numbers is known to 1e-6: what holds at both ends lies within.
    TEST_CASE("enclosures of the covariance go through") {
        Rational const hair = ratio(Integer(1), Integer(1000000));
        std::array<int, 3> const tenths{9, 4, 14};
        auto const layer = [](std::array<Enclosed, 3> const& x) {
            return smooth_pair_layer(SmoothUnit::tanh, {.uu = x[0], .uv = x[1], .vv = x[2]}, false, layer_bits);
        };
        auto const number = [&](std::size_t k) { return ratio(Integer(tenths[k]), Integer(10)); };
        auto const lies_within = [](Interval const& narrow, Interval const& wide) {
            return mpfr_lessequal_p(wide.lower(), narrow.lower()) != 0 &&
                   mpfr_lessequal_p(narrow.upper(), wide.upper()) != 0;
        };
        for (std::size_t k = 0; k < 3; ++k) {
            std::array<Enclosed, 3> numbers{number(0), number(1), number(2)};
            numbers[k] = Enclosed(widened(Interval(number(k), layer_bits), Interval(hair, layer_bits)));
            auto const wide = layer(numbers);
            for (int const side : {-1, 1}) {
                numbers[k] = Enclosed(Rational(number(k) + hair * side));
                auto const narrow = layer(numbers);
                CHECK(lies_within(narrow.squares[pair_xy], wide.squares[pair_xy]));
                CHECK(lies_within(narrow.slopes[pair_xy][pair_xy], wide.slopes[pair_xy][pair_xy]));
                for (std::size_t i = 0; i < 3; ++i) CHECK(lies_within(narrow.gated_squares[i], wide.gated_squares[i]));
            }
        }
    }
}
