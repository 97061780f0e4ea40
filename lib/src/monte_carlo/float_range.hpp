// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <vector>

namespace isserlis::monte_carlo {

/// Refuses a network of floats whose numbers would come near the ends of their range, where they turn 0 or infinite
/// without a word: activations, gradients, squares of both, and their products with the factors, which are rates and the
/// sizes of targets or output gradients. Of doubles nothing is refused.
///
/// Law     none: typical sizes, by the variances; entries are some powers of two larger or smaller.
/// Errors  UnsupportedError
/// Source  the mean square of a layer is its variance times its inputs times that of the layer below, halved by a ReLU
void require_float_range(NetworkModel const& model, std::vector<std::vector<double>> const& inputs,
                         std::vector<double> const& factors);

/// The same of a graph, whose label factors are rates too and multiply the others.
void require_float_range(GraphModel const& model, std::vector<std::vector<double>> const& inputs,
                         std::vector<double> const& factors);

}  // namespace isserlis::monte_carlo
