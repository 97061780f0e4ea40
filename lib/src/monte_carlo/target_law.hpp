// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/random/stream.hpp>
#include <optional>
#include <span>

#include "plan/scoped_query.hpp"

namespace isserlis::monte_carlo::detail {

/// Highest power of the targets in any term.
[[nodiscard]] unsigned target_degree(ScopedSum const& sum);

/// Draws targets of mean 0 with given second and fourth moments: 0, or plus or minus a.
///
/// Law     independent; a^2 = E y^4 / E y^2 and P(y != 0) = (E y^2)^2 / E y^4. Without a fourth moment y = +-a always.
/// Shape   one number for each output.
/// Units   those of the outputs.
/// Errors  DomainError for moments that no law has, or a fourth moment that a term of this degree in y needs and that
/// is
///         not given; UnsupportedError for a degree beyond 5, unless all targets are 0.
/// Source  this library
class TargetLaw {
public:
    TargetLaw(double second_moment, std::optional<double> fourth_moment, unsigned degree);

    void draw(Stream& stream, std::span<double> y) const;

private:
    double size_ = 0;    ///< a
    double chance_ = 0;  ///< P(y != 0)
};

}  // namespace isserlis::monte_carlo::detail
