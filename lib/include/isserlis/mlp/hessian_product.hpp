// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/network.hpp>

#include <vector>

namespace isserlis::mlp {

/// The Hessian of the loss 1/2 |z^n - y|^2 of one network at one input, as an operator on directions in weight space.
///
/// Law     none: weights, input and target are given. Gates are constants, so the Hessian is that of the polynomial
/// that
///         the network is around its weights: exact, one pass forward and one back for each product.
/// Shape   directions list the weights layer by layer, row by row. Each layer l has a factor h_l >= 0; the operator is
///         sqrt(h) H sqrt(h), whose entries are sqrt(h_mu h_nu) d_mu d_nu loss.
/// Units   loss per squared weight.
/// Errors  DomainError for sizes that clash, a negative factor, a concatenated ReLU or a gated head.
/// Source  the chain rule, differentiated along the direction ([Pearlmutter 1994]).
class LossHessian {
public:
    LossHessian(Network<double> net, Vector<double> const& input, Vector<double> const& target,
                std::vector<double> const& factors);

    [[nodiscard]] Eigen::Index weights() const { return weights_; }
    /// `out` = sqrt(h) H sqrt(h) `direction`, both of weights() numbers.
    void apply(double const* direction, double* out) const;

    /// The same operator on what it does not send to 0: the entries of a layer see a direction through its products
    /// with the activations below and the slopes above alone. In coordinates E of the directions u h^T and s v^T, h and
    /// s normed and v orthogonal to h, it is E^T H E, which has the eigenvalues of H but for zeros.
    [[nodiscard]] Eigen::Index range_size() const { return range_size_; }
    void apply_in_range(double const* coordinates, double* out) const;

private:
    /// What a layer's weights meet.
    struct Sides {
        Vector<double> below;  ///< the activations below over their norm, or 0
        Vector<double> above;  ///< the slopes over their norm, or 0
        double below_norm = 0;
        double above_norm = 0;
    };
    [[nodiscard]] Vector<double> const& below(std::size_t layer) const {
        return layer == 0 ? pass_.input : pass_.activations[layer - 1];
    }

    Network<double> net_;
    Pass<double> pass_;
    std::vector<double> roots_;           ///< sqrt(h_l)
    std::vector<Vector<double>> slopes_;  ///< of the loss by z^l
    std::vector<Sides> sides_;
    Eigen::Index weights_ = 0;
    Eigen::Index range_size_ = 0;
};

}  // namespace isserlis::mlp
