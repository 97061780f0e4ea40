// SPDX-License-Identifier: MIT
#pragma once
#include <Eigen/Core>
#include <functional>

namespace isserlis::mlp {

/// An eigenvalue of a symmetric operator, and how near the operator has one for certain.
struct ExtremeEigenvalue {
    double value = 0;
    double residual = 0;  ///< |H v - value v| of a unit vector v: some eigenvalue is no further away
};

/// A symmetric operator on vectors of `size` numbers: apply(in, out) writes H in.
struct SymmetricOperator {
    Eigen::Index size = 0;
    std::function<void(double const* in, double* out)> apply;
};

/// The eigenvalue of largest modulus, with its sign, by Lanczos on products with vectors; dense for less than 40
/// numbers.
///
/// Law     none: the start is a fixed vector without a pattern, which is orthogonal to the wanted one almost never.
/// Shape   0 for the operator 0.
/// Units   those of the operator.
/// Errors  DomainError for a product that is not finite; UnsupportedError when Lanczos does not converge to a residual
///         of 1e-8 times the eigenvalue.
/// Source  Lanczos by Spectra. A residual r says that some eigenvalue is within r, not that it is the top one.
[[nodiscard]] ExtremeEigenvalue largest_by_modulus(SymmetricOperator const& h);

/// The largest eigenvalue by value, once that of largest modulus is known: that one if it is not negative, else that of
/// H shifted by the modulus.
///
/// Law, Units, Errors, Source  those of largest_by_modulus; the residual is within 1e-8 of the modulus.
[[nodiscard]] ExtremeEigenvalue largest_by_value(SymmetricOperator const& h, ExtremeEigenvalue const& by_modulus);

}  // namespace isserlis::mlp
