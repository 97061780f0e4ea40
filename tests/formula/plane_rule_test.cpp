// SPDX-License-Identifier: MIT
#include "formula/plane_rule.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "double_units.hpp"
#include "normal_sums.hpp"

using isserlis::testing::double_density;
using isserlis::testing::is_near;
using isserlis::testing::normal_sum;
using isserlis::testing::pair_sums;
using isserlis::testing::unit_slope;
using isserlis::testing::unit_value;
using namespace isserlis;

TEST_SUITE("formula/plane_rule") {
    namespace {

    constexpr unsigned rule_bits = 128;
    constexpr unsigned rule_wanted = 40;

    Interval rule_number(int thousandths) { return {ratio(Integer(thousandths), Integer(1000)), rule_bits}; }

    std::function<double(double)> rule_factor(SmoothUnit unit, UnitFactor factor) {
        auto const s = [unit](double z) { return unit_value(unit, z); };
        auto const d = [unit](double z) { return unit_slope(unit, z); };
        switch (factor) {
            case UnitFactor::first: return d;
            case UnitFactor::square: return [=](double z) { return s(z) * s(z); };
            case UnitFactor::cube: return [=](double z) { return s(z) * s(z) * s(z); };
            case UnitFactor::value_first: return [=](double z) { return s(z) * d(z); };
            case UnitFactor::square_first: return [=](double z) { return s(z) * s(z) * d(z); };
            default: return s;
        }
    }

    double rule_width(Interval const& x) { return mpfr_get_d((Interval(x) - x).upper(), MPFR_RNDU); }

    /// Products, and a derivative of either order.
    std::vector<FactorPair> rule_pairs() {
        using enum UnitFactor;
        return {{value, value},
                {first, first},
                {square, square},
                {cube, value},
                {value, cube},
                {square_first, first},
                {value_first, value_first},
                {first, square_first},
                {second, value},
                {value, fourth},
                {third, first},
                {fifth, first},
                {second, fourth},
                {third, third}};
    }

    /// A correlation in thousandths, between -1 and 1.
    void check_plane(SmoothUnit unit, int uu, int correlation, int vv) {
        CAPTURE(static_cast<int>(unit));
        CAPTURE(correlation);
        double const a = uu / 1000.0;
        double const b = vv / 1000.0;
        double const c = correlation / 1000.0 * std::sqrt(a * b);
        auto const pairs = rule_pairs();
        auto const means =
            plane_factor_means(unit, rule_number(uu), rule_number(correlation), rule_number(vv), pairs, rule_wanted);
        REQUIRE(means.size() == pairs.size());
        auto const derivatives =
            pair_sums(rule_factor(unit, UnitFactor::value), rule_factor(unit, UnitFactor::value), a, c, b, 5, 5);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            CAPTURE(k);
            auto const [f, g] = pairs[k];
            bool const is_product = place_of(f) > 5 || place_of(g) > 5;
            double const sum = is_product ? pair_sums(rule_factor(unit, f), rule_factor(unit, g), a, c, b, 0, 0)[0][0]
                                          : derivatives[place_of(f)][place_of(g)];
            CHECK(is_near(means[k], sum, 1e-9));
            CHECK(rule_width(means[k]) < 1e-11);
        }
    }

    }  // namespace

    TEST_CASE("means over a lattice, by sums over the plane") {
        for (auto const unit : {SmoothUnit::tanh, SmoothUnit::sigmoid, SmoothUnit::softplus, SmoothUnit::silu,
                                SmoothUnit::gelu, SmoothUnit::erf})
            check_plane(unit, 900, 300, 1400);
        check_plane(SmoothUnit::softplus, 800, -600, 800);
        check_plane(SmoothUnit::sigmoid, 20000, 500, 300);
    }

    // u = v and u = -v: means over one number.
    TEST_CASE("means over a line") {
        auto const pairs =
            std::vector<FactorPair>{{UnitFactor::value, UnitFactor::value}, {UnitFactor::first, UnitFactor::first}};
        for (auto const unit : {SmoothUnit::silu, SmoothUnit::tanh})
            for (int const side : {1, -1}) {
                auto const means = plane_factor_means(unit, rule_number(700), rule_number(1000 * side),
                                                      rule_number(700), pairs, rule_wanted);
                for (std::size_t k = 0; k < pairs.size(); ++k) {
                    auto const f = rule_factor(unit, pairs[k].first);
                    CHECK(is_near(means[k], normal_sum([&](double z) { return f(z) * f(side * z); }, 0.7), 1e-11));
                    CHECK(rule_width(means[k]) < 1e-11);
                }
            }
    }

    // Where one axis is short the lattice has other steps along it than along the other. By sums over both axes.
    TEST_CASE("means at a correlation near 1 and near -1") {
        for (auto const unit : {SmoothUnit::softplus, SmoothUnit::tanh})
            for (int const correlation : {990, -985}) {
                CAPTURE(correlation);
                std::vector<FactorPair> const pairs{{UnitFactor::value, UnitFactor::value},
                                                    {UnitFactor::value_first, UnitFactor::square}};
                auto const means = plane_factor_means(unit, rule_number(900), rule_number(correlation),
                                                      rule_number(1400), pairs, rule_wanted);
                double const along = std::sqrt((1 + correlation / 1000.0) / 2);
                double const across = std::sqrt((1 - correlation / 1000.0) / 2);
                for (std::size_t k = 0; k < pairs.size(); ++k) {
                    auto const f = rule_factor(unit, pairs[k].first);
                    auto const g = rule_factor(unit, pairs[k].second);
                    constexpr double step = 1.0 / 8;
                    double sum = 0;
                    for (int i = -64; i <= 64; ++i)
                        for (int j = -64; j <= 64; ++j) {
                            double const p = i * step;
                            double const q = j * step;
                            sum += double_density(p) * double_density(q) *
                                   f(std::sqrt(0.9) * (along * p + across * q)) *
                                   g(std::sqrt(1.4) * (along * p - across * q));
                        }
                    CHECK(is_near(means[k], sum * step * step, 1e-11));
                    CHECK(rule_width(means[k]) < 1e-11);
                }
            }
    }

    TEST_CASE("a derivative on one side alone") {
        auto const s = rule_factor(SmoothUnit::silu, UnitFactor::value);
        double const sum = pair_sums(s, s, 0.5, 0.2, 0.9, 0, 2)[0][2];
        auto const mean = [](int uu, int vv, FactorPair const& factors) {
            Interval const correlation = rule_number(200) / sqrt(rule_number(500) * rule_number(900));
            return plane_factor_means(SmoothUnit::silu, rule_number(uu), correlation, rule_number(vv), {factors},
                                      rule_wanted)[0];
        };
        CHECK(is_near(mean(500, 900, {UnitFactor::value, UnitFactor::second}), sum, 1e-10));
        CHECK(is_near(mean(900, 500, {UnitFactor::second, UnitFactor::value}), sum, 1e-10));
    }

    // Nearly the same: by Price's theorem E f(u) f(v) changes by E f'(z)^2 times the covariance.
    TEST_CASE("means of numbers that are nearly the same") {
        auto const f = rule_factor(SmoothUnit::silu, UnitFactor::value);
        auto const d = rule_factor(SmoothUnit::silu, UnitFactor::first);
        Interval const close = Interval(1L, rule_bits) - Interval(ratio(Integer(1), Integer(1) << 27), rule_bits);
        auto const mean = plane_factor_means(SmoothUnit::silu, rule_number(700), close, rule_number(700),
                                             {{UnitFactor::value, UnitFactor::value}}, rule_wanted);
        double const same = normal_sum([&](double z) { return f(z) * f(z); }, 0.7);
        double const slope = normal_sum([&](double z) { return d(z) * d(z); }, 0.7);
        CHECK(is_near(mean[0], same - 0.7 * slope * std::ldexp(1.0, -27), 3e-12));
    }

    TEST_CASE("enclosures of more bits lie within") {
        for (auto const unit : {SmoothUnit::softplus, SmoothUnit::erf, SmoothUnit::tanh}) {
            auto const at = [&](unsigned wanted) {
                return plane_factor_means(
                    unit, rule_number(1500), rule_number(400), rule_number(800),
                    {{UnitFactor::value, UnitFactor::value}, {UnitFactor::first, UnitFactor::first}}, wanted);
            };
            auto const wide = at(2);
            auto const narrow = at(50);
            for (std::size_t k = 0; k < wide.size(); ++k) {
                CHECK(mpfr_lessequal_p(wide[k].lower(), narrow[k].lower()) != 0);
                CHECK(mpfr_lessequal_p(narrow[k].upper(), wide[k].upper()) != 0);
            }
        }
    }
}
