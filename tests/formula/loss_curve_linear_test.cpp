// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/ring/enclosed.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "../ring/property.hpp"
#include "loss_curve_data.hpp"

using isserlis::converted;
using isserlis::gradient_moments;
using isserlis::linear_loss_curve;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Rows;
using isserlis::Surd;
using isserlis::testing::proportional_layers;

namespace {

struct Data {
    Rows<Rational> inputs;
    Rows<Rational> gradients;
    std::vector<Rows<Rational>> hessians;
    [[nodiscard]] isserlis::GradientMoments<Surd> moments() const {
        return converted<Surd>(gradient_moments(inputs, gradients, hessians));
    }
};

Data drawn_data(std::size_t inputs, std::size_t outputs) {
    std::size_t const samples = *rc::gen::inRange<std::size_t>(1, 4);
    Data out{.inputs = isserlis::testing::random_rows(samples, inputs),
             .gradients = isserlis::testing::random_rows(samples, outputs),
             .hessians = {}};
    for (std::size_t k = 0; k < samples; ++k) out.hessians.push_back(isserlis::testing::random_symmetric(outputs));
    return out;
}

/// Theorem 4.19 as printed: i, j, k, l, m, with the form A.15 of each term.
Surd five_fold_sum(std::vector<int> const& widths, Data const& data) {
    auto const layers = proportional_layers<Surd>(widths);
    std::size_t const n = layers.size();
    std::size_t const samples = data.inputs.size();
    auto const surds = [](std::vector<Rational> const& x) { return std::vector<Surd>(x.begin(), x.end()); };
    Surd out;
    for (std::size_t i = 1; i <= n; ++i) {
        for (std::size_t j = 1; j <= n; ++j) {
            for (std::size_t k = 0; k < samples; ++k) {
                Rows<Surd> h;
                for (auto const& row : data.hessians[k]) h.push_back(surds(row));
                for (std::size_t l = 0; l < samples; ++l) {
                    for (std::size_t m = 0; m < samples; ++m) {
                        out = out + isserlis::scaled_quartic_form_mean<Surd>(
                                        layers, std::min(i, j), std::max(i, j),
                                        {surds(data.inputs[k]), surds(data.inputs[l]), surds(data.inputs[m])},
                                        {surds(data.gradients[m]), surds(data.gradients[l]), h});
                    }
                }
            }
        }
    }
    return out / Surd(static_cast<int>(samples * samples * samples));
}

}  // namespace

