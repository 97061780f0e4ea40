// SPDX-License-Identifier: MIT
#include "formula/wave_means.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "normal_sums.hpp"

using isserlis::testing::is_near;
using isserlis::testing::pair_sums;
using namespace isserlis;

TEST_SUITE("formula/wave_means") {
    namespace {

    std::function<double(double)> wave_factor(SmoothUnit unit, UnitFactor factor) {
        auto const value = [unit](double z) { return unit == SmoothUnit::sin ? std::sin(z) : std::cos(z); };
        auto const first = [unit](double z) { return unit == SmoothUnit::sin ? std::cos(z) : -std::sin(z); };
        switch (factor) {
            case UnitFactor::value: return value;
            case UnitFactor::first: return first;
            case UnitFactor::second: return [=](double z) { return -value(z); };
            case UnitFactor::third: return [=](double z) { return -first(z); };
            case UnitFactor::fourth: return value;
            case UnitFactor::fifth: return first;
            case UnitFactor::square: return [=](double z) { return value(z) * value(z); };
            case UnitFactor::cube: return [=](double z) { return std::pow(value(z), 3); };
            case UnitFactor::value_first: return [=](double z) { return value(z) * first(z); };
            case UnitFactor::square_first: return [=](double z) { return value(z) * value(z) * first(z); };
        }
        return value;
    }

    }  // namespace

    TEST_CASE("all products of factors, by sums over the plane") {
        PairCovariance const pair{.uu = ratio(Integer(1), Integer(2)),
                                  .uv = ratio(Integer(3), Integer(10)),
                                  .vv = ratio(Integer(4), Integer(5))};
        std::vector<FactorPair> pairs;
        for (std::size_t f = 0; f < unit_factor_count; ++f)
            for (std::size_t g = 0; g < unit_factor_count; ++g)
                pairs.emplace_back(static_cast<UnitFactor>(f), static_cast<UnitFactor>(g));
        for (auto const unit : {SmoothUnit::sin, SmoothUnit::cos}) {
            auto const means = wave_factor_means(unit, pair, pairs, 80);
            REQUIRE(means.size() == pairs.size());
            for (std::size_t k = 0; k < pairs.size(); ++k) {
                CAPTURE(k);
                auto const [f, g] = pairs[k];
                double const sum = pair_sums(wave_factor(unit, f), wave_factor(unit, g), 0.5, 0.3, 0.8, 0, 0)[0][0];
                CHECK(is_near(means[k], sum, 1e-11));
            }
        }
    }
}
