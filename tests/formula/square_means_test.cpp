// SPDX-License-Identifier: MIT
#include "formula/square_means.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <isserlis/error.hpp>

#include "all_units.hpp"
#include "double_units.hpp"
#include "normal_sums.hpp"

using isserlis::test::all_units;
using isserlis::testing::is_near;
using isserlis::testing::normal_sum;
using isserlis::testing::unit_slope;
using isserlis::testing::unit_value;
using namespace isserlis;

TEST_SUITE("formula/square_means") {
    namespace {

    constexpr unsigned mean_bits = 90;

    /// By the variance: a function, and two derivatives by differences of seven places (Abramowitz-Stegun 25.3.28).
    std::array<double, 3> with_differences(std::function<double(double)> const& f, double variance) {
        double const step = variance / 30;
        std::array<double, 7> y{};
        for (int k = -3; k <= 3; ++k) y[static_cast<std::size_t>(k + 3)] = f(variance + k * step);
        return {y[3], (y[6] - y[0] - 9 * (y[5] - y[1]) + 45 * (y[4] - y[2])) / (60 * step),
                (2 * (y[6] + y[0]) - 27 * (y[5] + y[1]) + 270 * (y[4] + y[2]) - 490 * y[3]) / (180 * step * step)};
    }

    void check_mean(VarianceMean const& mean, std::function<double(double)> const& f, double variance) {
        auto const of = [](Enclosed const& x) { return x.enclose(mean_bits); };
        auto const [value, slope, bend] = with_differences([&](double k) { return normal_sum(f, k); }, variance);
        CHECK(is_near(of(mean.value), value, 1e-11 * (1 + variance)));
        CHECK(is_near(of(mean.slope), slope, 1e-7));
        CHECK(is_near(of(mean.bend), bend, 1e-6));
    }

    void check_width(Enclosed const& wide, Enclosed const& narrow) {
        Interval const x = wide.enclose(mean_bits);
        Interval const y = narrow.enclose(mean_bits);
        CHECK(mpfr_lessequal_p(x.lower(), y.lower()) != 0);
        CHECK(mpfr_lessequal_p(y.upper(), x.upper()) != 0);
    }

    }  // namespace

    TEST_CASE("means of squares, by sums and their differences") {
        for (auto const unit : all_units) {
            CAPTURE(static_cast<int>(unit));
            auto const square = [unit](double z) { return std::pow(unit_value(unit, z), 2); };
            auto const slope = [unit](double z) { return std::pow(unit_slope(unit, z), 2); };
            for (int const tenths : {6, 21}) {
                double const variance = tenths / 10.0;
                auto const means = square_means(unit, Enclosed(ratio(Integer(tenths), Integer(10))), mean_bits);
                check_mean(means.square, square, variance);
                check_mean(means.derivative, slope, variance);
                double const quartic = normal_sum([&](double z) { return std::pow(square(z), 2); }, variance);
                double const joint = normal_sum([&](double z) { return square(z) * slope(z); }, variance);
                CHECK(is_near(means.quartic.enclose(mean_bits), quartic, 1e-11 * (1 + quartic)));
                CHECK(is_near(means.joint.enclose(mean_bits), joint, 1e-11 * (1 + joint)));
            }
        }
    }

    TEST_CASE("enclosures of more bits lie within") {
        for (auto const unit : all_units)
            for (auto const& variance : {ratio(Integer(1), Integer(5)), ratio(Integer(9), Integer(1))}) {
                CAPTURE(static_cast<int>(unit));
                auto const wide = square_means(unit, variance, 24);
                auto const narrow = square_means(unit, variance, 70);
                check_width(wide.square.value, narrow.square.value);
                check_width(wide.square.slope, narrow.square.slope);
                check_width(wide.square.bend, narrow.square.bend);
                check_width(wide.derivative.bend, narrow.derivative.bend);
                check_width(wide.quartic, narrow.quartic);
                check_width(wide.joint, narrow.joint);
            }
    }

    // Of slope -1/2 below 0: moments (1 + 1/4)/2 and (1 + 1/16)/2, E z^4 = 3 K^2.
    TEST_CASE("gates are rational") {
        Gate<Rational> gate;
        gate.negative = ratio(Integer(-1), Integer(2));
        auto const means = square_means(gate, Enclosed(6), mean_bits);
        auto const part = [](int n, int d) { return Enclosed(ratio(Integer(n), Integer(d))); };
        CHECK(means.square.value == part(15, 4));
        CHECK(means.square.slope == part(5, 8));
        CHECK(means.square.bend == Enclosed(0));
        CHECK(means.derivative.value == part(5, 8));
        CHECK(means.derivative.slope == Enclosed(0));
        CHECK(means.derivative.bend == Enclosed(0));
        CHECK(means.quartic == part(17 * 3 * 36, 32));
        CHECK(means.joint == part(17 * 6, 32));
    }

    TEST_CASE("variances are positive, and up to 10000") {
        CHECK_THROWS_AS((void)square_means(SmoothUnit::sin, Enclosed(0), mean_bits), DomainError);
        CHECK_THROWS_AS((void)square_means(SmoothUnit::sin, Enclosed(-1), mean_bits), DomainError);
        CHECK_THROWS_AS((void)square_means(SmoothUnit::sin, Enclosed(10001), mean_bits), UnsupportedError);
        CHECK_NOTHROW((void)square_means(SmoothUnit::sin, Enclosed(10000), mean_bits));
        CHECK_NOTHROW((void)square_means(SmoothUnit::sin, Enclosed(ratio(Integer(1), Integer(2))), mean_bits));
    }
}
