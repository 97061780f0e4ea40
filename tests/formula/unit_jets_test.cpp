// SPDX-License-Identifier: MIT
#include "formula/unit_jets.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <numbers>

#include "all_units.hpp"
#include "normal_sums.hpp"

using isserlis::testing::is_near;
using namespace isserlis;

TEST_SUITE("formula/unit_jets") {
    namespace {

    constexpr unsigned jet_bits = 80;

    Interval jet_place(int eighths) { return {ratio(Integer(eighths), Integer(8)), jet_bits}; }

    }  // namespace

    TEST_CASE("Phi and its density, by the standard library's erfc") {
        for (int const k : {-20, -3, 0, 5, 17}) {
            double const x = k / 8.0;
            CHECK(is_near(normal_cdf(jet_place(k)), std::erfc(-x / std::numbers::sqrt2) / 2, 1e-15));
            CHECK(is_near(normal_density(jet_place(k)), std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi), 1e-15));
        }
    }

    // Derivatives as quotients of hyperbolic functions.
    TEST_CASE("units that are functions of e^z and z") {
        for (int const k : {-20, -3, 0, 5, 17}) {
            Interval const z = jet_place(k);
            double const x = k / 8.0;
            double const hill = std::pow(2 * std::cosh(x / 2), -2);  // s (1 - s)
            double const s = 1 / (1 + std::exp(-x));
            auto const near = [&](SmoothUnit unit, double value, double first) {
                CAPTURE(static_cast<int>(unit));
                auto const at = enclosed_unit(unit, z, exp(z));
                CHECK(is_near(at.value, value, 1e-14));
                CHECK(is_near(at.first, first, 1e-14));
            };
            near(SmoothUnit::tanh, std::tanh(x), std::pow(std::cosh(x), -2));
            near(SmoothUnit::sigmoid, s, hill);
            near(SmoothUnit::softplus, std::log1p(std::exp(x)), s);
            near(SmoothUnit::silu, x * s, s + x * hill);
        }
        CHECK_THROWS_AS((void)enclosed_unit(SmoothUnit::gelu, jet_place(1), jet_place(2)), DomainError);
    }

    // At iy, |y| <= 1, next to the poles at i pi/2 of tanh and at i pi of the logistic function: tan(1)^2 < 2.43 and
    // |tanh'|^2 <= cos(1)^-4 < 11.8, the others by the header. The next integers.
    TEST_CASE("bounds of units, and which have closed forms") {
        auto const is = [](SmoothUnit unit, long factor, unsigned degree) {
            auto const growth = growth_of(unit);
            REQUIRE(growth.has_value());
            CHECK(growth->factor == factor);
            CHECK(growth->degree == degree);
        };
        is(SmoothUnit::tanh, static_cast<long>(std::ceil(std::pow(std::cos(1.0), -4))), 0);
        is(SmoothUnit::sigmoid, 1, 0);
        is(SmoothUnit::softplus, 4, 2);
        is(SmoothUnit::silu, 4, 2);
        is(SmoothUnit::gelu, 9, 2);
        for (auto const unit : {SmoothUnit::elu, SmoothUnit::selu, SmoothUnit::erf, SmoothUnit::sin, SmoothUnit::cos})
            CHECK_FALSE(growth_of(unit).has_value());
    }

    // In 1024ths, and no more of 1/scale than 999 of a thousand.
    TEST_CASE("half a strip") {
        CHECK(half_strip(1) == ratio(Integer(1022), Integer(1024)));
        CHECK(half_strip(8) == ratio(Integer(127), Integer(1024)));
        CHECK(half_strip(0.5) == ratio(Integer(2045), Integer(1024)));
        CHECK(half_strip(0.3) == ratio(Integer(3409), Integer(1024)));
        CHECK(half_strip(0.01) == ratio(Integer(4091), Integer(1024)));
    }
}
