// SPDX-License-Identifier: MIT
#include "formula/unit_factors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <isserlis/error.hpp>
#include <numbers>
#include <vector>

#include "normal_sums.hpp"

using isserlis::testing::is_near;
using namespace isserlis;

TEST_SUITE("formula/unit_factors") {
    namespace {

    using Complex = std::complex<double>;

    constexpr std::array factor_units{SmoothUnit::tanh, SmoothUnit::sigmoid, SmoothUnit::softplus,
                                      SmoothUnit::silu, SmoothUnit::gelu,    SmoothUnit::erf};

    /// By its series [Abramowitz-Stegun 7.1.5], for small z.
    Complex complex_erf(Complex z) {
        Complex term = z;
        Complex sum = z;
        for (int n = 1; n < 80; ++n) {
            term *= -z * z / static_cast<double>(n);
            sum += term / (2.0 * n + 1);
        }
        return 2 / std::sqrt(std::numbers::pi) * sum;
    }

    Complex complex_unit(SmoothUnit unit, Complex z) {
        Complex const logistic = 1.0 / (1.0 + std::exp(-z));
        switch (unit) {
            case SmoothUnit::tanh: return std::tanh(z);
            case SmoothUnit::sigmoid: return logistic;
            case SmoothUnit::softplus: return std::log(1.0 + std::exp(z));
            case SmoothUnit::silu: return z * logistic;
            case SmoothUnit::gelu: return z * (1.0 + complex_erf(z / std::numbers::sqrt2)) / 2.0;
            default: return complex_erf(z);
        }
    }

    /// sigma and five derivatives, by Cauchy's integral over a circle that poles are outside of.
    std::array<Complex, 6> complex_derivatives(SmoothUnit unit, Complex z) {
        constexpr int places = 128;
        constexpr double radius = 0.35;
        std::array<Complex, 6> out{};
        for (int n = 0; n < places; ++n) {
            double const angle = 2 * std::numbers::pi * n / places;
            Complex const value = complex_unit(unit, z + std::polar(radius, angle));
            double size = 1.0 / places;
            for (int k = 0; k < 6; ++k) {
                if (k > 0) size *= k / radius;
                out[static_cast<std::size_t>(k)] += size * std::polar(1.0, -k * angle) * value;
            }
        }
        return out;
    }

    /// In the order of `place_of`.
    std::array<Complex, unit_factor_count> complex_factors(SmoothUnit unit, Complex z) {
        auto const d = complex_derivatives(unit, z);
        return {d[0], d[1], d[2], d[3], d[4], d[5], d[0] * d[0], d[0] * d[0] * d[0], d[0] * d[1], d[0] * d[0] * d[1]};
    }

    void check_factors(UnitPlace const& place, SmoothUnit unit, double z) {
        CAPTURE(static_cast<int>(unit));
        CAPTURE(z);
        auto const expected = complex_factors(unit, z);
        auto const all = place.factors(false);
        REQUIRE(all.size() == unit_factor_count);
        auto const plain = place.factors(true);
        REQUIRE(plain.size() >= 2);
        for (std::size_t k = 0; k < all.size(); ++k) {
            CAPTURE(k);
            CHECK(is_near(all[k], expected[k].real(), 1e-9));
            if (k < 2) CHECK(is_near(plain[k], expected[k].real(), 1e-9));
        }
    }

    }  // namespace

    TEST_CASE("all factors of a unit, by Cauchy's integral") {
        for (auto const unit : factor_units)
            for (int const eighths : {-11, -3, 0, 5, 14}) {
                UnitPlace const place(unit, Interval(ratio(Integer(eighths), Integer(8)), 80));
                check_factors(place, unit, eighths / 8.0);
                check_factors(place.reflected(), unit, -eighths / 8.0);
            }
    }

    // At x + iy, |y| <= 1. Of tanh, whose pole is near, they are no larger than they have to be.
    TEST_CASE("bounds in a strip about the line") {
        for (auto const unit : factor_units)
            for (std::size_t k = 0; k < unit_factor_count; ++k) {
                CAPTURE(static_cast<int>(unit));
                CAPTURE(k);
                auto const growth = growth_of(unit, static_cast<UnitFactor>(k));
                double largest = 0;
                for (int step = -20; step <= 20; ++step)
                    for (double const y : {0.0, 0.5, 1.0}) {
                        double const x = step / 8.0;
                        largest = std::max(largest, std::abs(complex_factors(unit, {x, y})[k]) /
                                                        std::pow(1 + std::abs(x), growth.degree));
                    }
                CHECK(largest <= static_cast<double>(growth.size));
                if (unit == SmoothUnit::tanh && k < 6) CHECK(largest > 0.75 * static_cast<double>(growth.size));
            }
    }

    // softplus grows and its slope is bounded, silu's derivatives have z, gelu's but two are z^k times a density.
    TEST_CASE("degrees of growth") {
        using enum UnitFactor;
        auto const degrees = [](SmoothUnit unit) {
            std::vector<unsigned> out;
            for (auto const f : {value, first, second, fifth, square, cube, value_first, square_first})
                out.push_back(growth_of(unit, f).degree);
            return out;
        };
        CHECK(degrees(SmoothUnit::tanh) == std::vector<unsigned>{0, 0, 0, 0, 0, 0, 0, 0});
        CHECK(degrees(SmoothUnit::sigmoid) == std::vector<unsigned>{0, 0, 0, 0, 0, 0, 0, 0});
        CHECK(degrees(SmoothUnit::erf) == std::vector<unsigned>{0, 0, 0, 0, 0, 0, 0, 0});
        CHECK(degrees(SmoothUnit::softplus) == std::vector<unsigned>{1, 0, 0, 0, 2, 3, 1, 2});
        CHECK(degrees(SmoothUnit::silu) == std::vector<unsigned>{1, 1, 1, 1, 2, 3, 2, 3});
        CHECK(degrees(SmoothUnit::gelu) == std::vector<unsigned>{1, 1, 0, 0, 2, 3, 2, 3});
    }

    TEST_CASE("sigma and sigma' are plain") {
        CHECK(is_plain(UnitFactor::value));
        CHECK(is_plain(UnitFactor::first));
        CHECK_FALSE(is_plain(UnitFactor::second));
        CHECK_FALSE(is_plain(UnitFactor::square));
        CHECK(derivative_factor(place_of(UnitFactor::fourth)) == UnitFactor::fourth);
    }

    TEST_CASE("units in closed form have no bounds here") {
        for (auto const unit : {SmoothUnit::elu, SmoothUnit::selu, SmoothUnit::sin, SmoothUnit::cos})
            CHECK_THROWS_AS((void)growth_of(unit, UnitFactor::value), DomainError);
    }
}
