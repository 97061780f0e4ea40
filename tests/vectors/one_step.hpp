// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/activation.hpp>

#include "strand_value.hpp"
#include "vector_file.hpp"

/// Expected derivatives, at lambda = 0, of the mean loss over samples after a step of lambda along minus its gradient
/// G, by the strand engine. The inputs of an item are widths d, samples X, and gradients, Hessians or targets Y.
namespace vectors {

/// A chain of the proportional scheme: variances 1/sqrt(fan-in * fan-out).
Net<Surd> proportional_chain(json const& widths, isserlis::ActivationKind kind);

/// L' = -|G|^2, the loss having given gradients at the outputs.
Surd slope_with_constant_gradients(json const& in, isserlis::ActivationKind kind);
/// L'', the mean over samples of g . z'' + z' . H z'.
Surd curvature_with_constant_gradients(json const& in, isserlis::ActivationKind kind);

/// L' and L'' = G' (Hessian) G of the squared error |z - y|^2, weights inside G.
Surd slope_of_squared_error(json const& in, isserlis::ActivationKind kind);
Surd curvature_of_squared_error(json const& in, isserlis::ActivationKind kind);
/// G_B' (Hessian) G_B, the gradient that of `batch` samples: the mean over every choice of them, one by one.
Surd curvature_over_batches(json const& in, isserlis::ActivationKind kind, std::size_t batch);

}  // namespace vectors
