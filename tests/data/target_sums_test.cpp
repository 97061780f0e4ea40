// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/data/built_in.hpp>
#include <isserlis/data/csv.hpp>
#include <isserlis/data/standardise.hpp>
#include <isserlis/data/target_sums.hpp>
#include <isserlis/error.hpp>
#include <numbers>
#include <numeric>

namespace {

using isserlis::cosine_data;
using isserlis::exact_target_sums;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::rational_cosine_sum;
using isserlis::Surd;

/// Moebius function by its definition.
int moebius(int n) {
    int out = 1;
    for (int p = 2; p <= n; ++p) {
        if (n % p != 0) continue;
        n /= p;
        if (n % p == 0) return 0;
        out = -out;
    }
    return out;
}

}  // namespace

TEST_SUITE("data/target_sums") {
    // The primitive n-th roots of unity sum to Moebius' function of n; all of them to 0.
    TEST_CASE("sums of cosines that are rational") {
        for (int n = 1; n <= 120; ++n) {
            CAPTURE(n);
            std::vector<std::pair<Rational, Rational>> primitive, all;
            for (int k = 0; k < n; ++k) {
                if (std::gcd(k, n) == 1) primitive.emplace_back(ratio(2, 3), ratio(k, n));
                all.emplace_back(1, ratio(k, n) + ratio(1, 7));
            }
            CHECK(rational_cosine_sum(primitive) == ratio(2 * moebius(n), 3));
            if (n > 1) CHECK(rational_cosine_sum(all) == Rational(0));
        }
        CHECK(rational_cosine_sum({}) == Rational(0));
        // cos 36 - cos 72 = 1/2 in degrees.
        CHECK(rational_cosine_sum({{1, ratio(1, 10)}, {-1, ratio(1, 5)}}) == ratio(1, 2));
        CHECK(rational_cosine_sum({{1, ratio(-1, 3)}}) == ratio(-1, 2));
        for (int n : {5, 7, 8, 9, 12, 30, 105})
            CHECK_FALSE(rational_cosine_sum({{1, ratio(1, n)}, {ratio(1, 3), 0}}).has_value());
        CHECK_THROWS_AS(static_cast<void>(rational_cosine_sum({{1, ratio(1, 20001)}})), isserlis::UnsupportedError);
    }

    // The features are odd about pi, or constant; the cosine is even, and sums to 0.
    TEST_CASE("the cosine is orthogonal to its features, and its squares sum to half the samples") {
        for (std::size_t const s : {3U, 4U, 6U, 16U, 18U, 64U, 97U}) {
            CAPTURE(s);
            auto const sums = exact_target_sums(cosine_data(s));
            REQUIRE(sums);
            CHECK(sums->squares == Surd(ratio(static_cast<int>(s), 2)));
            CHECK(sums->products == std::vector<std::vector<Surd>>{{0, 0}});
        }
    }

    // By hand: y = (1, 2, 6), x = (-2, -1, 3) sqrt(3/14) after standardising 1, 2, 6.
    TEST_CASE("sums of exact targets") {
        auto const raw = isserlis::parse_data_csv("x1,y1\n1,1\n2,2\n6,6\n", "d.csv");
        auto const sums = exact_target_sums(standardised(raw, 1));
        REQUIRE(sums);
        CHECK(sums->squares == Surd(41));
        CHECK(sums->products[0][0] == Surd(14) * isserlis::sqrt(ratio(3, 14)));
        CHECK(sums->products[0][1] == Surd(9));
    }

    TEST_CASE("sums that are no surds are left to enclosures") {
        auto data = cosine_data(16);
        data.targets[3][0] = 0;
        CHECK_FALSE(exact_target_sums(data).has_value());
        auto const bounds = enclosed_targets(data, 80);
        CHECK(mpfr_get_d(bounds[0][0].lower(), MPFR_RNDN) == doctest::Approx(std::cos(std::numbers::pi / 16)));
        auto const inputs = enclosed_inputs(data, 80);
        CHECK(mpfr_get_d(inputs[0][0].lower(), MPFR_RNDN) == doctest::Approx(-std::sqrt(3.0) * 15 / 16));
    }
}
