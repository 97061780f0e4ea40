// SPDX-License-Identifier: MIT
#include "formula/pair_spot.hpp"

#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <string>

#include "normal_sums.hpp"

using isserlis::testing::is_near;
using namespace isserlis;

TEST_SUITE("formula/pair_spot") {
    namespace {

    constexpr unsigned spot_bits = 100;

    Rational part(int top, int bottom) { return ratio(Integer(top), Integer(bottom)); }

    /// From x - off to x + off.
    Enclosed around(Rational const& x, Rational const& off) {
        return Enclosed(widened(Interval(x, spot_bits), Interval(off, spot_bits)));
    }

    bool is_number(Interval const& x) { return mpfr_equal_p(x.lower(), x.upper()) != 0; }

    bool holds(std::string const& text, std::string const& word) { return text.find(word) != std::string::npos; }

    }  // namespace

    TEST_CASE("a variance is its lower end, and no further off than it is wide") {
        Spot const spot = spot_of(around(2, part(1, 4)), spot_bits);
        CHECK(is_number(spot.at));
        CHECK(is_near(spot.at, 1.75, 1e-25));
        CHECK(mpfr_get_d(spot.off.upper(), MPFR_RNDN) == doctest::Approx(0.5));
        CHECK(mpfr_get_d(spot_of(Enclosed(3), spot_bits).off.upper(), MPFR_RNDN) == 0);
    }

    TEST_CASE("variances are positive, and up to 100") {
        CHECK_NOTHROW(require_pair_variance(Enclosed(100), spot_bits));
        CHECK_THROWS_AS(require_pair_variance(Enclosed(0), spot_bits), DomainError);
        CHECK_THROWS_AS(require_pair_variance(around(1, part(9, 8)), spot_bits), DomainError);
        CHECK_THROWS_AS((void)spot_of(Enclosed(-1), spot_bits), DomainError);
        CHECK_NOTHROW(require_pair_variance(around(1, part(7, 8)), spot_bits));
        try {
            require_pair_variance(part(201, 2), spot_bits);
            FAIL("nothing was thrown");
        } catch (UnsupportedError const& error) {
            CHECK(holds(error.what(), "variance 100.5"));
            CHECK(holds(error.what(), "served up to 100"));
        }
    }

    TEST_CASE("a pair has the correlation of its lower ends") {
        PairSpot const spot =
            spot_of(PairCovariance{.uu = Enclosed(4), .uv = around(-1, part(1, 2)), .vv = Enclosed(9)}, spot_bits);
        CHECK(is_near(spot.uu.at, 4, 1e-25));
        CHECK(is_near(spot.vv.at, 9, 1e-25));
        CHECK(is_near(spot.correlation, -0.25, 1e-25));
        CHECK(mpfr_get_d(spot.uv_off.upper(), MPFR_RNDN) == doctest::Approx(1));
    }

    // Beyond an angle of 0 or of pi the covariance is that of u = v or u = -v, and off by what it was more.
    TEST_CASE("correlations beyond 1 are cut off, on both sides") {
        for (int const sign : {1, -1}) {
            PairSpot const spot =
                spot_of(PairCovariance{.uu = Enclosed(4), .uv = part(13 * sign, 2), .vv = Enclosed(9)}, spot_bits);
            CHECK(is_number(spot.correlation));
            CHECK(is_near(spot.correlation, sign, 1e-28));
            CHECK(mpfr_get_d(spot.uv_off.upper(), MPFR_RNDN) == doctest::Approx(0.5));
        }
        for (int const sign : {1, -1}) {
            PairSpot const spot =
                spot_of(PairCovariance{.uu = Enclosed(4), .uv = Enclosed(6 * sign), .vv = Enclosed(9)}, spot_bits);
            CHECK(is_number(spot.correlation));
            CHECK(is_near(spot.correlation, sign, 1e-28));
            CHECK(mpfr_get_d(spot.uv_off.upper(), MPFR_RNDN) < 1e-25);
        }
    }

    TEST_CASE("a third of the bits of a sum, or 112 less") {
        CHECK(sum_precision(60) == 20);
        CHECK(sum_precision(168) == 56);
        CHECK(sum_precision(171) == 59);
        CHECK(sum_precision(300) == 188);
        CHECK(sum_precision(112) == 37);
    }
}
