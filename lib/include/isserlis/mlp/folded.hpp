// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/batch_pass.hpp>
#include <vector>

namespace isserlis::mlp {

/// A network with its parameters.
template <class T>
struct FoldedNetwork {
    Architecture architecture;
    std::vector<T> parameters;
};

/// The same function as in production without batch norm and dropout: rows of weights times
/// gamma / sqrt(sigma^2 + epsilon), the rest in biases.
///
/// Law     none: moments are those of production.
/// Shape   nodes with batch norm get a bias; all other parameters stay, in the order of the new architecture.
/// Units   those of the network.
/// Errors  DomainError when parameters or moments do not fit; UnsupportedError, which names the node, for batch norm of
///         a sum with a skip edge, whose matrix is not there to be scaled.
/// Source  [Liquet 2024, eq. (5.41) and after]
template <class T>
[[nodiscard]] FoldedNetwork<T> folded(Architecture const& architecture, std::vector<T> const& parameters,
                                      Moments<T> const& moments);

}  // namespace isserlis::mlp
