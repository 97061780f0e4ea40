// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <isserlis/error.hpp>
#include <isserlis/formula/smooth_pairs.hpp>
#include <isserlis/ring/decimal.hpp>
#include <string>
#include <vector>

#include "all_units.hpp"
#include "double_units.hpp"
#include "normal_sums.hpp"

using isserlis::test::all_units;
using isserlis::testing::is_near;
using isserlis::testing::normal_sum;
using isserlis::testing::pair_sums;
using isserlis::testing::unit_slope;
using isserlis::testing::unit_value;
using namespace isserlis;

TEST_SUITE("formula/smooth_pairs") {
    namespace {

    constexpr unsigned bits = 180;

    PairCovariance pair(Rational const& a, Rational const& c, Rational const& b) { return {.uu = a, .uv = c, .vv = b}; }

    Rational tenths(int n) { return ratio(Integer(n), Integer(10)); }

    std::string digits(Enclosed PairMeans::*member, SmoothUnit unit, PairCovariance const& p, int count) {
        return decimal([&](unsigned b) { return (smooth_pair_means(unit, p, b + 64).*member).enclose(b + 64); }, count);
    }

    bool contains(Enclosed const& wide, Enclosed const& narrow) {
        Interval const x = wide.enclose(bits);
        Interval const y = narrow.enclose(bits);
        return mpfr_lessequal_p(x.lower(), y.lower()) != 0 && mpfr_lessequal_p(y.upper(), x.upper()) != 0;
    }

    bool meet(Enclosed const& a, Enclosed const& b) { return Enclosed(a - b).enclose(bits).contains_zero(); }

    bool is_thin(Enclosed const& x, double width) {
        Interval const i = x.enclose(bits);
        return mpfr_get_d((Interval(i) - i).upper(), MPFR_RNDU) < width;
    }

    }  // namespace

    // tests/formula/references/smooth_pairs.py, mpmath's quadrature over the plane.
    TEST_CASE("digits of another program") {
        struct Known {
            SmoothUnit unit;
            PairCovariance pair;
            char const* value;
            char const* derivative;
        };
        PairCovariance const wide = pair(tenths(21), tenths(11), tenths(31));
        std::vector<Known> const known = {
            {SmoothUnit::tanh, wide, "0.21424811218313737", "0.20272721343989660"},
            {SmoothUnit::silu, wide, "0.50556351647723566", "0.32370799639443259"},
            {SmoothUnit::selu, wide, "0.87419433806399909", "0.79796816276988223"},
            {SmoothUnit::gelu, wide, "0.61082357803303238", "0.33365530362296014"},
            {SmoothUnit::elu, wide, "0.67082536675105637", "0.53139387169883483"},
        };
        for (auto const& k : known) {
            CAPTURE(static_cast<int>(k.unit));
            int const count = static_cast<int>(std::string(k.value).size()) - 2;
            CHECK(digits(&PairMeans::value, k.unit, k.pair, count) == k.value);
            CHECK(digits(&PairMeans::derivative, k.unit, k.pair, count) == k.derivative);
        }
    }

    TEST_CASE("all units, by sums over the plane and, at correlation 1 and -1, over the line") {
        constexpr unsigned few = 90;
        for (auto const unit : all_units) {
            CAPTURE(static_cast<int>(unit));
            auto const value = [unit](double z) { return unit_value(unit, z); };
            auto const slope = [unit](double z) { return unit_slope(unit, z); };
            auto const near = [](PairMeans const& means, double of_value, double of_slope) {
                CHECK(is_near(means.value.enclose(few), of_value, 1e-8));
                CHECK(is_near(means.derivative.enclose(few), of_slope, 1e-8));
            };
            for (int const c : {-7, 5}) {
                CAPTURE(c);
                near(smooth_pair_means(unit, pair(tenths(9), tenths(c), tenths(14)), few),
                     pair_sums(value, value, 0.9, c / 10.0, 1.4, 0, 0)[0][0],
                     pair_sums(slope, slope, 0.9, c / 10.0, 1.4, 0, 0)[0][0]);
            }
            for (int const side : {-1, 1}) {
                CAPTURE(side);
                auto const beside = [&](auto const& f) {
                    return normal_sum([&](double z) { return f(z) * f(side * z); }, 0.8);
                };
                near(smooth_pair_means(unit, pair(tenths(8), tenths(8 * side), tenths(8)), few), beside(value),
                     beside(slope));
                if (side == 1) near(smooth_square_means(unit, tenths(8), few), beside(value), beside(slope));
            }
        }
    }

    // u = v: the one-dimensional means; v = -u of an odd unit the same with a minus; covariance 0: a product of means.
    TEST_CASE("on the diagonal, and of independent numbers, they are means over one number") {
        for (auto const unit : all_units) {
            CAPTURE(static_cast<int>(unit));
            for (Rational const& q : {tenths(3), tenths(17)}) {
                auto const one = unit_moments(unit, q, bits);
                auto const same = smooth_pair_means(unit, pair(q, q, q), bits);
                auto const square = smooth_square_means(unit, q, bits);
                for (auto const& means : {same, square}) {
                    CHECK(meet(means.value, one.second));
                    CHECK(meet(means.derivative, one.derivative_second));
                    CHECK(is_thin(means.value, 1e-20));
                }
                auto const apart = smooth_pair_means(unit, pair(q, 0, q), bits);
                CHECK(meet(apart.value, one.mean * one.mean));
                CHECK(is_thin(apart.value, 1e-20));
            }
        }
        auto const opposite = smooth_pair_means(SmoothUnit::tanh, pair(1, -1, 1), bits);
        CHECK(meet(Enclosed(0) - opposite.value, unit_moments(SmoothUnit::tanh, 1, bits).second));
    }

    // silu(z) + silu(-z) is z tanh(z/2), softplus(z) - softplus(-z) = z, tanh(z/2) = 2 sigmoid(z) - 1.
    TEST_CASE("units that are made of each other") {
        PairCovariance const p = pair(1, ratio(Integer(-1), Integer(3)), 2);
        PairCovariance const mirrored = pair(1, ratio(Integer(1), Integer(3)), 2);
        PairCovariance const quarter = pair(tenths(10) / 4, ratio(Integer(-1), Integer(12)), tenths(5));
        auto const at = [](SmoothUnit unit, PairCovariance const& x) { return smooth_pair_means(unit, x, bits); };
        auto const sigmoid = at(SmoothUnit::sigmoid, p);
        CHECK(meet(Enclosed(4) * sigmoid.value - Enclosed(1), at(SmoothUnit::tanh, quarter).value));
        CHECK(meet(Enclosed(4) * sigmoid.derivative, at(SmoothUnit::tanh, quarter).derivative / Enclosed(4)));
        // E s(u) s(v) - E s(u) s(-v) with s(z) - s(-z) = z: half of E u v.
        CHECK(meet(at(SmoothUnit::softplus, p).value - at(SmoothUnit::softplus, mirrored).value,
                   ratio(Integer(-1), Integer(6)) * Rational(1)));
        // softplus' is the sigmoid.
        CHECK(meet(at(SmoothUnit::softplus, p).derivative, sigmoid.value));
        // cos u cos v - sin u sin v = cos(u + v), of variance 1 - 2/3 + 2, and a cosine has the mean e^(-variance/2).
        CHECK(meet(at(SmoothUnit::cos, p).value - at(SmoothUnit::sin, p).value,
                   exp(Interval(ratio(Integer(-7), Integer(6)), bits))));
        // silu(z) - silu(-z) = z, gelu(z) - gelu(-z) = z.
        for (auto const unit : {SmoothUnit::silu, SmoothUnit::gelu})
            CHECK(meet(at(unit, p).value - at(unit, mirrored).value, ratio(Integer(-1), Integer(6))));
    }

    TEST_CASE("enclosures of twice the precision lie within, near singular pairs too") {
        for (auto const unit : all_units) {
            CAPTURE(static_cast<int>(unit));
            for (auto const& p :
                 {pair(1, ratio(Integer(999), Integer(1000)), 1), pair(tenths(5), tenths(-3), tenths(2)),
                  pair(3, 0, tenths(1)), pair(4, -2, 1), pair(1, -1, 1), pair(1, 2, 4)}) {
                auto const wide = smooth_pair_means(unit, p, 70);
                auto const narrow = smooth_pair_means(unit, p, 140);
                CHECK(contains(wide.value, narrow.value));
                CHECK(contains(wide.derivative, narrow.derivative));
            }
        }
    }

    // Covariances known to 1e-6: what holds at three places within has to be enclosed.
    TEST_CASE("enclosures of the covariance go through") {
        Rational const hair = ratio(Integer(1), Integer(1000000));
        auto const around = [&](Rational const& x) {
            return Enclosed(widened(Interval(x, bits), Interval(hair, bits)));
        };
        for (auto const unit : all_units) {
            CAPTURE(static_cast<int>(unit));
            PairCovariance const within{.uu = around(2), .uv = around(tenths(7)), .vv = around(1)};
            auto const wide = smooth_pair_means(unit, within, bits);
            auto const square = smooth_square_means(unit, within.uu, bits);
            CHECK(is_thin(wide.value, 1e-3));
            for (Rational const& off : {Rational(-hair), Rational(0), hair}) {
                auto const narrow = smooth_pair_means(
                    unit, pair(Rational(2 + off), Rational(tenths(7) - off), Rational(1 + off)), bits);
                CHECK(contains(wide.value, narrow.value));
                CHECK(contains(wide.derivative, narrow.derivative));
                auto const one = smooth_square_means(unit, Rational(2 + off), bits);
                CHECK(contains(square.value, one.value));
                CHECK(contains(square.derivative, one.derivative));
            }
        }
    }

    // One entry known to 1e-5, the others exactly: each has to be allowed for by itself. At small variances the
    // derivatives of sigmoid and tanh of odd order are nearly their largest, 1/4, -1/8 and 1, -2.
    TEST_CASE("enclosures of one entry of the covariance go through") {
        constexpr unsigned few = 120;
        Rational const wide_by = ratio(Integer(1), Integer(100000));
        Interval const half(Rational(wide_by / 2), few);
        auto const from = [&](Rational const& x) { return Enclosed(Interval(x, few) + widened(half, half)); };
        for (auto const unit : {SmoothUnit::tanh, SmoothUnit::sigmoid, SmoothUnit::softplus, SmoothUnit::silu}) {
            CAPTURE(static_cast<int>(unit));
            for (auto const& [uu, uv, vv] : {std::array<Rational, 3>{tenths(1) / 10, tenths(1) / 50, tenths(1) / 5},
                                             std::array<Rational, 3>{4, 1, 9}}) {
                CAPTURE(to_string(uu));
                auto const holds = [&](PairCovariance const& within, PairCovariance const& end) {
                    auto const wide = smooth_pair_means(unit, within, few);
                    auto const narrow = smooth_pair_means(unit, end, few);
                    CHECK(contains(wide.value, narrow.value));
                    CHECK(contains(wide.derivative, narrow.derivative));
                };
                holds({.uu = from(uu), .uv = uv, .vv = vv}, pair(uu + wide_by, uv, vv));
                holds({.uu = uu, .uv = from(uv), .vv = vv}, pair(uu, uv + wide_by, vv));
                holds({.uu = uu, .uv = uv, .vv = from(vv)}, pair(uu, uv, vv + wide_by));
                holds({.uu = from(uu), .uv = uv, .vv = from(vv)}, pair(uu + wide_by, uv, vv + wide_by));
                for (auto const& q : {uu, vv}) {
                    auto const wide = smooth_square_means(unit, from(q), few);
                    auto const narrow = smooth_square_means(unit, Rational(q + wide_by), few);
                    CHECK(contains(wide.value, narrow.value));
                    CHECK(contains(wide.derivative, narrow.derivative));
                }
            }
        }
    }

    TEST_CASE("variances beyond a sum over the plane are refused") {
        CHECK_THROWS_AS((void)smooth_pair_means(SmoothUnit::tanh, pair(101, 0, 1), bits), UnsupportedError);
        CHECK_THROWS_AS((void)smooth_pair_means(SmoothUnit::tanh, pair(0, 0, 1), bits), DomainError);
        CHECK_NOTHROW((void)smooth_pair_means(SmoothUnit::gelu, pair(101, 0, 1), bits));
    }
}
