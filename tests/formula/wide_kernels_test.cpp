// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/wide_kernels.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include "middle.hpp"

using isserlis::test::middle;
using namespace isserlis;

namespace {

constexpr unsigned bits = 200;

double width(Enclosed const& x) {
    Interval const i = x.enclose(bits);
    mpfr_t gap;
    mpfr_init2(gap, bits);
    mpfr_sub(gap, i.upper(), i.lower(), MPFR_RNDU);
    double const out = mpfr_get_d(gap, MPFR_RNDU);
    mpfr_clear(gap);
    return out;
}

/// E f(u) f(v) over a pair of covariance (a, c, b), by the midpoint rule in polar coordinates.
double pair_mean(auto const& f, double a, double c, double b) {
    constexpr int angles = 4000;
    constexpr int radii = 4000;
    constexpr double farthest = 12;
    double const along = c / std::sqrt(a);
    double const across = std::sqrt(b - along * along);
    double sum = 0;
    for (int i = 0; i < angles; ++i) {
        double const t = 2 * std::numbers::pi * (i + 0.5) / angles;
        for (int k = 0; k < radii / 10; ++k) {
            double const r = farthest * (k + 0.5) / (radii / 10);
            double const x = r * std::cos(t);
            double const y = r * std::sin(t);
            sum += r * std::exp(-r * r / 2) * f(std::sqrt(a) * x) * f(along * x + across * y);
        }
    }
    return sum * farthest / (radii / 10) / angles;
}

PairCovariance pair(Rational const& a, Rational const& c, Rational const& b) { return {.uu = a, .uv = c, .vv = b}; }

}  // namespace

