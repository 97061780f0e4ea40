// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/surd.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace isserlis {

/// a + b sqrt(r) with whole a and b.
struct QuadraticInteger {
    Integer a;
    Integer b;
    std::uint64_t r = 1;

    QuadraticInteger(int value = 0) : a(value) {}  // NOLINT(google-explicit-constructor): a ring embeds the integers
    QuadraticInteger(Integer whole, Integer root, std::uint64_t radicand)
        : a(std::move(whole)), b(std::move(root)), r(radicand) {}

    friend QuadraticInteger operator+(QuadraticInteger const& x, QuadraticInteger const& y) {
        return {x.a + y.a, x.b + y.b, std::max(x.r, y.r)};
    }
    friend QuadraticInteger operator*(QuadraticInteger const& x, QuadraticInteger const& y) {
        if (x.b == 0) return y * x.a;
        if (y.b == 0) return x * y.a;
        return {x.a * y.a + x.b * y.b * x.r, x.a * y.b + x.b * y.a, x.r};
    }
    friend QuadraticInteger operator*(QuadraticInteger const& x, Integer const& y) { return {x.a * y, x.b * y, x.r}; }
};

inline Surd as_surd(Integer const& x) { return x; }
inline Surd as_surd(QuadraticInteger const& x) {
    return Surd(x.a) + Surd::monomial(Rational(x.b), Integer(x.b == 0 ? 1 : x.r));
}
inline Surd as_surd(Surd const& x) { return x; }

}  // namespace isserlis
