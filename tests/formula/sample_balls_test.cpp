// SPDX-License-Identifier: MIT
#include "formula/sample_balls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/power.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "loss_curve_data.hpp"
#include "middle.hpp"

using namespace isserlis;
using isserlis::test::intervals;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

bool meets(Ball const& a, Interval const& b) { return (a.enclose() - b).contains_zero(); }
bool contains(Ball const& a, Rational const& x) { return meets(a, Interval(x, 192)); }

}  // namespace

TEST_SUITE("formula/sample_balls") {
    // By MPFR's atan2, rounded outwards.
    TEST_CASE("angles of points of the upper half plane") {
        holds(
            [] {
                Rational const x = ratio(any_int(-1'000'000, 1'000'000), any_int(1, 1000));
                Rational const y = ratio(any_int(1, 1'000'000), any_int(1, 1'000'000));
                Ball const angle = angle_of(Ball(Interval(x, 192)), Ball(Interval(y, 192)));
                RC_ASSERT(meets(angle, supplementary_angle(Interval(y, 192), Rational(-x), 192)));
                RC_ASSERT(angle.radius() < 1e-30);
            },
            2000);
        // Every direction of the table, and between two.
        for (int j = 0; j <= 1024; ++j) {
            double const at = 3.14159265358979 * j / 1024;
            Rational const x(std::cos(at));
            Rational const y(std::max(std::sin(at), 1e-10));
            Ball const angle = angle_of(Ball(Interval(x, 192)), Ball(Interval(y, 192)));
            CHECK(meets(angle, supplementary_angle(Interval(y, 192), Rational(-x), 192)));
            CHECK(angle.radius() < 1e-30);
        }
        // Wide balls, and no direction at all.
        Ball const wide = angle_of(Ball(1), Ball(0.5).give_or_take(0.25));
        for (Rational const& y : {ratio(1, 4), ratio(1, 2), ratio(3, 4)})
            CHECK(meets(wide, supplementary_angle(Interval(y, 192), Rational(-1), 192)));
        CHECK(meets(angle_of(Ball(0), Ball(0)), Interval(0L, 192)));
        CHECK(meets(angle_of(Ball(0), Ball(0)), pi(192)));
    }

    TEST_CASE("products of rows, of any length") {
        holds(
            [] {
                auto const columns = static_cast<std::size_t>(any_int(1, 30));
                Rows<Rational> rows(2, std::vector<Rational>(columns));
                for (auto& row : rows)
                    for (auto& x : row)
                        x = any_int(0, 3) == 0 ? Rational(0)
                                               : Rational(ratio(any_int(-1000, 1000), any_int(1, 1000)) *
                                                          (any_int(0, 1) == 0 ? 1 : 1'000'000'000));
                BallRows const balls("rows", intervals(rows), 2);
                Rational inner = 0;
                Rational shared = 0;
                for (std::size_t r = 0; r < columns; ++r) {
                    Rational const product = rows[0][r] * rows[1][r];
                    inner += product;
                    if (product > 0) shared += product;
                }
                RC_ASSERT(contains(balls.dot(0, 1), inner));
                RC_ASSERT(contains(balls.shared_signs(0, 1), shared));
                RC_ASSERT(contains(balls.dot(1, 1), dot(rows[1], rows[1])));
                double const size = std::sqrt(balls.dot(0, 0).most() * balls.dot(1, 1).most());
                RC_ASSERT(balls.dot(0, 1).radius() <= 1e-28 * size);
                RC_ASSERT(balls.shared_signs(1, 0).radius() <= 1e-28 * size);
            },
            500);
    }

    TEST_CASE("combinations of rows") {
        holds(
            [] {
                auto const samples = static_cast<std::size_t>(any_int(1, 12));
                auto const columns = static_cast<std::size_t>(any_int(1, 9));
                auto const rows = isserlis::testing::random_rows(samples, columns);
                BallInputs const inputs(intervals(rows));
                std::vector<Ball> weights;
                std::vector<Rational> sum(columns);
                for (auto const& row : rows) {
                    Rational const c = ratio(any_int(-1000, 1000), any_int(1, 1000));
                    weights.emplace_back(Interval(c, 192));
                    for (std::size_t r = 0; r < columns; ++r) sum[r] += c * row[r];
                }
                auto const combination = inputs.combination(weights);
                for (std::size_t k = 0; k < samples; ++k)
                    RC_ASSERT(contains(inputs.dot(combination, k), dot(sum, rows[k])));
            },
            200);
    }

    TEST_CASE("pairs of one direction, of none, and on a line") {
        BallRows const rows("inputs", intervals({{1, 2}, {2, 4}, {-1, -2}, {0, 0}, {2, -1}}), 5);
        CHECK(rows.pair(0, 0).collinear);
        CHECK(meets(rows.pair(0, 0).rest, pi(192)));
        CHECK(meets(rows.pair(0, 1).rest, pi(192)));
        CHECK(rows.pair(0, 1).rest.radius() < 1e-14);
        CHECK(contains(rows.pair(0, 2).rest, 0));
        CHECK(rows.pair(0, 3).rest.is_zero());
        CHECK(rows.pair(0, 3).xy.is_zero());
        CHECK(contains(rows.pair(0, 4).xy, 0));
        CHECK(contains(rows.pair(0, 4).root, 5));
        CHECK(meets(rows.pair(0, 4).rest + rows.pair(0, 4).rest, pi(192)));
        BallRows const line("inputs", intervals({{3}, {2}, {-1}, {0}}), 4);
        CHECK(meets(line.pair(0, 1).rest, pi(192)));
        CHECK(line.pair(0, 1).rest.radius() < 1e-30);
        CHECK(line.pair(0, 2).rest.is_zero());
        CHECK(line.pair(0, 3).rest.is_zero());
        CHECK(line.pair(0, 2).root.is_zero());
    }

    TEST_CASE("rows of numbers that are known roughly") {
        auto const around = [](long x) { return widened(Interval(x, 192), Interval(ratio(1, 10), 192)); };
        BallRows const rows("inputs", {{around(1)}, {Interval(1000L, 192)}, {around(0)}}, 3);
        for (Rational const& x : {Rational(900), Rational(1100)}) {
            CHECK(contains(rows.dot(0, 1), x));
            CHECK(contains(rows.dot(1, 0), x));
        }
        CHECK(rows.dot(0, 1).radius() < 101);
        // Of one direction or of opposite ones.
        CHECK(contains(rows.pair(2, 1).rest, 0));
        CHECK(meets(rows.pair(2, 1).rest, pi(192)));
        CHECK(rows.pair(2, 2).rest.radius() < 1e-30);
    }

    TEST_CASE("rows whose squares underflow, or are no doubles") {
        Rational const small = Rational(1) / Rational(power(Integer(10), 200));
        BallRows const rows("inputs", intervals({{small, 1}, {small, 0}, {0, 0}}), 3);
        CHECK(contains(rows.dot(1, 1), small * small));
        CHECK_FALSE(rows.dot(1, 1).is_zero());
        CHECK(contains(rows.dot(0, 1), small * small));
        CHECK(rows.dot(0, 2).is_zero());
        BallRows const large("inputs", intervals({{power(Integer(10), 200)}, {1}}), 2);
        CHECK_THROWS_AS((void)large.dot(0, 0).enclose(), UnsupportedError);
        CHECK(contains(large.dot(0, 1), power(Integer(10), 200)));
    }

    TEST_CASE("rows of unlike sizes are refused") {
        CHECK_THROWS_AS(BallRows("inputs", intervals({{1}, {1, 2}}), 2), DomainError);
        CHECK_THROWS_AS(BallRows("inputs", intervals({{1}}), 2), DomainError);
        CHECK_THROWS_AS(BallRows("inputs", {}, 0), DomainError);
    }
}
