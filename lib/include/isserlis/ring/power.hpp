// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/scaled_double.hpp>
#include <isserlis/ring/surd.hpp>

#include <cmath>
#include <cstdint>

namespace isserlis {

// `power(base, count)` for every ring; the exact ones have theirs beside the type.
[[nodiscard]] inline double power(double base, std::uint64_t exponent) {
    return exponent == 1 ? base : std::pow(base, static_cast<double>(exponent));
}

[[nodiscard]] inline ScaledDouble power(ScaledDouble base, std::uint64_t exponent) {
    ScaledDouble out(1);
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 == 1) out = out * base;
        base = base * base;
    }
    return out;
}

/// A number of layers as an element of the ring.
template <class R>
[[nodiscard]] R from_count(std::uint64_t count) {
    if constexpr (std::is_floating_point_v<R>) {
        return static_cast<R>(count);
    } else {
        return R(Rational(Integer(count)));
    }
}
template <class R>
[[nodiscard]] R from_count(Exponent const& count) {
    return R(count);
}

/// A result brought into its simplest form: a sum of products becomes one fraction when that is feasible.
template <class R>
[[nodiscard]] R simplified(R const& x) {
    return x;
}
[[nodiscard]] inline RationalFunction simplified(RationalFunction const& x) { return x.merged(); }

}  // namespace isserlis
