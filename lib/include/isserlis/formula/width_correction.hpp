// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/wide_kernels.hpp>

#include <vector>

namespace isserlis {

/// A pre-activation z of one layer at one input, hidden layer l of n r_l units, and the tangent kernel H_ij of the outputs
/// that two of its neurons would be, of infinite width Theta for i = j and 0 else.
struct WidthCorrection {
    Enclosed vertex;            ///< V: E z^4 - 3 (E z^2)^2 = 3 V/n + O(1/n^2), the four-point vertex
    Enclosed kernel;            ///< G: E z^2 = K + G/n + O(1/n^2)
    Enclosed tangent;           ///< T: E H_11 = Theta + T/n + O(1/n^2)
    Enclosed tangent_vertex;    ///< D: E z_1^2 H_22 - E z_1^2 E H_22 = D/n + O(1/n^2)
    Enclosed tangent_exchange;  ///< F: E z_1 z_2 H_12 = F/n + O(1/n^2)
};

/// What finite width does to the second and the fourth moment of pre-activations and to the mean of the tangent kernel, to
/// order 1/n; rational for gates.
///
/// Law     Gaussian weights and biases; of order 1/n, that of layer 2 the whole.
/// Shape   entry l is of z^(l+1), l = 0 .. hidden_layers, as those of wide_kernels; `relative_widths` are r_l, none for 1.
/// Units   V, D and F those of K^2, G and T those of K; the tangent kernel is that of wide_kernels.
/// Errors  those of wide_kernels and require_relative_widths; UnsupportedError for a variance above 10000 of units that are
///         no gates.
/// Source  docs/formulas/width_correction.md; [Yaida 2019], [Roberts 2022, chapter 4]
[[nodiscard]] std::vector<WidthCorrection> width_corrections(WideNetwork const& network, Rational const& square,
                                                             unsigned bits,
                                                             std::vector<Rational> const& relative_widths = {});

}  // namespace isserlis
