// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/random/stream.hpp>
#include <optional>
#include <span>

#include "plan/scoped_query.hpp"

namespace isserlis::monte_carlo::detail {

/// Highest power of the targets in any term.
[[nodiscard]] unsigned target_degree(ScopedSum const& sum);

/// Draws targets of mean 0 with given second, third and fourth moments: 0, a or -b.
///
/// Law     independent; P(a) : P(-b) = b : a, a - b = E y^3 / E y^2, a b = E y^4 / E y^2 - (a - b)^2 and
///         P(y != 0) = E y^2 / (a b). Without a fourth moment y is never 0.
/// Shape   one number for each output.
/// Units   those of the outputs.
/// Errors  DomainError for moments that no law has, or for a fourth moment that a term of this degree in y needs and that
/// is
///         not given; UnsupportedError for a degree beyond 5, unless all targets are 0.
/// Source  this library
class TargetLaw {
public:
    TargetLaw(double second_moment, double third_moment, std::optional<double> fourth_moment, unsigned degree);

    void draw(Stream& stream, std::span<double> y) const;

private:
    double above_ = 0;   ///< a
    double below_ = 0;   ///< b
    double chance_ = 0;  ///< P(y != 0)
};

}  // namespace isserlis::monte_carlo::detail
