// SPDX-License-Identifier: MIT
#include "formula/normal_pair.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "double_units.hpp"
#include "normal_sums.hpp"

using isserlis::testing::double_density;
using isserlis::testing::double_phi;
using isserlis::testing::is_near;
using namespace isserlis;

TEST_SUITE("formula/normal_pair") {
    namespace {

    constexpr unsigned triangle_bits = 100;

    Rational hundredths(int n) { return ratio(Integer(n), Integer(100)); }

    Interval side(int n) { return {hundredths(n), triangle_bits}; }

    PairCovariance covariance(int uu, int uv, int vv) {
        return {.uu = hundredths(uu), .uv = hundredths(uv), .vv = hundredths(vv)};
    }

    /// Column by column, by Simpson's rule.
    double columns(double h, double w) {
        constexpr int steps = 6000;
        double sum = 0;
        for (int k = 0; k <= steps; ++k) {
            double const x = h * k / steps;
            double const weight = k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2;
            sum += weight * double_density(x) * (double_phi(w * k / steps) - 0.5);
        }
        return sum * h / (3 * steps);
    }

    double width(Interval const& x) {
        return mpfr_get_d(x.upper(), MPFR_RNDU) == 0 ? 0 : mpfr_get_d((Interval(x) - x).upper(), MPFR_RNDU);
    }

    bool lies_in(Interval const& narrow, Interval const& wide) {
        return mpfr_lessequal_p(wide.lower(), narrow.lower()) != 0 &&
               mpfr_lessequal_p(narrow.upper(), wide.upper()) != 0;
    }

    }  // namespace

    TEST_CASE("the root of a pair, 0 where the covariance is too large") {
        NormalPair const p = normal_pair(covariance(400, 300, 900), triangle_bits);
        CHECK(is_near(p.uu, 4, 1e-25));
        CHECK(is_near(p.uv, 3, 1e-25));
        CHECK(is_near(p.vv, 9, 1e-25));
        CHECK(is_near(p.root, std::sqrt(27.0), 1e-14));
        CHECK(mpfr_zero_p(normal_pair(covariance(100, 150, 200), triangle_bits).root.upper()) != 0);
    }

    TEST_CASE("what an angle leaves of pi") {
        for (int const c : {-190, -100, -1, 0, 1, 100, 190}) {
            auto const p = normal_pair(covariance(200, c, 200), triangle_bits);
            double const root = std::sqrt(4 - c * c / 1e4);
            CHECK(is_near(rest_of_angle(p), std::atan2(root, -c / 100.0), 1e-14));
            CHECK(width(rest_of_angle(p)) < 1e-26);
        }
        CHECK(is_near(rest_of_angle(normal_pair(covariance(200, 200, 200), triangle_bits)), std::numbers::pi, 1e-14));
        CHECK(is_near(rest_of_angle(normal_pair(covariance(200, -200, 200), triangle_bits)), 0, 1e-25));
    }

    // Flat ones, steep ones, and those about the diagonal.
    TEST_CASE("measures of triangles, column by column") {
        for (int const h : {10, 70, 100, 250, 600, 900})
            for (int const w : {5, 70, 100, 104, 130, 400, 850}) {
                CAPTURE(h);
                CAPTURE(w);
                double const measure = columns(h / 100.0, w / 100.0);
                CHECK(is_near(owen_triangle(side(h), side(w)), measure, 1e-12));
                CHECK(is_near(owen_triangle(side(-h), side(w)), -measure, 1e-12));
                CHECK(is_near(owen_triangle(side(h), side(-w)), -measure, 1e-12));
                CHECK(is_near(owen_triangle(side(-h), side(-w)), measure, 1e-12));
                CHECK(width(owen_triangle(side(h), side(w))) < 1e-24);
                for (unsigned const bits : {20U, 40U}) {
                    Interval const wide = owen_triangle({hundredths(h), bits}, {hundredths(w), bits});
                    CHECK(lies_in(owen_triangle(side(h), side(w)), wide));
                }
            }
    }

    // No further from 0 than the rectangle.
    TEST_CASE("a triangle that may lie on either side") {
        auto const about_zero = [](int hundredth) { return widened(Interval(triangle_bits), side(hundredth)); };
        Interval const both = owen_triangle(about_zero(1), about_zero(2));
        CHECK(mpfr_get_d(both.upper(), MPFR_RNDN) == doctest::Approx(2e-4));
        CHECK(mpfr_get_d(both.lower(), MPFR_RNDN) == doctest::Approx(-2e-4));
        CHECK(is_near(owen_triangle(about_zero(0), side(100)), 0, 1e-20));
        CHECK(is_near(owen_triangle(side(100), about_zero(0)), 0, 1e-20));
    }
}
