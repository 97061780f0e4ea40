// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/ring/decimal.hpp>

#include <array>
#include <cmath>

#include "../ring/property.hpp"
#include "loss_curve_data.hpp"

TEST_SUITE("formula/crelu_kernels") {
    using isserlis::DoubleKernels;
    using isserlis::input_pair;
    using isserlis::Interval;
    using isserlis::IntervalKernels;
    using isserlis::ratio;
    using isserlis::Rational;

    namespace {

    using Vector = std::vector<double>;
    constexpr DoubleKernels doubles;
    double const pi = std::acos(-1.0);

    double third(Vector const& x, Vector const& y, Vector const& z) {
        return third_kernel(doubles, input_pair(doubles, x, y), input_pair(doubles, x, z), input_pair(doubles, y, z));
    }

    bool holds_in(Interval const& interval, double value, double slack) {
        double const low = mpfr_get_d(interval.lower(), MPFR_RNDD);
        double const high = mpfr_get_d(interval.upper(), MPFR_RNDU);
        return low <= value + slack && value - slack <= high && high - low <= 1e-12 * (1 + std::abs(low));
    }

    /// E f(G) over the directions of the plane, G = r (cos p, sin p): f of degree 4, E r^4 = 8.
    template <class F>
    double plane_mean(F const& f) {
        int const steps = 200'000;
        double sum = 0;
        for (int i = 0; i < steps; ++i) {
            double const p = 2 * pi * (i + 0.5) / steps;
            sum += f(std::cos(p), std::sin(p));
        }
        return 8 * sum / steps;
    }

    /// The same over the sphere: E r^4 = 15.
    template <class F>
    double sphere_mean(F const& f) {
        int const steps = 1500;
        double sum = 0;
        for (int i = 0; i < steps; ++i) {
            double const z = 2 * (i + 0.5) / steps - 1;
            double const r = std::sqrt(1 - z * z);
            for (int j = 0; j < steps; ++j) {
                double const p = 2 * pi * (j + 0.5) / steps;
                sum += f(r * std::cos(p), r * std::sin(p), z);
            }
        }
        return 15 * sum / steps / steps;
    }

    double relu(double x) { return x > 0 ? x : 0; }

    }  // namespace

    // Section 8: kap1(0) = 1, kap1(pi) = 0, kap2(0) = 3, kap2(pi) = 0; KAP-90: 1/pi and 1/2.
    TEST_CASE("angles 0, 90 and 180 degrees") {
        auto first = [](Vector const& x, Vector const& y) { return first_kernel(doubles, input_pair(doubles, x, y)); };
        auto second = [](Vector const& x, Vector const& y) {
            return second_kernel(doubles, input_pair(doubles, x, y));
        };
        CHECK(first({1, 2}, {2, 4}) == doctest::Approx(10));
        CHECK(second({1, 2}, {2, 4}) == doctest::Approx(300));
        CHECK(first({1, 2}, {-2, -4}) == 0);
        CHECK(second({1, 2}, {-2, -4}) == 0);
        CHECK(first({3, 0}, {0, 2}) == doctest::Approx(6 / pi));
        CHECK(second({3, 0}, {0, 2}) == doctest::Approx(18));
        CHECK(first({0, 0}, {0, 2}) == 0);
        IntervalKernels const kernels{200};
        auto const right = input_pair(kernels, 1, 1, 0);
        CHECK(isserlis::decimal(
                  [&](unsigned bits) {
                      IntervalKernels const k{bits};
                      return first_kernel(k, input_pair(k, 1, 1, 0));
                  },
                  20) == "0.31830988618379067154");
        CHECK(holds_in(second_kernel(kernels, right), 0.5, 0));
        // y = x/2: x.y and 3 (x.y)^2; y = -x/2: 0.
        auto const along = input_pair(kernels, 1, ratio(1, 4), ratio(1, 2));
        CHECK(holds_in(first_kernel(kernels, along), 0.5, 0));
        CHECK(holds_in(second_kernel(kernels, along), 0.75, 0));
        CHECK(holds_in(first_kernel(kernels, input_pair(kernels, 1, ratio(1, 4), ratio(-1, 2))), 0, 0));
    }
    // By definition: one Gaussian of the plane.
    TEST_CASE("kernels of two inputs are the means over the circle") {
        for (double const t : {0.1, 1.0, 1.9, 3.0}) {
            Vector const x{2, 0};
            Vector const y{std::cos(t), std::sin(t)};
            auto const pair = input_pair(doubles, x, y);
            auto f = [&](double a, double b) { return relu((2 * a) * (y[0] * a + y[1] * b)); };
            CHECK(first_kernel(doubles, pair) == doctest::Approx(plane_mean(f) / 4).epsilon(1e-8));  // E r^2 = 2
            auto f2 = [&](double a, double b) { return f(a, b) * f(a, b); };
            CHECK(second_kernel(doubles, pair) == doctest::Approx(plane_mean(f2)).epsilon(1e-8));
        }
    }
    TEST_CASE("the kernel of three inputs is the mean over the circle, or over the sphere") {
        for (auto const& [y, z] : std::vector<std::pair<Vector, Vector>>{
                 {{0.5, 1}, {-0.3, 2}}, {{0.5, -1}, {2, 1}}, {{-1, 0.2}, {-1, -0.3}}, {{-1, 2}, {1, -1.5}}}) {
            auto f = [&](double a, double b) {
                return relu(1.5 * a * (y[0] * a + y[1] * b)) * relu(1.5 * a * (z[0] * a + z[1] * b));
            };
            CHECK(third({1.5, 0}, y, z) == doctest::Approx(plane_mean(f)).epsilon(1e-8));
        }
        Vector const x{1, 0.2, -0.4};
        Vector const y{0.3, 1.1, 0.5};
        for (auto const& z : {Vector{-0.2, 0.4, 1.3}, Vector{1, -1, 0.1}, Vector{0.9, 0.3, -0.2}}) {
            auto f = [&](double a, double b, double c) {
                auto of = [&](Vector const& v) { return v[0] * a + v[1] * b + v[2] * c; };
                return relu(of(x) * of(y)) * relu(of(x) * of(z));
            };
            CHECK(third(x, y, z) == doctest::Approx(sphere_mean(f)).epsilon(2e-5));
        }
    }
    TEST_CASE("multiples of one another: limits of the general case") {
        Vector const x{1, 0.5};
        Vector const y{0.2, 1};
        auto const pair = input_pair(doubles, x, y);
        CHECK(third(x, y, y) == doctest::Approx(second_kernel(doubles, pair)));
        CHECK(third(x, y, {0.4, 2}) == doctest::Approx(2 * second_kernel(doubles, pair)));
        CHECK(std::abs(third(x, y, {-0.2, -1})) < 1e-15);
        CHECK(std::abs(third(x, {-1, -0.5}, y)) < 1e-15);
        CHECK(third(x, x, x) == doctest::Approx(3 * 1.25 * 1.25));
        for (auto const& same : {Vector{2, 1}, Vector{0.5, 0.25}}) {
            Vector const near{same[0] + 1e-7, same[1] - 1e-7};
            CHECK(third(x, same, y) == doctest::Approx(third(x, near, y)).epsilon(1e-5));
            CHECK(third(x, y, same) == doctest::Approx(third(x, same, y)));
        }
        CHECK(third({1, 0, 0}, {0, 1, 0}, {0, 0, 1}) == doctest::Approx(1 / (2 * pi)));
        CHECK(third({0, 0}, x, y) == 0);
        CHECK(third(x, {0, 0}, y) == 0);
    }
    TEST_CASE("enclosures hold the doubles, at any angle") {
        isserlis::testing::holds([] {
            auto const v = isserlis::testing::random_rows(3, 3);
            std::vector<Vector> d;
            for (auto const& row : v) {
                d.emplace_back();
                for (auto const& x : row) d.back().push_back(x.convert_to<double>());
            }
            IntervalKernels const kernels{120};
            auto const xy = input_pair(kernels, v[0], v[1]);
            auto const xz = input_pair(kernels, v[0], v[2]);
            auto const yz = input_pair(kernels, v[1], v[2]);
            double const size = 1 + xy.xx.convert_to<double>() * (xy.yy + xz.yy).convert_to<double>();
            RC_ASSERT(holds_in(first_kernel(kernels, xy), first_kernel(doubles, input_pair(doubles, d[0], d[1])),
                               1e-11 * size));
            RC_ASSERT(holds_in(second_kernel(kernels, xy), second_kernel(doubles, input_pair(doubles, d[0], d[1])),
                               1e-11 * size * size));
            RC_ASSERT(holds_in(third_kernel(kernels, xy, xz, yz), third(d[0], d[1], d[2]), 1e-10 * size * size));
        });
    }
    TEST_CASE("a Gram matrix of no vectors is refused") {
        CHECK_THROWS_AS((void)input_pair(IntervalKernels{64}, 1, 1, 2), isserlis::DomainError);
        CHECK_THROWS_AS((void)input_pair(doubles, 1, 1, 2), isserlis::DomainError);
        CHECK_THROWS_AS((void)input_pair(doubles, -1.0, -1.0, 0.0), isserlis::DomainError);
        CHECK(input_pair(doubles, 2, 2, 2).collinear);
        CHECK_THROWS_AS((void)input_pair(doubles, 1, 1, 1.1), isserlis::DomainError);
        for (auto const& [xx, yy] : {std::pair(-1, -1), std::pair(-1, 0), std::pair(0, -1)}) {
            CHECK_THROWS_AS((void)input_pair(IntervalKernels{64}, xx, yy, 0), isserlis::DomainError);
            CHECK_THROWS_AS((void)input_pair(doubles, xx, yy, 0), isserlis::DomainError);
        }
    }
    TEST_CASE("inputs of 0, small ones, and what rounding leaves, are inputs") {
        IntervalKernels const kernels{64};
        for (auto const& [xx, yy] : {std::pair(0, 0), std::pair(1, 0), std::pair(0, 1)}) {
            CHECK(input_pair(kernels, xx, yy, 0).collinear);
            CHECK(input_pair(doubles, xx, yy, 0).collinear);
        }
        CHECK(input_pair(kernels, 1, 1, 1).collinear);
        CHECK_FALSE(input_pair(kernels, 1, 1, 0).collinear);
        CHECK_FALSE(input_pair(doubles, 0.5, 0.25, 0).collinear);
        // x.y of 10 (1 + 2e-13): of (x.y)^2 = 100 it is 4e-11 too much, 4e-13 of it.
        CHECK(input_pair(doubles, 100, 1, 10 + 2e-12).collinear);
        CHECK(input_pair(doubles, 1, 100, 10 + 2e-12).collinear);
        // Of 60 degrees, pi - pi/3.
        CHECK(input_pair(doubles, 1, 1, 0.5).rest == doctest::Approx(2 * pi / 3));
        // An angle of 1e-6, however short y is.
        CHECK_FALSE(input_pair(doubles, Vector{1, 0}, Vector{1e-10, 1e-16}).collinear);
        std::vector<Rational> const x{1, 2};
        std::vector<Rational> const y{3, -1};
        std::vector<Rational> const none{0, 0};
        auto const nothing = third_kernel(kernels, input_pair(kernels, x, y), input_pair(kernels, x, none),
                                          input_pair(kernels, y, none));
        CHECK(holds_in(nothing, 0, 0));
        CHECK(third({1, 2}, {3, -1}, {0, 0}) == 0);
    }
    // atan2(r, -1/2) falls from r = 1 to r = 2, atan2(r, 1/2) rises.
    TEST_CASE("the angle of a root that is not known exactly holds both ends") {
        Interval const root = widened(Interval(ratio(3, 2), 64), Interval(ratio(1, 2), 64));
        for (int const sign : {1, -1}) {
            Interval const angle = isserlis::supplementary_angle(root, ratio(sign, 2), 64);
            double const at_one = std::atan2(1, -0.5 * sign);
            double const at_two = std::atan2(2, -0.5 * sign);
            CHECK(mpfr_get_d(angle.lower(), MPFR_RNDD) <= std::min(at_one, at_two));
            CHECK(mpfr_get_d(angle.upper(), MPFR_RNDU) >= std::max(at_one, at_two));
        }
    }
}
