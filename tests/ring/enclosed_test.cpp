// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/enclosed.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Enclosed;
using isserlis::Interval;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

/// A rational, itself or within an interval of few bits.
struct Known {
    Rational value;
    Enclosed enclosed;
};
Known any_known() {
    Rational const value = ratio(any_int(-50, 50), any_int(1, 30));
    return {.value = value, .enclosed = any_int(0, 1) == 0 ? Enclosed(value) : Enclosed(Interval(value, 20))};
}

bool contains(Enclosed const& at, Rational const& value) {
    return (at.enclose(60) - Interval(value, 60)).contains_zero();
}

}  // namespace

TEST_SUITE("ring/enclosed") {
    static_assert(isserlis::Field<Enclosed>);

    // Exact rational arithmetic is the oracle.
    TEST_CASE("results hold the exact value, and are exact among rationals") {
        holds([] {
            Known const a = any_known();
            Known const b = any_known();
            RC_ASSERT(contains(a.enclosed + b.enclosed, a.value + b.value));
            RC_ASSERT(contains(a.enclosed - b.enclosed, a.value - b.value));
            RC_ASSERT(contains(a.enclosed * b.enclosed, a.value * b.value));
            if (b.value != 0) RC_ASSERT(contains(a.enclosed / b.enclosed, a.value / b.value));
            RC_ASSERT(Enclosed(a.value) * Enclosed(b.value) == Enclosed(Rational(a.value * b.value)));
            std::vector<Enclosed> x{a.enclosed, b.enclosed, any_known().enclosed};
            std::vector<Enclosed> y{b.enclosed, b.enclosed, 0};
            RC_ASSERT(contains(dot(x, y), a.value * b.value + b.value * b.value));
        });
    }

    TEST_CASE("0 is exact: it wipes out what it multiplies") {
        Enclosed const third{Interval(ratio(1, 3), 30)};
        CHECK((Enclosed(0) * third).is_zero());
        CHECK((third * Enclosed(0)).is_zero());
        CHECK((Enclosed(0) / third).is_zero());
        CHECK(third + Enclosed(0) == third);
        CHECK_FALSE((third - third).is_zero());
        CHECK_THROWS_AS((void)(third / Enclosed(0)), isserlis::DomainError);
        CHECK_THROWS_AS((void)(third / (third - third)), isserlis::DomainError);
    }

    // [0, 2], [0, 4] and [-2, 2]
    TEST_CASE("equal intervals have both ends in common") {
        auto const around = [](long middle, long radius) {
            return Enclosed(widened(Interval(middle, 30), Interval(radius, 30)));
        };
        CHECK(around(1, 1) == around(1, 1));
        CHECK_FALSE(around(1, 1) == around(2, 2));
        CHECK_FALSE(around(1, 1) == around(0, 2));
    }
}
