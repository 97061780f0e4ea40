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

/// About a mean other than 0 three targets meet in y^4 too, where their moment may cancel.
/// Errors  OddTargetsError, always.
[[noreturn]] void refuse_missing_third(bool targets_have_mean);

/// Adds to `out` the mean of c m over the targets y_i = E y_i + w_i: each is its mean, or meets others in w: E w_i w_j = delta_ij
/// E w^2, E w^3 where three meet, and the fourth cumulant where four do.
///
/// Errors  OddTargetsError for a third moment that does not vanish by symmetry and is not given; UnsupportedError for moments
///         beyond the fourth.
void average_targets(Monomial const& m, Coefficient const& c, ExpansionContext const& context,
                     std::vector<Weighted>& out);

}  // namespace isserlis
