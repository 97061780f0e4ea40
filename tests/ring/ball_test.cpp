// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>

#include "ends.hpp"
#include "property.hpp"
#include "random_elements.hpp"
#include "ring/ball.hpp"

using namespace isserlis;
using isserlis::testing::any_int;
using isserlis::testing::exact;
using isserlis::testing::holds;

namespace {

bool contains(Ball const& ball, Rational const& x) { return testing::contains(ball.enclose(), x); }

/// 2^-70 to 2^70 in size, with few digits or many.
Rational any_number() {
    Rational const digits = ratio(any_int(-1'000'000, 1'000'000), any_int(1, 1'000'000));
    Integer const size = power(Integer(2), static_cast<std::uint64_t>(any_int(0, 70)));
    return any_int(0, 1) == 0 ? Rational(digits * size) : Rational(digits / size);
}

/// A ball and a number in it, at its edge where it is wide.
struct Place {
    Ball ball;
    Rational x;
};
Place any_place() {
    Rational const x = any_number();
    Interval const here(x, 192);
    if (any_int(0, 1) == 0) return {Ball(here), x};
    Rational const radius = abs(x) / ratio(any_int(2, 1'000'000), 1);
    Rational const middle = any_int(0, 1) == 0 ? Rational(x - radius) : Rational(x + radius);
    return {Ball(widened(Interval(middle, 192), Interval(radius, 192))), x};
}

/// Radius over size.
double spread(Ball const& ball) { return ball.radius() / std::fabs(ball.high()); }

Ball ball_of(Rational const& x) { return Ball(Interval(x, 192)); }

}  // namespace

TEST_SUITE("ring/ball") {
    TEST_CASE("numbers keep 31 digits") {
        Ball const third = ball_of(ratio(1, 3));
        CHECK(contains(third, ratio(1, 3)));
        CHECK(spread(third) < 1e-32);
        CHECK(third.high() == 1.0 / 3);
        CHECK(contains(third + third + third, Rational(1)));
        CHECK(contains(Ball(1) / Ball(3), ratio(1, 3)));
        CHECK(spread(Ball(1) / Ball(3)) < 1e-30);
        CHECK(exact(Ball(7).enclose().lower()) == 7);
        CHECK(exact(Ball(7).enclose().upper()) == 7);
        CHECK(Ball(0).is_zero());
        CHECK_FALSE(third.is_zero());
        CHECK((third * Ball(0)).is_zero());
        CHECK((Ball(0) / third).is_zero());
        // What is around 0 is not 0.
        Ball const small = Ball(0).give_or_take(1);
        CHECK_FALSE(small.is_zero());
        CHECK(contains(small * Ball(2), Rational(2)));
        CHECK_THROWS_AS((void)(Ball(0) / small).enclose(), UnsupportedError);
        CHECK(sqrt(small).most() <= 1.01);
    }

    TEST_CASE("what operators give contains what they do to every number of their balls") {
        holds(
            [] {
                auto const a = any_place();
                auto const b = any_place();
                RC_ASSERT(contains(a.ball + b.ball, a.x + b.x));
                RC_ASSERT(contains(a.ball - b.ball, a.x - b.x));
                RC_ASSERT(contains(a.ball * b.ball, a.x * b.x));
                RC_ASSERT(contains(-a.ball, -a.x));
                if (!b.ball.contains_zero()) RC_ASSERT(contains(a.ball / b.ball, a.x / b.x));
                RC_ASSERT(contains(sqrt(a.ball * a.ball), abs(a.x)));
                RC_ASSERT(contains(a.ball.give_or_take(1), a.x + ratio(1, 1)));
                RC_ASSERT(Rational(a.ball.most()) >= abs(a.x));
                RC_ASSERT(Rational(a.ball.least()) <= abs(a.x));
            },
            2000);
    }

    TEST_CASE("sharp numbers stay sharp") {
        holds(
            [] {
                Rational const x = any_number();
                Rational const y = any_number();
                if (x == 0 || y == 0) return;
                Ball const a = ball_of(x);
                Ball const b = ball_of(y);
                for (Ball const& c : {a * b, a / b, sqrt(a * a)}) RC_ASSERT(spread(c) < 1e-30);
                double const size = std::max(a.most(), b.most());
                RC_ASSERT((a + b).radius() < 1e-31 * size);
                auto const [upper, lower] = Ball::halves(a.high());
                RC_ASSERT(upper + lower == a.high());
                RC_ASSERT(Rational(upper) * Rational(upper) == Rational(upper * upper));
            },
            500);
    }

    TEST_CASE("nothing is known beyond the range of doubles, nor of a quotient by what may be 0") {
        Ball const large(1e300);
        CHECK_THROWS_AS((void)(large * large).enclose(), UnsupportedError);
        CHECK_THROWS_AS((void)(large * large - large * large).enclose(), UnsupportedError);
        CHECK_THROWS_AS((void)(Ball(1) / Ball(0)).enclose(), UnsupportedError);
        CHECK_THROWS_AS((void)(Ball(1) / Ball(1).give_or_take(2)).enclose(), UnsupportedError);
        CHECK_THROWS_AS((void)sqrt(Ball(-1)).enclose(), UnsupportedError);
        CHECK_THROWS_AS((void)Ball(Interval(power(Integer(10), 400), 64)).enclose(), UnsupportedError);
        // Products that underflow are small, not 0.
        Ball const small(1e-300);
        CHECK(contains(small * small, Rational(Rational(1e-300) * Rational(1e-300))));
        CHECK(contains(Ball(Interval(ratio(Integer(1), power(Integer(10), 400)), 64)),
                       ratio(Integer(1), power(Integer(10), 400))));
    }

    TEST_CASE("a root of what may be 0") {
        Ball const near_zero = Ball(1e-20).give_or_take(1e-10);
        for (Rational const& x : {Rational(0), Rational(1e-20), Rational(1e-10)}) {
            Interval const root = sqrt(Interval(x, 192));
            Interval const at = sqrt(near_zero).enclose();
            CHECK(exact(at.lower()) <= exact(root.lower()));
            CHECK(exact(root.upper()) <= exact(at.upper()));
        }
        CHECK(sqrt(Ball(0)).is_zero());
    }
}
