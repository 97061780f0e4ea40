// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/wide_kernels.hpp>

namespace isserlis {

/// A mean over z normal of variance K, and two derivatives by K.
struct VarianceMean {
    Enclosed value;
    Enclosed slope;
    Enclosed bend;
};

/// What squares of a unit and of its derivative have as means.
struct SquareMeans {
    VarianceMean square;      ///< E sigma^2
    VarianceMean derivative;  ///< E sigma'^2
    Enclosed quartic;         ///< E sigma^4
    Enclosed joint;           ///< E sigma^2 sigma'^2
};

/// At this variance, rational of gates.
///
/// Law     z normal, mean 0.
/// Errors  DomainError for a variance that is not certainly positive, UnsupportedError for one above most_unit_variance, of units that
///         are no gates.
/// Source  docs/formulas/width_correction.md
[[nodiscard]] SquareMeans square_means(KernelUnit const& unit, Enclosed const& variance, unsigned bits);

}  // namespace isserlis
