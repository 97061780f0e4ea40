// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <vector>

namespace isserlis::mlp {

/// The shorthands of Definition 4.13 for one network with fixed gates, and the sums over them, term by term.
///
/// Law     none: weights, inputs, gradients and Hessians are given. W_i^k = P_i R_i^k + N_i L_i^k, where R marks the
///         positive entries of x_(i-1)^k and L the others; W_(a,b) = W_a .. W_b, the identity for a = b - 1.
/// Shape   layers i, j count from 1, samples k, l, m from 0. All terms cost O(n^2 s^3 d^2): for small networks and for
///         checking; `loss_derivatives` gets the sums in one pass.
/// Units   alpha [x]^2, omega [g x]^2 / [x]^2 and so on: every term of a sum has the units of the sum.
/// Errors  DomainError when sizes clash; UnsupportedError for activations with a gate on the output side, for which
///         Definition 4.13 is not written (a linear network is one with N = P).
/// Source  [Hettinger 2019, Def 4.13, Lemmas 3.23, 4.14 and 4.16], as printed
class LossDerivativeSums {
public:
    LossDerivativeSums(Network<double> const& net, Matrix<double> const& inputs, GivenDerivatives given);

    [[nodiscard]] double alpha(std::size_t i, Eigen::Index k, Eigen::Index l) const;
    [[nodiscard]] double omega(std::size_t i, Eigen::Index k, Eigen::Index l) const;
    /// For j < i.
    [[nodiscard]] double gamma(std::size_t i, std::size_t j, Eigen::Index k, Eigen::Index l, Eigen::Index m) const;
    [[nodiscard]] double chi(std::size_t i, std::size_t j, Eigen::Index k, Eigen::Index l, Eigen::Index m) const;

    /// Lemma 4.14.
    [[nodiscard]] double slope() const;
    /// The first sum of Lemma 4.16, of alpha gamma omega over j < i.
    [[nodiscard]] double curvature_gamma() const;
    /// The second sum of Lemma 4.16, of alpha chi alpha over all i and j.
    [[nodiscard]] double curvature_chi() const;

    /// Lemma 3.23: the gradient by P_i and N_i at sample k, as a product of all matrices. Without N for a linear net.
    [[nodiscard]] Layer<double> gradient(std::size_t i, Eigen::Index k) const;

private:
    /// W_(a,b)^k.
    [[nodiscard]] Matrix<double> product(std::size_t a, std::size_t b, Eigen::Index k) const;
    /// The diagonal of R_i^l R_i^k + L_i^l L_i^k.
    [[nodiscard]] Vector<double> shared_sides(std::size_t i, Eigen::Index k, Eigen::Index l) const;

    bool concatenated_;
    Matrix<double> inputs_;
    GivenDerivatives given_;
    std::vector<std::vector<Matrix<double>>> effective_;  ///< [i - 1][k]: W_i^k
    std::vector<Matrix<double>> layer_inputs_;            ///< [i - 1]: x_(i-1), a column a sample
    std::vector<Matrix<double>> open_;                    ///< [i - 1]: the diagonals of R_i
    std::vector<std::vector<Vector<double>>> reached_;    ///< [i - 1][k]: W_(n,i+1)^k' g^k
};

}  // namespace isserlis::mlp
