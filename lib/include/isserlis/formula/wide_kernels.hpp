// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/smooth_pairs.hpp>
#include <isserlis/network/gate.hpp>

#include <cstdint>
#include <variant>
#include <vector>

namespace isserlis {

/// A gate (linear, ReLU, leaky), or a smooth unit.
using KernelUnit = std::variant<Gate<Rational>, SmoothUnit>;

/// What a unit makes of two pre-activations that are jointly normal: rational where that is, else enclosures of this
/// precision.
///
/// Law     (u, v) normal, mean 0.
/// Shape   uu and vv positive, uv^2 <= uu vv; what exceeds that by less than the enclosures are wide is cut off. Near an
///         angle of 0 or pi half of the digits of gates, elu and selu are lost.
/// Units   those of sigma squared.
/// Errors  DomainError for a variance that is not certainly positive; those of smooth_pair_means.
/// Source  [Cho 2009, eq. (3)] for ReLU; docs/formulas/wide_kernels.md, docs/formulas/smooth_pairs.md
[[nodiscard]] PairMeans pair_means(KernelUnit const& unit, PairCovariance const& pair, unsigned bits);

/// Layers z^(l+1) = W h^l + b, h^l = sigma(z^l), h^0 = x, with W entries of variance w/fan-in and b entries of
/// variance b.
struct WideNetwork {
    KernelUnit unit;
    Rational weight_variance = 1;  ///< w = sigma_w^2
    Rational bias_variance = 0;    ///< b = sigma_b^2
    std::uint64_t hidden_layers = 1;
};

/// |x|^2/n_0, x.y/n_0 and |y|^2/n_0 of two inputs of n_0 coordinates.
struct InputGram {
    Rational xx = 1;
    Rational xy = 0;
    Rational yy = 1;
};

/// Of the pre-activations of one layer, for the two inputs.
struct WideKernels {
    PairCovariance kernel;   ///< K: E z_i(x) z_i(x), E z_i(x) z_i(y), E z_i(y) z_i(y)
    PairCovariance tangent;  ///< Theta of the NTK parametrisation, in the same order
};

/// Kernels of infinitely wide networks, layer by layer; on the diagonal of gates, and of linear networks, rational.
///
/// Law     Gaussian weights and biases, the limit of infinite hidden widths one after the other. Of the first two layers
///         both kernels are those of the mean at any width.
/// Shape   entry l is of z^(l+1), l = 0 .. hidden_layers; the last one is the output.
/// Units   Theta: derivatives by theta and beta of W = sqrt(w/fan-in) theta, b = sqrt(b) beta.
/// Errors  DomainError for numbers of no two inputs, w <= 0 or b < 0.
/// Source  [Lee 2018], [Jacot 2018, Thm 1]: K' = w E sigma(u) sigma(v) + b, Theta' = K' + w E sigma'(u) sigma'(v) Theta
///         over (u, v) of covariance K
[[nodiscard]] std::vector<WideKernels> wide_kernels(WideNetwork const& network, InputGram const& inputs, unsigned bits);

}  // namespace isserlis
