// SPDX-License-Identifier: MIT
#include "formula/piecewise_means.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <isserlis/error.hpp>
#include <vector>

#include "double_units.hpp"
#include "normal_sums.hpp"
#include "tenths_pair.hpp"

using isserlis::testing::is_near;
using isserlis::testing::normal_sum;
using isserlis::testing::pair_sums;
using isserlis::testing::tenths_pair;
using isserlis::testing::unit_slope;
using isserlis::testing::unit_value;
using namespace isserlis;

TEST_SUITE("formula/piecewise_means") {
    namespace {

    constexpr unsigned piece_bits = 140;

    /// Functions at a place, and the factors that are made of them: those of a value are its derivatives.
    struct PieceFunction {
        std::function<double(double)> at;
        std::vector<UnitFactor> factors;
    };

    std::vector<PieceFunction> piece_functions(SmoothUnit unit) {
        using enum UnitFactor;
        auto const s = [unit](double z) { return unit_value(unit, z); };
        auto const d = [unit](double z) { return unit_slope(unit, z); };
        return {{s, {value, first, second, third, fourth, fifth}},
                {[=](double z) { return s(z) * s(z); }, {square}},
                {[=](double z) { return s(z) * s(z) * s(z); }, {cube}},
                {[=](double z) { return s(z) * d(z); }, {value_first}},
                {[=](double z) { return s(z) * s(z) * d(z); }, {square_first}}};
    }

    /// Every factor of u beside every one of v.
    void check_piece_pairs(SmoothUnit unit, int uu, int uv, int vv) {
        CAPTURE(static_cast<int>(unit));
        CAPTURE(uv);
        auto const functions = piece_functions(unit);
        std::vector<FactorPair> pairs;
        std::vector<double> expected;
        for (auto const& f : functions)
            for (auto const& g : functions) {
                auto const sums =
                    pair_sums(f.at, g.at, uu / 10.0, uv / 10.0, vv / 10.0, f.factors.size() - 1, g.factors.size() - 1);
                for (std::size_t i = 0; i < f.factors.size(); ++i)
                    for (std::size_t j = 0; j < g.factors.size(); ++j) {
                        pairs.emplace_back(f.factors[i], g.factors[j]);
                        expected.push_back(sums[i][j]);
                    }
            }
        auto const means = piecewise_factor_means(unit, tenths_pair(uu, uv, vv), pairs, piece_bits);
        REQUIRE(means.size() == pairs.size());
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            CAPTURE(place_of(pairs[k].first));
            CAPTURE(place_of(pairs[k].second));
            CHECK(is_near(means[k], expected[k], 1e-8 * (1 + std::abs(expected[k]))));
        }
    }

    }  // namespace

    TEST_CASE("all products of factors, by sums over the plane") {
        check_piece_pairs(SmoothUnit::elu, 9, 4, 13);
        check_piece_pairs(SmoothUnit::selu, 11, -3, 7);
    }

    // u = v, and u = -v: means over one number. SELU's value has no jump, though its constants are irrational.
    TEST_CASE("at correlation 1 and -1, powers and slopes") {
        for (auto const unit : {SmoothUnit::elu, SmoothUnit::selu}) {
            auto functions = piece_functions(unit);
            functions.push_back({[unit](double z) { return unit_slope(unit, z); }, {UnitFactor::first}});
            std::vector<FactorPair> pairs;
            std::vector<std::array<double, 2>> expected;
            for (auto const& f : functions)
                for (auto const& g : functions) {
                    pairs.emplace_back(f.factors[0], g.factors[0]);
                    auto const beside = [&](double side) {
                        return normal_sum([&](double z) { return f.at(z) * g.at(side * z); }, 0.8);
                    };
                    expected.push_back({beside(1), beside(-1)});
                }
            auto const same = piecewise_factor_means(unit, tenths_pair(8, 8, 8), pairs, piece_bits);
            auto const opposite = piecewise_factor_means(unit, tenths_pair(8, -8, 8), pairs, piece_bits);
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                CAPTURE(place_of(pairs[k].first));
                CAPTURE(place_of(pairs[k].second));
                CHECK(is_near(same[k], expected[k][0], 1e-9 * (1 + std::abs(expected[k][0]))));
                CHECK(is_near(opposite[k], expected[k][1], 1e-9 * (1 + std::abs(expected[k][1]))));
            }
        }
    }

    // Of ELU the slope has no jump, which SELU's has: there a density would have to be known on the line u = v.
    TEST_CASE("at correlation 1, a second derivative of ELU") {
        auto const mean = piecewise_factor_means(SmoothUnit::elu, tenths_pair(8, 8, 8),
                                                 {{UnitFactor::second, UnitFactor::value}}, piece_bits);
        double const sum = normal_sum([](double z) { return z < 0 ? std::exp(z) * std::expm1(z) : 0; }, 0.8);
        CHECK(is_near(mean[0], sum, 1e-10));
        CHECK_THROWS_AS((void)piecewise_factor_means(SmoothUnit::selu, tenths_pair(8, 8, 8),
                                                     {{UnitFactor::second, UnitFactor::value}}, piece_bits),
                        DomainError);
    }

    // A covariance that may be that of u = v.
    TEST_CASE("at a correlation that cannot be told from 1, what holds a little below it") {
        using enum UnitFactor;
        Rational const hair = ratio(Integer(1), Integer(1000000));
        auto const means = [](Enclosed const& uv) {
            return piecewise_factor_means(SmoothUnit::selu, {.uu = Enclosed(1), .uv = uv, .vv = Enclosed(1)},
                                          {{value, value}, {first, value_first}, {cube, value}}, piece_bits);
        };
        auto const wide = means(Enclosed(widened(Interval(1L, piece_bits), Interval(hair, piece_bits))));
        auto const narrow = means(Enclosed(Rational(1 - hair)));
        for (std::size_t k = 0; k < wide.size(); ++k) {
            CAPTURE(k);
            CHECK(mpfr_lessequal_p(wide[k].lower(), narrow[k].lower()) != 0);
            CHECK(mpfr_lessequal_p(narrow[k].upper(), wide[k].upper()) != 0);
        }
    }

    TEST_CASE("what is refused") {
        using enum UnitFactor;
        auto const mean = [](PairCovariance const& pair, FactorPair const& factors) {
            return piecewise_factor_means(SmoothUnit::elu, pair, {factors}, piece_bits);
        };
        CHECK_THROWS_AS((void)mean(tenths_pair(8, 8, 8), {third, value}), DomainError);
        CHECK_THROWS_AS((void)mean(tenths_pair(0, 0, 8), {value, value}), DomainError);
        CHECK_THROWS_AS((void)mean(tenths_pair(8, 0, 0), {value, value}), DomainError);
        CHECK_THROWS_AS((void)mean(tenths_pair(1001, 0, 8), {value, value}), UnsupportedError);
    }
}
