// SPDX-License-Identifier: MIT
#include "quantity/wired/vertex_rate.hpp"

#include <isserlis/report/tidy.hpp>

namespace isserlis::quantity {
namespace {

constexpr std::size_t longest_expanded = 2'500;  ///< characters of a curvature

}  // namespace

Value vertex_rate(RationalFunction const& slope, RationalFunction const& curvature) {
    if (curvature.terms().size() > 1) {
        auto const above = tidy(slope).exact();
        auto const below = tidy(curvature).exact();
        if (above && below && below->size() > longest_expanded)
            return Value::expression("-(" + *above + ")/(" + *below + ")");
    }
    return tidy(RationalFunction(RationalFunction(0) - slope / curvature));
}

}  // namespace isserlis::quantity
