// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/scaled_double.hpp>
#include <isserlis/ring/surd.hpp>
#include <string>

TEST_SUITE("ring/concept") {
    TEST_CASE("every number type of the library is a Ring, and a Field where it divides") {
        static_assert(isserlis::Field<isserlis::Rational>);
        static_assert(isserlis::Field<isserlis::Surd>);
        static_assert(isserlis::Field<isserlis::RationalFunction>);
        static_assert(isserlis::Field<isserlis::ScaledDouble>);
        static_assert(isserlis::Field<double>);
        static_assert(isserlis::Ring<isserlis::Integer>);
        static_assert(isserlis::Ring<isserlis::Polynomial>);
        static_assert(!isserlis::Field<isserlis::Polynomial>);
        static_assert(!isserlis::Ring<std::string>);
        // design.md, section 4: constants need no context.
        CHECK(isserlis::Polynomial(1).is_constant());
        CHECK(isserlis::RationalFunction(1).is_numeric());
    }
}
