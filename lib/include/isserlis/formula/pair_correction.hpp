// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/wide_kernels.hpp>

#include <vector>

namespace isserlis {

/// Pre-activations z of one layer at two inputs x and y, hidden layer l of n r_l units.
struct PairCorrection {
    Enclosed vertex;   ///< E z_1(x) z_1(y) z_2(x) z_2(y) - (E z(x) z(y))^2 = V/n + O(1/n^2) of two neurons 1 and 2
    Enclosed kernel;   ///< G: E z(x) z(y) = K(x,y) + G/n + O(1/n^2)
    Enclosed tangent;  ///< T: the mean of the tangent kernel is Theta(x,y) + T/n + O(1/n^2)
    // Covariances, times n, of products of two neurons: of z_1(p) z_1(q) and z_2(r) z_2(s).
    Enclosed vertex_x_xy;  ///< of z_1(x)^2 and z_2(x) z_2(y)
    Enclosed vertex_x_y;   ///< of z_1(x)^2 and z_2(y)^2
    Enclosed vertex_xy_y;  ///< of z_1(x) z_1(y) and z_2(y)^2
};

/// What finite width does to the covariance at two inputs, to its fluctuation and to the mean tangent kernel, to order 1/n.
///
/// Law     Gaussian weights and biases; of order 1/n, that of layer 2 the whole.
/// Shape   entry l is of z^(l+1), l = 0 .. hidden_layers, as those of wide_kernels; `relative_widths` are r_l, none for 1.
/// Units   V those of K^2, G and T those of K; the tangent kernel is that of wide_kernels.
/// Errors  those of wide_kernels and require_relative_widths; UnsupportedError of gates without biases for inputs of opposite
///         directions, of smooth units but sin and cos for a variance above most_pair_variance; DomainError for a layer of gates,
///         elu or selu whose correlation cannot be told from 1 in this precision.
/// Source  docs/formulas/pair_correction.md; after [Roberts 2022, chapter 4]
[[nodiscard]] std::vector<PairCorrection> pair_corrections(WideNetwork const& network, InputGram const& inputs,
                                                           std::vector<Rational> const& relative_widths, unsigned bits);

/// Throws DomainError unless there are none, or a positive one for each hidden layer.
void require_relative_widths(WideNetwork const& network, std::vector<Rational> const& relative_widths);

}  // namespace isserlis
