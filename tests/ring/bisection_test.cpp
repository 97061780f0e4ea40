// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <rapidcheck.h>
#include <isserlis/ring/bisection.hpp>
#include <isserlis/ring/decimal.hpp>

#include "property.hpp"

using namespace isserlis;

TEST_SUITE("ring/bisection") {
    TEST_CASE("sqrt 2 as the sign change of x^2 - 2, to a hundred digits") {
        SignChange const root([](Rational const& x) { return isserlis::sign(Rational(x * x - 2)); }, ratio(1, 2), 8);
        auto const enclose = [&](unsigned bits) { return root.enclosure(bits); };
        CHECK(decimal(enclose, 17) == "1.4142135623730950");
        CHECK(decimal(enclose, 100) == decimal(sqrt(Surd(2)), 100));
        CHECK_FALSE(root.exact());
    }

    TEST_CASE("a decreasing function, and a change at an end") {
        SignChange const half([](Rational const& x) { return isserlis::sign(Rational(ratio(1, 3) - x)); }, ratio(1, 8),
                              1);
        CHECK(*half.exact() == ratio(1, 3));
        SignChange const below([](Rational const& x) { return isserlis::sign(Rational(x - 1)); }, 1, 2);
        CHECK(*below.exact() == 1);
        SignChange const above([](Rational const& x) { return isserlis::sign(Rational(x - 2)); }, 1, 2);
        CHECK(*above.exact() == 2);
    }

    TEST_CASE("the simplest fraction of an interval") {
        CHECK(simplest_between(ratio(3, 10), ratio(4, 10)) == ratio(1, 3));
        CHECK(simplest_between(ratio(7, 2), ratio(9, 2)) == 4);
        CHECK(simplest_between(ratio(22, 7), ratio(22, 7)) == ratio(22, 7));
        CHECK(simplest_between(ratio(314, 100), ratio(315, 100)) == ratio(22, 7));
    }

    TEST_CASE("every short fraction is found again") {
        isserlis::testing::holds([] {
            int const q = *rc::gen::inRange(1, 500);
            int const p = *rc::gen::inRange(1, 2000);
            Rational const point = ratio(p, q);
            SignChange const found([&](Rational const& x) { return isserlis::sign(Rational(x - point)); }, point / 7,
                                   point * 5);
            RC_ASSERT(found.exact() == point);
            auto const inside = found.enclosure(80);
            RC_ASSERT(mpfr_cmp_q(inside.lower(), point.backend().data()) <= 0);
            RC_ASSERT(mpfr_cmp_q(inside.upper(), point.backend().data()) >= 0);
        });
    }

    TEST_CASE("the least number from which on something holds") {
        for (std::uint64_t least = 1; least < 70; ++least) {
            std::uint64_t calls = 0;
            auto const holds = [&](std::uint64_t n) {
                ++calls;
                return n >= least;
            };
            CHECK(least_that(holds, 1, 1'000'000) == least);
            CHECK(calls < 20);
            CHECK(least_that(holds, 1, least) == least);
            if (least > 1) CHECK_FALSE(least_that(holds, 1, least - 1));
        }
    }
}
