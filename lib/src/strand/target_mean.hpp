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

/// Adds to `out` the mean of c m over the targets: E y_i y_j = delta_ij E y^2, E y^3 where three meet, and the fourth cumulant
/// where four do.
///
/// Errors  OddTargetsError for a third moment that does not vanish by symmetry and is not given; UnsupportedError for moments
///         beyond the fourth.
void average_targets(Monomial const& m, Coefficient const& c, ExpansionContext const& context,
                     std::vector<Weighted>& out);

}  // namespace isserlis
