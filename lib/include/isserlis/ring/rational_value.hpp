// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

#include <optional>

namespace isserlis {

/// The number x, if it is a rational one.
[[nodiscard]] inline std::optional<Rational> rational_value(Surd const& x) {
    return x.is_rational() ? std::optional(x.to_rational()) : std::nullopt;
}
[[nodiscard]] inline std::optional<Rational> rational_value(RationalFunction const& x) {
    return x.is_numeric() ? rational_value(x.evaluate({})) : std::nullopt;
}

}  // namespace isserlis
