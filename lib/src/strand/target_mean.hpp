// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/strand/expansion.hpp>

#include <vector>

#include "monomial.hpp"

namespace isserlis {

/// A term whose targets, once averaged, are moments in its coefficient.
struct Weighted {
    Monomial monomial;
    Coefficient coefficient;
};

/// Adds to `out` the mean of c m over the targets: E y_i y_j = delta_ij E y^2, and the fourth cumulant where four meet.
///
/// Errors  UnsupportedError for odd moments that do not vanish by symmetry, and for moments beyond the fourth.
void average_targets(Monomial const& m, Coefficient const& c, ExpansionContext const& context,
                     std::vector<Weighted>& out);

}  // namespace isserlis
