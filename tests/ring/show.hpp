// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

// How doctest prints our numbers when a CHECK fails.
namespace doctest {

template <>
struct StringMaker<isserlis::Surd> {
    static String convert(isserlis::Surd const& x) { return isserlis::to_string(x).c_str(); }
};
template <>
struct StringMaker<isserlis::RationalFunction> {
    static String convert(isserlis::RationalFunction const& x) { return isserlis::to_string(x).c_str(); }
};
template <>
struct StringMaker<isserlis::Exponent> {
    static String convert(isserlis::Exponent const& x) { return isserlis::to_string(x).c_str(); }
};
template <>
struct StringMaker<isserlis::Polynomial> {
    static String convert(isserlis::Polynomial const& x) {
        return isserlis::to_string(isserlis::RationalFunction(x)).c_str();
    }
};

}  // namespace doctest
