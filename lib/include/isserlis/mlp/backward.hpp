// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/network.hpp>
#include <type_traits>
#include <vector>

namespace isserlis::mlp {

/// The gradient of g . h^n by every weight: dW_q in `weights` (dP_q of a concatenated ReLU) and dN_q in `negative`; by
/// what `layers` holds, where the network has scales.
///
/// Law     none: weights and pass are given; g is a constant, so this is one row-combination of the Jacobian.
/// Shape   like net.layers; h^n is the output, which is z^n unless the head is gated; g has d_n entries.
/// Units   [g] [h] / [weight].
/// Errors  DomainError when the pass or g does not fit the network.
/// Source  the chain rule, for concatenated ReLU [Hettinger 2019, Lemma 3.21], with the pass's own gates; relu'(0) = 0,
///         but 1/2 for each side of a concatenated ReLU [Hettinger 2019, Def 3.13].
template <class T>
[[nodiscard]] std::vector<Layer<T>> backward(Network<T> const& net, Pass<T> const& pass,
                                             std::type_identity_t<Vector<T>> const& output_gradient);

}  // namespace isserlis::mlp