TEST_SUITE("formula/wide_kernels") {
    // [Cho 2009, eq. (3)]: at 60 degrees J_1 = sin t + (pi - t) cos t with sin t = sqrt(3)/2, over 2 pi.
    TEST_CASE("ReLU at known angles") {
        auto const at = [](Rational const& c) { return pair_means(Gate<Rational>(), pair(1, c, 1), bits); };
        double const pi = std::numbers::pi;
        CHECK(middle(at(0).value) == doctest::Approx(1 / (2 * pi)).epsilon(1e-15));
        CHECK(middle(at(0).derivative) == doctest::Approx(0.25).epsilon(1e-15));
        CHECK(middle(at(ratio(1, 2)).value) ==
              doctest::Approx((std::sqrt(3.0) / 2 + pi / 3) / (2 * pi)).epsilon(1e-15));
        CHECK(middle(at(ratio(1, 2)).derivative) == doctest::Approx(1.0 / 3).epsilon(1e-15));
        CHECK(middle(at(ratio(-1, 2)).value) ==
              doctest::Approx((std::sqrt(3.0) / 2 - pi / 6) / (2 * pi)).epsilon(1e-15));
        CHECK(middle(at(ratio(-1, 2)).derivative) == doctest::Approx(1.0 / 6).epsilon(1e-15));
        for (auto const& x : {at(0), at(ratio(1, 2)), at(ratio(-1, 2))}) CHECK(width(x.value) < 1e-55);
    }

    // E relu(uv) counts both signs of the pair: twice E relu(u) relu(v).
    TEST_CASE("ReLU is half of the first kernel of concatenated ReLU") {
        IntervalKernels const kernels{bits};
        for (Rational const& c : {ratio(-3, 4), ratio(1, 5), ratio(1, 1)}) {
            auto const half = first_kernel(kernels, input_pair(kernels, ratio(2, 3), ratio(7, 4), c)) / kernels.of(2);
            auto const own = pair_means(Gate<Rational>(), pair(ratio(2, 3), c, ratio(7, 4)), bits).value;
            CHECK(Interval(own.enclose(bits) - half).contains_zero());
        }
    }

    TEST_CASE("every unit by numerical integration") {
        double const a = 0.8;
        double const b = 1.5;
        for (double const c : {-0.9, 0.3, 1.0}) {
            auto const p = pair(ratio(4, 5), ratio(Integer(std::lround(10 * c)), Integer(10)), ratio(3, 2));
            CAPTURE(c);
            auto const check = [&](KernelUnit const& unit, auto const& f, auto const& derivative) {
                auto const means = pair_means(unit, p, bits);
                CHECK(middle(means.value) == doctest::Approx(pair_mean(f, a, c, b)).epsilon(1e-4));
                CHECK(middle(means.derivative) == doctest::Approx(pair_mean(derivative, a, c, b)).epsilon(1e-3));
            };
            check(
                Gate<Rational>(), [](double z) { return std::max(z, 0.0); },
                [](double z) { return z > 0 ? 1.0 : 0.0; });
            check(
                Gate<Rational>(Rational(1), ratio(-1, 4)), [](double z) { return z > 0 ? z : -z / 4; },
                [](double z) { return z > 0 ? 1.0 : -0.25; });
            check(
                Gate<Rational>::open(), [](double z) { return z; }, [](double) { return 1.0; });
            check(
                SmoothUnit::erf, [](double z) { return std::erf(z); },
                [](double z) { return 2 / std::sqrt(std::numbers::pi) * std::exp(-z * z); });
            check(
                SmoothUnit::sin, [](double z) { return std::sin(z); }, [](double z) { return std::cos(z); });
        }
    }

    // ReLU of w = 2 keeps the diagonal, K(x,x) = 2 x.x/n_0, and adds it to Theta in each layer.
    TEST_CASE("the diagonal is rational, and linear networks everywhere") {
        auto const relu = wide_kernels({.unit = Gate<Rational>(), .weight_variance = 2, .hidden_layers = 4}, {}, bits);
        CHECK(*relu[4].kernel.uu.exact() == 2);
        CHECK(*relu[4].tangent.uu.exact() == 10);
        auto const linear = wide_kernels(
            {.unit = Gate<Rational>::open(), .weight_variance = ratio(1, 2), .bias_variance = 1, .hidden_layers = 2},
            {.xx = 1, .xy = ratio(1, 2), .yy = 2}, bits);
        // 1/4 + 1, 5/8 + 1, 13/16 + 1; Theta 5/4, 13/8 + 5/8, 29/16 + 18/16.
        CHECK(*linear[2].kernel.uv.exact() == ratio(29, 16));
        CHECK(*linear[2].tangent.uv.exact() == ratio(47, 16));
    }

    TEST_CASE("multiples of one input need no angle") {
        WideNetwork const net{
            .unit = Gate<Rational>(Rational(1), ratio(1, 2)), .weight_variance = 1, .hidden_layers = 40};
        auto const along = wide_kernels(net, {.xx = 1, .xy = 3, .yy = 9}, bits);
        CHECK(*along[40].kernel.uv.exact() == 3 * *along[40].kernel.uu.exact());
        auto const same = wide_kernels({.unit = SmoothUnit::erf, .bias_variance = ratio(1, 3), .hidden_layers = 40},
                                       {.xx = 2, .xy = 2, .yy = 2}, bits);
        CHECK(middle(same[40].kernel.uv) == middle(same[40].kernel.uu));
        // Against each other: ReLU halves never meet, K^2 = 0 and Theta^2 = 0; then both directions are apart.
        auto const against = wide_kernels({.unit = Gate<Rational>(), .weight_variance = 2, .hidden_layers = 2},
                                          {.xx = 1, .xy = -1, .yy = 1}, bits);
        CHECK(against[1].kernel.uv.is_zero());
        CHECK(against[1].tangent.uv.is_zero());
        CHECK(middle(against[2].kernel.uv) == doctest::Approx(2 / std::numbers::pi).epsilon(1e-14));
        // |z|: one hidden layer makes them the same.
        auto const modulus = wide_kernels({.unit = Gate<Rational>(Rational(1), Rational(-1)), .hidden_layers = 3},
                                          {.xx = 1, .xy = -1, .yy = 1}, bits);
        CHECK(*modulus[3].kernel.uv.exact() == 1);
    }

    // E erf(u) erf(v) = (2/pi) asin(2 uv/sqrt((1 + 2 uu)(1 + 2 vv))) [Williams 1997]: opposite inputs, one of them longer,
    // and biases, which add 1 to all of uu = vv = 1 and uv = -1.
    TEST_CASE("opposite inputs of an odd unit stay opposite without biases only") {
        auto const layer = [&](Rational const& bias, InputGram const& inputs) {
            return wide_kernels(
                {.unit = SmoothUnit::erf, .weight_variance = 1, .bias_variance = bias, .hidden_layers = 1}, inputs,
                bits)[1];
        };
        double const per = 2 / std::numbers::pi;
        CHECK(middle(layer(0, {.xx = 1, .xy = -1, .yy = 1}).kernel.uv) ==
              doctest::Approx(-per * std::asin(2.0 / 3)).epsilon(1e-14));
        CHECK(middle(layer(0, {.xx = 1, .xy = -1, .yy = 2}).kernel.uv) ==
              doctest::Approx(-per * std::asin(2 / std::sqrt(15.0))).epsilon(1e-14));
        CHECK(middle(layer(0, {.xx = 2, .xy = -1, .yy = 1}).kernel.uv) ==
              doctest::Approx(-per * std::asin(2 / std::sqrt(15.0))).epsilon(1e-14));
        CHECK(middle(layer(1, {.xx = 1, .xy = -1, .yy = 1}).kernel.uv) == doctest::Approx(1).epsilon(1e-14));
        CHECK(middle(layer(1, {.xx = 1, .xy = -1, .yy = 1}).kernel.uu) ==
              doctest::Approx(1 + per * std::asin(0.8)).epsilon(1e-14));
        // Of ReLU too: independent ones of variance 2, E relu(u) relu(v) = 2/(2 pi).
        auto const relu =
            wide_kernels({.unit = Gate<Rational>(), .weight_variance = 1, .bias_variance = 1, .hidden_layers = 1},
                         {.xx = 1, .xy = -1, .yy = 1}, bits);
        CHECK(middle(relu[1].kernel.uv) == doctest::Approx(1 + 1 / std::numbers::pi).epsilon(1e-14));
    }

    TEST_CASE("enclosures shrink around one value, deep networks and small angles too") {
        for (KernelUnit const& unit :
             {KernelUnit(Gate<Rational>()), KernelUnit(SmoothUnit::erf), KernelUnit(SmoothUnit::sin)}) {
            WideNetwork const net{
                .unit = unit, .weight_variance = 2, .bias_variance = ratio(1, 10), .hidden_layers = 30};
            InputGram const inputs{.xx = 1, .xy = ratio(999999, 1000000), .yy = 1};
            Interval const coarse = wide_kernels(net, inputs, 200).back().tangent.uv.enclose(200);
            Interval const fine = wide_kernels(net, inputs, 400).back().tangent.uv.enclose(400);
            CHECK(mpfr_lessequal_p(coarse.lower(), fine.lower()) != 0);
            CHECK(mpfr_lessequal_p(fine.upper(), coarse.upper()) != 0);
        }
    }

    // The recursion of the definition, whatever short cuts inputs allow that are equal, opposite or at a right angle: some of
    // them are none for these units, biases or lengths.
    TEST_CASE("one layer is a mean over pairs") {
        for (auto const& unit :
             {KernelUnit(SmoothUnit::erf), KernelUnit(SmoothUnit::cos), KernelUnit(Gate<Rational>())}) {
            for (Rational const& bias : {Rational(0), ratio(1, 3), Rational(1)}) {
                for (auto const& [xx, xy, yy] : {std::array<Rational, 3>{2, 1, 1},
                                                 {1, 1, 2},
                                                 {1, -1, 2},
                                                 {2, -1, 1},
                                                 {1, -1, 1},
                                                 {1, 1, 1},
                                                 {1, 0, 1},
                                                 {1, 0, 3}}) {
                    WideNetwork const net{
                        .unit = unit, .weight_variance = 2, .bias_variance = bias, .hidden_layers = 1};
                    auto const layers = wide_kernels(net, {.xx = xx, .xy = xy, .yy = yy}, bits);
                    REQUIRE(layers.size() == 2);
                    auto const agrees = [&](Enclosed PairCovariance::*entry, Rational const& a, Rational const& c,
                                            Rational const& b) {
                        auto const of = [&](Rational const& x) { return Rational(2 * x + bias); };
                        auto const means = pair_means(unit, pair(of(a), of(c), of(b)), bits);
                        double const kernel = 2 * middle(means.value) + bias.convert_to<double>();
                        double const tangent = kernel + 2 * middle(means.derivative) * of(c).convert_to<double>();
                        CHECK(middle(layers[1].kernel.*entry) == doctest::Approx(kernel).epsilon(1e-12));
                        CHECK(middle(layers[1].tangent.*entry) == doctest::Approx(tangent).epsilon(1e-12));
                    };
                    agrees(&PairCovariance::uu, xx, xx, xx);
                    agrees(&PairCovariance::uv, xx, xy, yy);
                    agrees(&PairCovariance::vv, yy, yy, yy);
                }
            }
        }
        // Multiples keep rational kernels: 2 * 1/2 of E u v = 4 and of 1/4.
        WideNetwork const relu{.unit = Gate<Rational>(), .weight_variance = 2};
        CHECK(*wide_kernels(relu, {.xx = 1, .xy = 2, .yy = 4}, bits)[1].kernel.uv.exact() == 4);
        CHECK(*wide_kernels(relu, {.xx = ratio(1, 4), .xy = ratio(1, 8), .yy = ratio(1, 16)}, bits)[1]
                   .kernel.uv.exact() == ratio(1, 4));
    }

    TEST_CASE("what belongs to no network or no inputs is refused") {
        auto const refused = [](WideNetwork const& net, InputGram const& inputs, char const* why) {
            CHECK_THROWS_WITH_AS((void)wide_kernels(net, inputs, bits), doctest::Contains(why), DomainError);
        };
        WideNetwork const biased{.unit = SmoothUnit::erf, .bias_variance = 1};
        refused({.unit = SmoothUnit::erf, .weight_variance = 0, .bias_variance = 1}, {}, "`weight_variance` = 0");
        refused(biased, {.xx = 0, .xy = 0, .yy = 1}, "belong to no two inputs");
        refused(biased, {.xx = 1, .xy = 0, .yy = 0}, "belong to no two inputs");
        refused(biased, {.xx = 1, .xy = 2, .yy = 1}, "belong to no two inputs");
        refused(biased, {.xx = 1, .xy = -2, .yy = 1}, "belong to no two inputs");
        CHECK_THROWS_WITH_AS((void)pair_means(Gate<Rational>(), pair(1, 0, 0), bits),
                             doctest::Contains("pair_means: a variance is not positive"), DomainError);
        CHECK_THROWS_AS((void)wide_kernels({.unit = SmoothUnit::erf, .weight_variance = 0}, {}, bits), DomainError);
        CHECK_THROWS_AS((void)wide_kernels({.unit = SmoothUnit::erf, .bias_variance = -1}, {}, bits), DomainError);
        CHECK_THROWS_AS((void)wide_kernels({.unit = SmoothUnit::erf}, {.xx = 1, .xy = 2, .yy = 1}, bits), DomainError);
        CHECK_THROWS_AS((void)wide_kernels({.unit = SmoothUnit::erf}, {.xx = 1, .xy = 0, .yy = 0}, bits), DomainError);
        CHECK_THROWS_AS((void)wide_kernels({.unit = SmoothUnit::erf}, {.xx = 0, .xy = 0, .yy = 1}, bits), DomainError);
        CHECK_THROWS_AS((void)pair_means(SmoothUnit::erf, pair(0, 0, 1), bits), DomainError);
    }
}
