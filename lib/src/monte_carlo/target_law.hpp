// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/random/stream.hpp>
#include <optional>
#include <span>

#include "plan/scoped_query.hpp"

namespace isserlis::monte_carlo::detail {

/// Highest power of the targets in any term.
[[nodiscard]] unsigned target_degree(ScopedSum const& sum);

/// Moments of one target about 0; without a third one it is that of a law even about its mean.
struct MomentsOfTarget {
    double mean = 0;
    double second = 1;
    std::optional<double> third{};
    std::optional<double> fourth{};
};

/// Draws targets with these moments: the mean plus w, which is 0, a or -b.
///
/// Law     independent; P(a) : P(-b) = b : a, a - b = E w^3 / E w^2, a b = E w^4 / E w^2 - (a - b)^2 and
///         P(w != 0) = E w^2 / (a b). Without a fourth moment w is never 0.
/// Shape   one number for each output.
/// Units   those of the outputs.
/// Errors  DomainError for moments that no law has, or for a fourth moment that a term of this degree in y needs and that
/// is
///         not given; UnsupportedError for a degree beyond 5, unless all targets are their mean.
/// Source  this library
class TargetLaw {
public:
    TargetLaw(MomentsOfTarget const& moments, unsigned degree);

    void draw(Stream& stream, std::span<double> y) const;

private:
    double mean_ = 0;
    double above_ = 0;   ///< a
    double below_ = 0;   ///< b
    double chance_ = 0;  ///< P(w != 0)
};

}  // namespace isserlis::monte_carlo::detail
