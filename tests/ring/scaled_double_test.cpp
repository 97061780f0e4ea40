// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/ring/scaled_double.hpp>
#include <limits>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::ScaledDouble;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

double any_double() { return std::ldexp(static_cast<double>(any_int(-1'000'000, 1'000'000)), any_int(-60, 60)); }

}  // namespace

TEST_SUITE("ring/scaled_double") {
    // IEEE arithmetic is the oracle: scaling by powers of two changes no rounding while nothing over- or underflows.
    TEST_CASE("inside the range of a double it rounds exactly as a double does") {
        holds([] {
            double const a = any_double();
            double const b = any_double();
            RC_ASSERT((ScaledDouble(a) + ScaledDouble(b)).value() == a + b);
            RC_ASSERT((ScaledDouble(a) - ScaledDouble(b)).value() == a - b);
            RC_ASSERT((ScaledDouble(a) * ScaledDouble(b)).value() == a * b);
            if (b != 0) RC_ASSERT((ScaledDouble(a) / ScaledDouble(b)).value() == a / b);
            RC_ASSERT(ScaledDouble(a).value() == a);
        });
    }

    TEST_CASE("a hundred thousand factors neither overflow nor vanish") {
        ScaledDouble product(1);
        for (int i = 0; i < 100'000; ++i) product = product * ScaledDouble(1e10);
        for (int i = 0; i < 100'000; ++i) product = product / ScaledDouble(1e10);
        CHECK(product.value() == doctest::Approx(1.0).epsilon(1e-9));
        ScaledDouble small(1);
        for (int i = 0; i < 1000; ++i) small = small * ScaledDouble(1e-10);
        CHECK(small.value() == 0.0);
        CHECK(small.mantissa() != 0.0);
        CHECK((ScaledDouble(1) / small).value() == std::numeric_limits<double>::infinity());
    }

    TEST_CASE("a summand too small to matter is dropped, a comparable one is not") {
        ScaledDouble const one(1);
        ScaledDouble const tiny = ScaledDouble(std::ldexp(1.0, -1000)) * ScaledDouble(std::ldexp(1.0, -1000));
        CHECK(one + tiny == one);
        CHECK(tiny + one == one);
        CHECK((one + tiny) - one == ScaledDouble(0));
        CHECK((tiny + tiny) / tiny == ScaledDouble(2));
        CHECK(ScaledDouble(1.0) + ScaledDouble(std::ldexp(1.0, -52)) != one);
    }

    TEST_CASE("zero is one value, and whole numbers are exact") {
        CHECK(ScaledDouble(0) == ScaledDouble());
        CHECK(ScaledDouble(5) - ScaledDouble(5) == ScaledDouble(0));
        CHECK(ScaledDouble(0) * ScaledDouble(1e300) == ScaledDouble(0));
        CHECK(ScaledDouble(-3).value() == -3.0);
    }

    TEST_CASE("infinity absorbs what is added to it") {
        double const infinity = std::numeric_limits<double>::infinity();
        CHECK((ScaledDouble(infinity) + ScaledDouble(1.0)).value() == infinity);
        CHECK((ScaledDouble(infinity) + ScaledDouble(1e300)).value() == infinity);
        CHECK((ScaledDouble(1e300) + ScaledDouble(infinity)).value() == infinity);
    }

    TEST_CASE("what is added to 0 stays, however small") {
        ScaledDouble const tiny(0x1p-1000);
        CHECK(ScaledDouble(0) + tiny == tiny);
        CHECK(tiny + ScaledDouble(0) == tiny);
    }
}
