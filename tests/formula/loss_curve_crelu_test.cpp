// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/ring/members.hpp>

#include <array>
#include <cmath>

#include "../ring/property.hpp"
#include "loss_curve_data.hpp"
#include "middle.hpp"

using isserlis::test::intervals;
using isserlis::test::middle;

TEST_SUITE("formula/loss_curve_crelu") {
    using isserlis::converted;
    using isserlis::crelu_curvature_of_two_layers;
    using isserlis::crelu_gradient_moments;
    using isserlis::crelu_slope;
    using isserlis::crelu_squared_slope;
    using isserlis::crelu_target_moments;
    using isserlis::Enclosed;
    using isserlis::input_grams;
    using isserlis::Interval;
    using isserlis::KernelSum;
    using isserlis::ratio;
    using isserlis::Rational;
    using isserlis::Rows;
    using isserlis::Surd;
    using isserlis::testing::doubles;
    using isserlis::testing::proportional_layers;

    namespace {

    double width(Interval const& x) { return mpfr_get_d(x.upper(), MPFR_RNDU) - mpfr_get_d(x.lower(), MPFR_RNDD); }

    /// By pairs, of rational data.
    Interval enclosed_curvature(std::vector<isserlis::LayerRun<Surd, std::uint64_t>> const& layers,
                                Rows<Rational> const& x, Rows<Rational> const& g,
                                std::vector<Rows<Rational>> const& hessians, unsigned bits = 100) {
        std::vector<Rows<Enclosed>> h;
        for (auto const& one : hessians) h.push_back(converted<Enclosed>(one));
        return crelu_curvature_of_two_layers(layers, input_grams(x), converted<Enclosed>(g), h, bits);
    }

    Interval curvature_in_balls(std::vector<isserlis::LayerRun<Surd, std::uint64_t>> const& layers,
                                Rows<Rational> const& x, Rows<Rational> const& g,
                                std::vector<Rows<Rational>> const& hessians) {
        std::vector<Rows<Enclosed>> h;
        for (auto const& one : hessians) h.push_back(converted<Enclosed>(one));
        return crelu_curvature_of_two_layers(layers, intervals(x), converted<Enclosed>(g), h);
    }

    }  // namespace

    // |x|^2|y|^2 = 4, x.y = 1: cos t = 1/2, t = pi/3, of which pi - t is 2/3 pi; the inner product times kap1 adds
    // (sin t + (pi - t) cos t) 2/pi. Right angles and multiples of one another have numbers without pi.
    TEST_CASE("sums of kernels by hand") {
        double const pi = std::acos(-1.0);
        auto const of = [](auto const& add) {
            KernelSum::Collector terms;
            add(terms);
            return middle(terms.sum().enclose(80));
        };
        CHECK(of([](auto& terms) { terms.add_angle(3, 4, 1); }) == doctest::Approx(2));
        CHECK(of([](auto& terms) { terms.add_angle(3, 4, -1); }) == doctest::Approx(1));
        CHECK(of([](auto& terms) { terms.add_angle(3, 4, 0); }) == doctest::Approx(1.5));
        CHECK(of([](auto& terms) { terms.add_angle(3, 4, 2); }) == doctest::Approx(3));
        CHECK(of([](auto& terms) { terms.add_angle(3, 4, -2); }) == 0);
        CHECK(of([](auto& terms) { terms.add_angle(3, 0, 0); }) == 0);
        CHECK(of([](auto& terms) { terms.add_angle(1, 1, ratio(1, 2)); }) == doctest::Approx(2.0 / 3));
        CHECK(of([](auto& terms) { terms.add_angle(3, ratio(1, 4), ratio(1, 2)); }) == doctest::Approx(3));
        KernelSum::Collector multiples;
        multiples.add_angle(3, 4, 2);
        CHECK(multiples.sum().is_exact());
        double const kernel = 2 / pi * (std::sqrt(0.75) + pi / 3);
        CHECK(of([](auto& terms) { terms.add_first(3, 4, 1); }) == doctest::Approx(3 * kernel));
        CHECK(of([](auto& terms) { terms.add_first(1, 4, 1); }) == doctest::Approx(kernel));
        CHECK(of([](auto& terms) { terms.add_first(3, 0, 0); }) == 0);
        CHECK(of([](auto& terms) { terms.add_first(3, 4, 0); }) == doctest::Approx(6 / pi));
        CHECK(of([](auto& terms) { terms.add_first(3, 4, 2); }) == doctest::Approx(6));
        CHECK(of([](auto& terms) { terms.add_first(3, 4, -2); }) == 0);
        // kap2 = (3 sin t cos t + (pi - t)(1 + 2 cos^2 t))/pi [Cho 2009].
        double const second = 4 * (3 * std::sqrt(0.75) / 2 + pi) / pi;
        CHECK(of([](auto& terms) { terms.add_second(3, 4, 1); }) == doctest::Approx(3 * second));
        CHECK(of([](auto& terms) { terms.add_second(1, 4, 1); }) == doctest::Approx(second));
        CHECK(of([](auto& terms) { terms.add_second(3, 0, 0); }) == 0);
        CHECK(of([](auto& terms) { terms.add_second(3, 4, 0); }) == doctest::Approx(6));
        CHECK(of([](auto& terms) { terms.add_second(3, 4, 2); }) == doctest::Approx(36));
        CHECK(of([](auto& terms) { terms.add_second(3, 4, -2); }) == 0);
        CHECK(of([](auto& terms) {
                  terms.add_angle(3, 4, 1);
                  terms.add_first(5, 4, 1);
                  terms.add_angle(-2, 4, 1);
              }) == doctest::Approx(2.0 / 3 + 5 * kernel));
    }

    // Section 7, E5 and E6: 3x10, cosine grid of 16; constant gradients 1, x + 0.5, -2 cos; squared error.
    TEST_CASE("the figures of the errata") {
        isserlis::testing::CosGrid const grid;
        auto const layers = proportional_layers<double>({2, 10, 10, 10, 1});
        auto slope = [&](auto const& gradient) {
            Rows<double> g;
            for (std::size_t k = 0; k < 16; ++k) g.push_back({gradient(k)});
            return crelu_slope(layers, crelu_gradient_moments(grid.inputs, g));
        };
        CHECK(std::abs(slope([](std::size_t) { return 1.0; }) + 25.22) < 5e-3);
        CHECK(std::abs(slope([&](std::size_t k) { return grid.inputs[k][0] + 0.5; }) + 18.27) < 5e-3);
        CHECK(std::abs(slope([&](std::size_t k) { return -2 * grid.targets[k][0]; }) + 3.20) < 5e-3);
        CHECK(std::abs(crelu_squared_slope(layers, crelu_target_moments(grid.inputs, grid.targets)) + 195.66) < 5e-3);
    }

    TEST_CASE("one sample: concatenated ReLU is the linear network, exactly") {
        isserlis::testing::holds(
            [] {
                auto const widths = isserlis::testing::random_widths(2, 3);
                auto const outputs = static_cast<std::size_t>(widths.back());
                auto layers = proportional_layers<Surd>(widths);
                for (auto& run : layers) run.label_factor = Surd(ratio(*rc::gen::inRange(1, 5), 2));
                auto const x = isserlis::testing::random_rows(1, 2);
                auto const g = isserlis::testing::random_rows(1, outputs);
                auto const h = isserlis::testing::random_symmetric(outputs);
                auto const linear = isserlis::linear_loss_curve(
                    layers, converted<Surd>(isserlis::gradient_moments<Rational>(x, g, {h})));
                auto const slope = crelu_slope(layers, crelu_gradient_moments(input_grams(x), g));
                RC_ASSERT(slope.is_exact());
                RC_ASSERT(slope.exact() == linear.slope);
                auto const squared =
                    isserlis::squared_loss_curve(layers, converted<Surd>(isserlis::target_moments<Rational>(x, g)));
                auto const squared_slope = crelu_squared_slope(layers, crelu_target_moments(input_grams(x), g));
                RC_ASSERT(squared_slope.is_exact());
                RC_ASSERT(squared_slope.exact() == squared.slope);
                if (widths.size() != 3) return;
                auto const curvature = enclosed_curvature(layers, x, g, {h});
                Interval const off = curvature - enclose(linear.curvature, 200);
                RC_ASSERT(off.contains_zero());
                RC_ASSERT(width(off) <= 1e-20 * (1 + std::abs(middle(curvature))));
            },
            50);
    }

    // Slopes are linear in the rates of the layers. Of the first one of 2,3,1 alone it is -3 v_2 first for constant gradients.
    TEST_CASE("each layer steps at its own rate") {
        Rows<Rational> const x{{1, 1}, {-1, 2}};
        Rows<Rational> const g{{ratio(3, 2)}, {ratio(1, 2)}};
        auto const gradients = crelu_gradient_moments(doubles(x), doubles(g));
        auto const targets = crelu_target_moments(doubles(x), doubles(g));
        auto const slopes = [&](double first, double second) {
            auto layers = proportional_layers<double>({2, 3, 1});
            layers[0].label_factor = first;
            layers[1].label_factor = second;
            return std::array{crelu_slope(layers, gradients), crelu_squared_slope(layers, targets)};
        };
        for (std::size_t i = 0; i < 2; ++i)
            CHECK(slopes(5, 7)[i] == doctest::Approx(5 * slopes(1, 0)[i] + 7 * slopes(0, 1)[i]).epsilon(1e-13));
        CHECK(slopes(1, 0)[0] ==
              doctest::Approx(-3 * proportional_layers<double>({2, 3, 1})[1].variance * gradients.first));
    }

    // The first layer of 2,3,2 alone: its gradients are V'g x' where signs are shared, g = 2 (V W x - y), W and V both tied, so
    // that the slope is -mean alpha g'V V'g with E tr (V'V)^2 = v_2^2 n d (n + d + 1) and E V V' = v_2 d, d = 3, n = 2.
    TEST_CASE("two outputs, the first layer alone, by hand") {
        auto const targets = crelu_target_moments(Rows<double>{{1, 1}, {-1, 2}}, Rows<double>{{3, 1}, {-2, 5}});
        auto layers = proportional_layers<double>({2, 3, 2});
        layers[0].variance = 0.75;
        layers[1].variance = 0.5;
        layers[1].label_factor = 0;
        double const squares = 0.75 * 0.25 * 2 * 3 * (2 + 3 + 1) * targets.first_inputs;
        CHECK(crelu_squared_slope(layers, targets) ==
              doctest::Approx(-4 * (squares + 0.5 * 3 * targets.first_targets)).epsilon(1e-13));
        CHECK(targets.first_inputs == doctest::Approx((4.0 + 2 * 2 + 25) / 4));  // alpha is |x|^2, and of both 1 * 2
        CHECK(targets.first_targets == doctest::Approx((2 * 10.0 - 2 * 2 * 1 + 5 * 29) / 4));
    }

    TEST_CASE("two samples differ from the linear network") {
        auto const layers = proportional_layers<Surd>({2, 2, 1});
        Rows<Rational> const x{{1, 1}, {-1, 1}};
        Rows<Rational> const g{{ratio(3, 2)}, {ratio(1, 2)}};
        auto const slope = crelu_slope(layers, crelu_gradient_moments(input_grams(x), g));
        CHECK_FALSE(slope.is_exact());
        double const linear = -3.017766953;  // LIN-C1-s2
        CHECK(std::abs(middle(slope.enclose(64)) - linear) > 0.1);
    }

    TEST_CASE("enclosures hold the doubles; E L' <= 0; data may be scaled") {
        isserlis::testing::holds(
            [] {
                auto const widths = isserlis::testing::random_widths(3, 3);
                auto const outputs = static_cast<std::size_t>(widths.back());
                std::size_t const samples = *rc::gen::inRange<std::size_t>(1, 4);
                auto const x = isserlis::testing::random_rows(samples, 3);
                auto const g = isserlis::testing::random_rows(samples, outputs);
                auto const h = isserlis::testing::random_symmetric(outputs);
                auto exact = proportional_layers<Surd>(widths);
                auto layers = proportional_layers<double>(widths);
                for (std::size_t l = 0; l < layers.size(); ++l) {
                    exact[l].label_factor = Surd(ratio(static_cast<int>(l) + 1, 2));
                    layers[l].label_factor = (static_cast<double>(l) + 1) / 2;
                }
                double const slope = crelu_slope(layers, crelu_gradient_moments(doubles(x), doubles(g)));
                double const squared = crelu_squared_slope(layers, crelu_target_moments(doubles(x), doubles(g)));
                auto near = [](Interval const& a, double b, double most_width = 1e-15) {
                    return width(a) < most_width * (1 + std::abs(b)) &&
                           std::abs(middle(a) - b) <= 1e-9 * (1 + std::abs(b));
                };
                RC_ASSERT(near(crelu_slope(exact, crelu_gradient_moments(input_grams(x), g)).enclose(100), slope));
                RC_ASSERT(near(crelu_slope(exact, crelu_gradient_moments(input_grams(x), converted<Enclosed>(g), 120)),
                               slope));
                RC_ASSERT(
                    near(crelu_squared_slope(exact, crelu_target_moments(input_grams(x), g)).enclose(100), squared));
                RC_ASSERT(near(crelu_slope(exact, crelu_gradient_moments(intervals(x), intervals(g))), slope, 1e-11));
                RC_ASSERT(
                    near(crelu_squared_slope(exact, crelu_target_moments(intervals(x), intervals(g))), squared, 1e-11));
                RC_ASSERT(slope <= 1e-9);
                RC_ASSERT(squared <= 1e-9);
                auto const longer = doubles(isserlis::testing::times(2, x));
                RC_ASSERT(std::abs(crelu_slope(layers, crelu_gradient_moments(longer, doubles(g))) - 4 * slope) <=
                          1e-10 * (1 + std::abs(slope)));
                if (widths.size() != 3) return;
                double const curvature = crelu_curvature_of_two_layers(layers, doubles(x), doubles(g), {doubles(h)});
                RC_ASSERT(near(enclosed_curvature(exact, x, g, {h}), curvature));
                RC_ASSERT(near(curvature_in_balls(exact, x, g, {h}), curvature, 1e-11));
            },
            60);
    }

    // Section 4.3 as it stands: a sum over triples, a third kernel for each.
    TEST_CASE("the curvature of two layers is the sum over triples of samples") {
        isserlis::testing::holds(
            [] {
                std::vector<int> const widths{3, *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 4)};
                auto const outputs = static_cast<std::size_t>(widths.back());
                std::size_t const samples = *rc::gen::inRange<std::size_t>(1, 5);
                auto x = isserlis::testing::random_rows(samples, 3);  // parallel and opposite ones among them
                if (*rc::gen::inRange(0, 2) == 0) x.front() = {0, 1, 0};
                if (*rc::gen::inRange(0, 3) == 0) x.back() = {0, 0, 0};
                auto const g = isserlis::testing::random_rows(samples, outputs);
                std::vector<Rows<Rational>> h;
                for (std::size_t k = 0; k < samples; ++k) h.push_back(isserlis::testing::random_symmetric(outputs));
                if (*rc::gen::inRange(0, 2) == 0) h.resize(1);
                auto const layers = proportional_layers<Surd>(widths);
                double const v1 = proportional_layers<double>(widths)[0].variance;
                double const v2 = proportional_layers<double>(widths)[1].variance;
                double const d = widths[1];
                isserlis::IntervalKernels const kernels{100};
                auto const grams = input_grams(x);
                auto const pair = [&](std::size_t k, std::size_t l) { return input_pair(kernels, x[k], x[l]); };
                auto const number = [](Rational const& r) { return r.convert_to<double>(); };
                double sum = 0;
                double size = 1;
                for (std::size_t k = 0; k < samples; ++k) {
                    auto const& hk = h[h.size() == 1 ? 0 : k];
                    for (std::size_t l = 0; l < samples; ++l) {
                        for (std::size_t m = 0; m < samples; ++m) {
                            double const ghg = number(isserlis::bilinear(g[m], hk, g[l]));
                            double const gg = number(Rational(isserlis::trace(hk) * isserlis::dot(g[m], g[l])));
                            double const akl = number(grams.rectified[k][l]);
                            double const akm = number(grams.rectified[k][m]);
                            double const kl = middle(first_kernel(kernels, pair(k, l)));
                            double const km = middle(first_kernel(kernels, pair(k, m)));
                            double const t3 = middle(third_kernel(kernels, pair(k, l), pair(k, m), pair(l, m)));
                            double const term = akm * akl * v2 * v2 * (d * (d + 1) * ghg + d * gg) +
                                                (akm * kl + akl * km) * d * d * v1 * v2 * ghg +
                                                v1 * v1 * (d * t3 + d * (d - 1) * kl * km) * ghg;
                            sum += term;
                            size += std::abs(term);
                        }
                    }
                }
                auto const s = static_cast<double>(samples);
                auto const curvature = enclosed_curvature(layers, x, g, h);
                auto const balls = curvature_in_balls(layers, x, g, h);
                RC_ASSERT((balls - curvature).contains_zero());
                RC_ASSERT(width(balls) <= 1e-12 * size);  // half of their digits where inputs are on a line
                RC_ASSERT(std::abs(middle(curvature) - sum / (s * s * s)) <= 1e-13 * size);
                RC_ASSERT(width(curvature) <= 1e-15 * size);
            },
            60);
    }

    // Section 8: rotations leave layers i >= 2 alone; a network that trains only those has u_1 = 0 in the limit.
    TEST_CASE("rotated inputs change the first layer's part only") {
        isserlis::testing::holds(
            [] {
                auto const x = isserlis::testing::random_rows(3, 2);
                auto const g = isserlis::testing::random_rows(3, 1);
                auto const before = crelu_gradient_moments(input_grams(x), g);
                auto const after = crelu_gradient_moments(input_grams(isserlis::testing::rotated(x)), g);
                Interval const off = before.later.enclose(150) - after.later.enclose(150);
                RC_ASSERT(off.contains_zero());
                RC_ASSERT(width(off) < 1e-30);
            },
            50);
    }

    TEST_CASE("what has no closed form, or does not fit, is refused") {
        auto const x = Rows<Rational>{{1, 1}, {2, 1}};
        auto const g = Rows<Rational>{{1}, {2}};
        CHECK_THROWS_AS((void)enclosed_curvature(proportional_layers<Surd>({2, 2, 2, 1}), x, g, {Rows<Rational>{{2}}}),
                        isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)crelu_gradient_moments(input_grams(x), Rows<Rational>{{1}}), isserlis::DomainError);
        CHECK_THROWS_AS((void)crelu_target_moments(Rows<double>{{1}, {1, 2}}, Rows<double>{{1}, {1}}),
                        isserlis::DomainError);
        auto layers = proportional_layers<Surd>({2, 2, 1});
        layers[0].law.kind = isserlis::LawKind::rademacher;
        CHECK_THROWS_AS((void)crelu_slope(layers, crelu_gradient_moments(input_grams(x), g)),
                        isserlis::UnsupportedError);
    }
}