TEST_SUITE("formula/loss_curve_linear") {
    TEST_CASE("prefix sums equal the printed five-fold sum of forms") {
        isserlis::testing::holds(
            [] {
                auto const widths = isserlis::testing::random_widths(2, 3);
                auto const data = drawn_data(2, static_cast<std::size_t>(widths.back()));
                auto const curve = linear_loss_curve(proportional_layers<Surd>(widths), data.moments());
                RC_ASSERT(curve.curvature == five_fold_sum(widths, data));
            },
            25);
    }

    // By hand: x = (1, 1), g = 1, H = 2, widths 2,1,1: u = (1, 1/sqrt(2))... S = 2, V = (1,1), v = 2, q1 = 8.
    TEST_CASE("one sample, one hidden neuron, by hand") {
        auto const data = gradient_moments<Rational>({{1, 1}}, {{1}}, {{{2}}});
        CHECK(data == isserlis::GradientMoments<Rational>{.trace = 2, .q1 = 8, .q2 = 8, .q3 = 8, .q4 = 8});
        auto const curve = linear_loss_curve(proportional_layers<Surd>({2, 1, 1}), converted<Surd>(data));
        // u_1 = sqrt(2*1/2) = 1, u_2 = sqrt(1/2); at width 1 p = 3, m = 0, so (p + 2m)/3 = 1 between unlike layers:
        // 8 (u_1^2 p_12 + u_2^2 p_12 + 2 u_1 u_2) with p_12 = 3 above layer 1 and below layer 2.
        Surd const half_root = isserlis::sqrt(ratio(1, 2));
        CHECK(curve.slope == Surd(-2) * (Surd(1) + half_root));
        CHECK(curve.curvature == Surd(8) * (Surd(3) + Surd(ratio(3, 2)) + Surd(2) * half_root));
        CHECK(curve.vertex_rate() == Surd(2) * curve.vertex_rate_printed());
    }

    TEST_CASE("the table of section 6") {
        isserlis::testing::CosGrid const grid;
        Rows<double> const ones(16, {1.0});
        for (auto const& row : isserlis::testing::table_of_section_6()) {
            auto const layers = proportional_layers<double>(row.widths);
            double const s = isserlis::scaling_factor(layers).value();
            CHECK(std::abs(s - row.scaling_factor) < 5e-4);
            CHECK(std::abs(isserlis::scaling_overestimate(layers) - row.overestimate) < 5e-4);
            auto const one = linear_loss_curve(layers, gradient_moments<double>({{1, 1}}, {{1}}, {{{2}}}));
            CHECK(std::abs(one.vertex_rate() * s - row.linear_one) < 5e-4);
            auto const cos = linear_loss_curve(layers, gradient_moments<double>(grid.inputs, ones, {{{2}}}));
            CHECK(std::abs(cos.vertex_rate() * s - row.linear_cos) < 5e-4);
        }
        // Section 7, E5: 3x10, the printed right sides: g = 1, g = x + 0.5, g = -2 cos.
        auto const layers = proportional_layers<double>({2, 10, 10, 10, 1});
        auto curve = [&](auto const& gradient) {
            Rows<double> g;
            for (std::size_t k = 0; k < 16; ++k) g.push_back({gradient(k)});
            return linear_loss_curve(layers, gradient_moments<double>(grid.inputs, g, {{{2}}}));
        };
        auto const shifted = curve([&](std::size_t k) { return grid.inputs[k][0] + 0.5; });
        CHECK(std::abs(shifted.slope + 24.27) < 5e-3);
        CHECK(std::abs(shifted.curvature - 1497) < 0.5);
        auto const orthogonal = curve([&](std::size_t k) { return grid.targets[k][0]; });
        CHECK(std::abs(orthogonal.slope) < 1e-12);
        CHECK(std::abs(orthogonal.curvature) < 1e-12);
    }

    TEST_CASE("invariances: rotated inputs, scaled inputs, hidden widths in any order, E L' <= 0") {
        isserlis::testing::holds([] {
            auto widths = isserlis::testing::random_widths(2, 4);
            auto const data = drawn_data(2, static_cast<std::size_t>(widths.back()));
            auto const layers = proportional_layers<Surd>(widths);
            auto const curve = linear_loss_curve(layers, data.moments());
            RC_ASSERT(isserlis::sign(curve.slope) <= 0);
            auto turned = data;
            turned.inputs = isserlis::testing::rotated(data.inputs);
            RC_ASSERT(linear_loss_curve(layers, turned.moments()) == curve);
            auto longer = data;
            longer.inputs = isserlis::testing::times(3, data.inputs);
            auto const scaled = linear_loss_curve(layers, longer.moments());
            RC_ASSERT(scaled.slope == Surd(9) * curve.slope);
            RC_ASSERT(scaled.curvature == Surd(81) * curve.curvature);
            // Variances of unlike layers, hidden widths in another order: sum_i kappa/v_i with equal v.
            for (auto const& order : {1, 2}) {
                auto equal = proportional_layers<Surd>(widths);
                for (auto& run : equal) run.variance = ratio(1, 3);
                auto const slope = linear_slope(isserlis::layer_pair_sums<2>(equal), data.moments());
                if (order == 1) std::reverse(widths.begin() + 1, widths.end() - 1);
                if (order == 2) std::sort(widths.begin() + 1, widths.end() - 1);
                auto other = proportional_layers<Surd>(widths);
                for (auto& run : other) run.variance = ratio(1, 3);
                RC_ASSERT(linear_slope(isserlis::layer_pair_sums<2>(other), data.moments()) == slope);
            }
        });
    }

    TEST_CASE("half of the loss has a quarter of the slope and an eighth of the curvature") {
        auto const layers = proportional_layers<Surd>({2, 3, 2});
        Data const data{.inputs = {{1, 2}, {0, 1}}, .gradients = {{1, 0}, {2, -1}}, .hessians = {{{2, 0}, {0, 2}}}};
        auto half = data;
        half.gradients = isserlis::testing::times(ratio(1, 2), data.gradients);
        half.hessians = {isserlis::testing::times(ratio(1, 2), data.hessians[0])};
        CHECK(linear_loss_curve(layers, half.moments()) ==
              linear_loss_curve(layers, data.moments()).scaled(Surd(ratio(1, 2))));
    }

    TEST_CASE("widths may be symbols") {
        auto const n = RationalFunction::symbol("n");
        auto const layers = isserlis::testing::proportional_between(std::vector<RationalFunction>{2, n, n, 1});
        auto const data = gradient_moments<Rational>({{1, 2}, {0, 1}}, {{1}, {2}}, {{{2}}});
        auto const formula = linear_loss_curve(layers, converted<RationalFunction>(data));
        auto const number = linear_loss_curve(proportional_layers<Surd>({2, 7, 7, 1}), converted<Surd>(data));
        CHECK(formula.slope.evaluate({{"n", 7}}) == number.slope);
        CHECK(formula.curvature.evaluate({{"n", 7}}) == number.curvature);
    }

    // Exact numbers are the oracle; at 2,3:2000,1 the curvature is about 1e440.
    TEST_CASE("deep networks beyond the range of double") {
        using isserlis::ScaledDouble;
        auto const layers = [](auto const& one, auto const& variances) {
            using R = std::decay_t<decltype(one)>;
            return std::vector<isserlis::LayerRun<R, std::uint64_t>>{
                {.fan_in = R(2), .fan_out = R(3), .count = 1, .variance = variances[0]},
                {.fan_in = R(3), .fan_out = R(3), .count = 1999, .variance = variances[1]},
                {.fan_in = R(3), .fan_out = R(1), .count = 1, .variance = variances[2]}};
        };
        auto const moments = gradient_moments<Rational>({{1, 1}, {-2, 1}}, {{3}, {ratio(1, 2)}}, {{{2}}});
        auto const exact = linear_loss_curve(layers(Surd(1), std::vector<Surd>{ratio(1, 2), ratio(1, 3), ratio(1, 5)}),
                                             converted<Surd>(moments));
        auto const number = [](Rational const& x) { return ScaledDouble(x.convert_to<double>()); };
        auto const rounded = linear_loss_curve(
            layers(ScaledDouble(1),
                   std::vector<ScaledDouble>{number(ratio(1, 2)), number(ratio(1, 3)), number(ratio(1, 5))}),
            isserlis::GradientMoments<ScaledDouble>{.trace = number(moments.trace),
                                                    .q1 = number(moments.q1),
                                                    .q2 = number(moments.q2),
                                                    .q3 = number(moments.q3),
                                                    .q4 = number(moments.q4)});
        auto const agrees = [](ScaledDouble const& x, Surd const& y) {
            long exponent = 0;
            double const mantissa = mpfr_get_d_2exp(&exponent, enclose(y, 100).lower(), MPFR_RNDN);
            double const times = std::ldexp(1.0, static_cast<int>(x.exponent() - exponent));
            return std::abs(x.mantissa() * times - mantissa) <= 1e-11 * std::abs(mantissa);
        };
        CHECK(agrees(rounded.slope, exact.slope));
        CHECK(agrees(rounded.curvature, exact.curvature));
        CHECK(rounded.curvature.exponent() > 1024);
    }

    // Rational moments are the oracle; enclosures of the gradients, not points.
    TEST_CASE("moments of enclosed gradients hold the exact ones") {
        using isserlis::Enclosed;
        isserlis::testing::holds(
            [] {
                auto const x = isserlis::testing::random_rows(3, 2);
                auto const g = isserlis::testing::random_rows(3, 2);
                auto const h = isserlis::testing::random_symmetric(2);
                auto enclosed = converted<Enclosed>(g);
                for (auto& row : enclosed)
                    for (auto& y : row) y = widened(y.enclose(60), isserlis::Interval(ratio(1, 1000), 60));
                auto const wide = gradient_moments(converted<Enclosed>(x), enclosed, {converted<Enclosed>(h)});
                auto const exact = gradient_moments(x, g, {h});
                auto const holds_it = [](Enclosed const& a, Rational const& b) {
                    return (a.enclose(60) - isserlis::Interval(b, 60)).contains_zero();
                };
                RC_ASSERT(holds_it(wide.trace, exact.trace));
                RC_ASSERT(holds_it(wide.q1, exact.q1));
                RC_ASSERT(holds_it(wide.q2, exact.q2));
                RC_ASSERT(holds_it(wide.q3, exact.q3));
                RC_ASSERT(holds_it(wide.q4, exact.q4));
            },
            50);
    }

    TEST_CASE("data that do not fit are refused") {
        using isserlis::DomainError;
        CHECK_THROWS_AS((void)gradient_moments<Rational>({}, {}, {}), DomainError);
        CHECK_THROWS_AS((void)gradient_moments<Rational>({{1}}, {{1}, {2}}, {{{2}}}), DomainError);
        CHECK_THROWS_AS((void)gradient_moments<Rational>({{1}, {1, 2}}, {{1}, {2}}, {{{2}}}), DomainError);
        CHECK_THROWS_AS((void)gradient_moments<Rational>({{1}, {2}}, {{1}, {2, 3}}, {{{2}}}), DomainError);
        CHECK_THROWS_AS((void)gradient_moments<Rational>({{1}}, {{1, 2}}, {{{2, 1}, {0, 2}}}), DomainError);
        CHECK_THROWS_AS((void)gradient_moments<Rational>({{1}}, {{1, 2}}, {{{2}}}), DomainError);
        CHECK_THROWS_AS((void)gradient_moments<Rational>({{}}, {{1}}, {{{2}}}), DomainError);
        CHECK_THROWS_AS((void)isserlis::gradient_moments_of_sum<Rational>({{1, 2}}, {{1}, {1, 2}}, {{{2, 0}, {0, 2}}}),
                        DomainError);
        CHECK_THROWS_WITH_AS((void)gradient_moments<Rational>({{1, 1}, {1}}, {{1}, {2}}, {{{2}}}),
                             doctest::Contains("input 2 has 1 entries; 2 are required"), DomainError);
        auto layers = proportional_layers<Surd>({2, 3, 1});
        layers[0].law.kind = isserlis::LawKind::uniform;
        auto const data = converted<Surd>(gradient_moments<Rational>({{1, 1}}, {{1}}, {{{2}}}));
        CHECK_THROWS_AS((void)linear_loss_curve(layers, data), isserlis::UnsupportedError);
    }
}
