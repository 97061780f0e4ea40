// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/value.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

namespace isserlis::quantity {

/// The rate at the lowest point of a parabola, -slope/curvature; the curvature is not 0. Long sums stay above and below
/// the bar: put over one denominator they are expanded, and take a hundred times the room.
[[nodiscard]] Value vertex_rate(RationalFunction const& slope, RationalFunction const& curvature);
[[nodiscard]] inline Value vertex_rate(Surd const& slope, Surd const& curvature) {
    return Surd(Surd(0) - slope / curvature);
}

}  // namespace isserlis::quantity
