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

    // x^2 - 20 between 4 and 8, 1/x - 5 between 1/8 and 1/4, and both: the nearer one first.
    TEST_CASE("neighbours between which a sign changes, from 1 outwards") {
        using Found = std::vector<std::pair<Rational, Rational>>;
        auto const all = [](auto const& f) {
            Found out;
            auto const sign_at = [&](Rational const& x) -> std::optional<int> { return f(x); };
            bool const ended = find_sign_change(powers_of_two(5), sign_at, [&](Rational const& a, Rational const& b) {
                out.emplace_back(a, b);
                return false;
            });
            CHECK_FALSE(ended);
            return out;
        };
        auto const square = [](Rational const& x) { return isserlis::sign(Rational(x * x - 20)); };
        auto const inverse = [](Rational const& x) { return isserlis::sign(Rational(1 / x - 5)); };
        CHECK(all(square) == Found{{4, 8}});
        CHECK(all(inverse) == Found{{ratio(1, 8), ratio(1, 4)}});
        CHECK(all([&](Rational const& x) { return square(x) * inverse(x); }) ==
              Found{{ratio(1, 8), ratio(1, 4)}, {4, 8}});
        CHECK(all([](Rational const&) { return 1; }).empty());
        // No value at 1 and below: nothing changes there. A zero at a point is that point.
        CHECK(all([](Rational const& x) { return x <= 1 ? std::optional<int>() : isserlis::sign(Rational(x - 3)); }) ==
              Found{{2, 4}});
        CHECK(all([](Rational const& x) { return isserlis::sign(Rational(x - 16)); }).front() ==
              std::pair<Rational, Rational>(16, 16));
        // Nor from 4 on.
        CHECK(all([](Rational const& x) { return x < 4 ? std::optional(1) : std::nullopt; }).empty());
        // Beside 1, and at both ends.
        auto const change_at = [&](Rational const& place) {
            return all([&](Rational const& x) { return isserlis::sign(Rational(x - place)); });
        };
        CHECK(change_at(ratio(3, 4)) == Found{{ratio(1, 2), 1}});
        CHECK(change_at(ratio(3, 2)) == Found{{1, 2}});
        CHECK(change_at(ratio(1, 20)) == Found{{ratio(1, 32), ratio(1, 16)}});
        CHECK(change_at(20) == Found{{16, 32}});
    }

    TEST_CASE("powers of two") { CHECK(powers_of_two(2) == std::vector<Rational>{ratio(1, 4), ratio(1, 2), 1, 2, 4}); }

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
