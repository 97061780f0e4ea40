// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <limits>
#include <vector>

namespace {

using isserlis::LawKind;
using isserlis::Stream;
using isserlis::UnitWeight;
using isserlis::WeightLaw;

WeightLaw<double> of_kurtosis(double k) { return {.kind = LawKind::kurtosis, .kurtosis_value = k}; }

}  // namespace

TEST_SUITE("random/unit_weight") {
    // Exact standard errors from the eighth moment, all by hand:
    //   Gaussian 7!! = 105; uniform on +-sqrt(3): 81/9 = 9; Laplace of scale 1/sqrt(2): 8!/16 = 2520;
    //   k = 1.368 is the band of middle m^2 = 0.9 and half-width r^2 = 0.3, for which
    //     E w^8 = m^8 + 28 m^6 r^2/3 + 70 m^4 r^4/5 + 28 m^2 r^6/7 + r^8/9 = 3.816;
    //   k = 18/5 has t = 1, p = 1/4, E s^8 = (1+sqrt 3)^4/4 + 3 (1-1/sqrt 3)^4/4 = 28/3 + 8/sqrt 3, times 9.
    TEST_CASE("every law has mean 0, variance 1 and its kurtosis") {
        struct Case {
            WeightLaw<double> law;
            double kurtosis;
            double eighth;
        };
        constexpr int n = 40000;
        for (auto const& exact :
             {Case{{.kind = LawKind::gaussian}, 3, 105}, Case{{.kind = LawKind::uniform}, 1.8, 9},
              Case{{.kind = LawKind::rademacher}, 1, 1}, Case{{.kind = LawKind::laplace}, 6, 2520},
              Case{of_kurtosis(1), 1, 1}, Case{of_kurtosis(1.368), 1.368, 3.816}, Case{of_kurtosis(1.8), 1.8, 9},
              Case{of_kurtosis(3.6), 3.6, 84 + 24 * std::sqrt(3.0)}}) {
            double const kurtosis = exact.kurtosis;
            CAPTURE(name(exact.law.kind));
            CAPTURE(kurtosis);
            UnitWeight const weight(exact.law);
            Stream stream(11, 12);
            double first = 0;
            double second = 0;
            double fourth = 0;
            for (int i = 0; i < n; ++i) {
                double const w = weight(stream);
                first += w;
                second += w * w;
                fourth += w * w * w * w;
            }
            constexpr double rounding = 1e-12;
            CHECK(std::abs(first / n) < 5 * std::sqrt(1.0 / n));
            CHECK(std::abs(second / n - 1) < 5 * std::sqrt((kurtosis - 1) / n) + rounding);
            CHECK(std::abs(fourth / n - kurtosis) < 5 * std::sqrt((exact.eighth - kurtosis * kurtosis) / n) + rounding);
        }
    }

    TEST_CASE("a span of weights is the same as one after another") {
        for (auto const& law :
             {WeightLaw<double>{.kind = LawKind::gaussian}, WeightLaw<double>{.kind = LawKind::laplace},
              WeightLaw<double>{.kind = LawKind::rademacher}, of_kurtosis(1.5), of_kurtosis(50)}) {
            UnitWeight const weight(law);
            Stream one(13, 14);
            Stream many(13, 14);
            std::vector<double> filled(37);
            weight.fill(many, filled);
            for (double const w : filled) CHECK(w == weight(one));
        }
    }

    // Middle and half-width of the band: m^2 = 0.9, r^2 = 0.3 (see above).
    TEST_CASE("the law of kurtosis 1.368 is a band and keeps away from 0") {
        UnitWeight const weight(of_kurtosis(1.368));
        Stream stream(15, 16);
        for (int i = 0; i < 1000; ++i) {
            double const w = std::abs(weight(stream));
            REQUIRE(w > std::sqrt(0.9) - std::sqrt(0.3) - 1e-12);
            REQUIRE(w < std::sqrt(0.9) + std::sqrt(0.3) + 1e-12);
        }
    }

    TEST_CASE("only laws of kurtosis 1 have atoms") {
        using isserlis::has_atoms;
        CHECK(has_atoms({.kind = LawKind::rademacher}));
        CHECK(has_atoms(of_kurtosis(1)));
        CHECK_FALSE(has_atoms(of_kurtosis(1.0001)));
        CHECK_FALSE(has_atoms({.kind = LawKind::gaussian}));
        CHECK_FALSE(has_atoms({.kind = LawKind::uniform}));
        CHECK_FALSE(has_atoms({.kind = LawKind::laplace}));
    }

    TEST_CASE("a kurtosis below 1 or not finite is refused") {
        for (double const k : {0.99, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
            CHECK_THROWS_AS(UnitWeight(of_kurtosis(k)), isserlis::DomainError);
    }
}
