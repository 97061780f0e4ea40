// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/extreme_eigenvalue.hpp>
#include <optional>
#include <span>
#include <vector>

namespace isserlis::train {

/// Top eigenvalues of a loss's Hessian, each with the residual that it was found with.
struct Sharpness {
    mlp::ExtremeEigenvalue top;      ///< lambda_1: the largest by value
    mlp::ExtremeEigenvalue modulus;  ///< the one of largest modulus, with its sign

    /// 2 / lambda_1, up to which descent on the quadratic model falls; none for lambda_1 <= 0.
    [[nodiscard]] std::optional<double> stable_rate() const;
};

/// The sharpness of the mean loss over examples, at given parameters.
///
/// Law     none. The operator is sqrt(h) H sqrt(h), h the label factor of the node that a parameter is part of or leads
///         into: with rates eta h by layer, descent on the quadratic model falls for eta < 2 / lambda_1. Piecewise
///         linear units have no second derivative: H is that of the piece.
/// Shape   `label_factors` has one for each node besides the input, or is empty for 1; the bits do not depend on the
///         number of threads.
/// Units   [objective] / [parameter]^2.
/// Errors  UnsupportedError for batch norm, whose training loss is not that of production, for dropout, and for step
///         units; DomainError for sizes that clash, factors that are negative or not finite, and parameters at which H
///         is not finite; those of largest_by_modulus.
/// Source  sharpness [Iyer 2023, section 4.2]; products [Pearlmutter 1994]
[[nodiscard]] Sharpness sharpness(mlp::Architecture const& architecture, mlp::Objective objective,
                                  mlp::Examples<double> const& examples, std::span<double const> parameters,
                                  std::vector<double> const& label_factors = {}, unsigned threads = 1);

/// Throws UnsupportedError as sharpness does.
void require_sharpness(mlp::Architecture const& architecture);

}  // namespace isserlis::train
