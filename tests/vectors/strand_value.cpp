// SPDX-License-Identifier: MIT
#include "strand_value.hpp"

#include <doctest/doctest.h>

#include <isserlis/observable/observable.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/strand/expectation.hpp>

namespace vectors {
namespace {

using isserlis::expectation;
using isserlis::parse_query;

Rational checked(isserlis::Query const& query, Net<Rational> const& net, Setting<Rational> const& setting) {
    Rational const value = expectation(query, net, setting);
    CHECK(expectation(query, net, setting, {.reduce = false}) == value);
    auto const rounded = [](Rational const& x) { return x.convert_to<double>(); };
    CHECK(expectation(query, isserlis::converted<double>(net, rounded),
                      isserlis::converted<double>(setting, rounded)) == doctest::Approx(rounded(value)).epsilon(1e-12));
    return value;
}

}  // namespace

Rational expected(std::string const& query, Net<Rational> const& net, Setting<Rational> const& setting) {
    return checked(parse_query(query), net, setting);
}

Surd expected(std::string const& query, Net<Surd> const& net, Setting<Surd> const& setting) {
    return expectation(parse_query(query), net, setting);
}

RationalFunction expected(std::string const& query, Net<RationalFunction> const& net,
                          Setting<RationalFunction> const& setting) {
    return expectation(parse_query(query), net, setting);
}

Rational expected_square(std::string const& query, Net<Rational> const& net, Setting<Rational> const& setting) {
    return checked(squared(parse_query(query)), net, setting);
}

}  // namespace vectors
