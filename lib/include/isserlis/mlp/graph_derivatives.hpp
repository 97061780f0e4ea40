// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/mlp/jet.hpp>
#include <vector>

namespace isserlis::mlp {

/// Derivatives of one neuron by any K weights and one more: a forward and a reverse pass over jets.
///
/// Law     none: a pass is given, and its gates are kept; relu'(0) = 0, and min'(0) = 1 where there are P and N.
/// Shape   `forward` perturbs K weights, `backward` chooses a neuron z or h of a node, `derivative` is then by the K
///         weights and by one more, any of them. K = 0 is the gradient. The buffers are those of one thread.
/// Units   [z] / [weight]^(K + 1).
/// Errors  none: all arguments count from 0 and are in range.
/// Source  the chain rule
template <unsigned K>
class GraphDerivatives {
public:
    explicit GraphDerivatives(GraphLayout const& layout);

    /// Takes the pass of another network, or at another input; it must outlive the calls below.
    void begin(GraphPass const& pass);
    void forward(std::array<std::size_t, K> const& perturbed);
    void backward(std::size_t node, bool activated, std::size_t neuron);
    [[nodiscard]] double derivative(std::size_t weight) const {
        auto const& w = weights_[weight];
        if (!acts(w)) return 0;
        return layout_->edges()[w.edge].scale * top_of_product(by_z_[w.row], h_[w.column]);
    }

private:
    using Scalar = Jet<K>;

    [[nodiscard]] bool acts(GraphLayout::Weight const& w) const {
        return !layout_->concatenated() || (pass_->positive[w.column] != 0) != w.negative;
    }
    void compute(std::size_t node);
    void distribute(std::size_t node);

    GraphLayout const* layout_;
    GraphPass const* pass_ = nullptr;
    GraphLayout::Weight const* weights_ = nullptr;
    std::array<std::size_t, K> perturbed_{};
    std::size_t perturbed_from_ = 0;  ///< the first node whose values are not plain
    std::vector<Scalar> h_;
    std::vector<Scalar> by_h_;  ///< adjoints
    std::vector<Scalar> by_z_;
    std::vector<double> row_;  ///< of a network of floats
    std::size_t top_ = 0;
};

}  // namespace isserlis::mlp
