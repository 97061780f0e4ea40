// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/graph_network.hpp>

#include <cstddef>
#include <vector>

namespace isserlis::monte_carlo {

/// How pre-activations move when weights do, to first order and gates fixed: the derivative of a forward pass.
///
/// Law     none: a pass is given.
/// Shape   moves by edge, as many as its entries, none for skips; by neuron what a node's own matrices do, and all of it.
///         Biases stay.
/// Errors  none.
/// Source  the chain rule
class GraphMotion {
public:
    /// The layout has to outlive this.
    explicit GraphMotion(mlp::GraphLayout const& layout) : layout_(&layout) {}

    void forward(mlp::GraphPass const& pass, std::vector<std::vector<double>> const& moves);
    [[nodiscard]] std::vector<double> const& own() const { return own_; }
    [[nodiscard]] std::vector<double> const& change() const { return change_; }

private:
    void add_product(mlp::GraphLayout::Edge const& edge, double const* matrix, double const* x,
                     std::vector<double>& to);

    mlp::GraphLayout const* layout_;
    std::vector<double> own_, change_;
    std::vector<double> below_;  ///< of h
    std::vector<double> product_;
};

}  // namespace isserlis::monte_carlo
