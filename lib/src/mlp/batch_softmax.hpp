// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/network.hpp>

#include <cmath>

namespace isserlis::mlp {

/// Turns logits into probabilities, column by column; the exponentials are taken in double.
template <class T>
void take_softmax(Matrix<T>& z) {
    for (Eigen::Index k = 0; k < z.cols(); ++k) {
        T const top = z.col(k).maxCoeff();
        double total = 0;
        for (Eigen::Index i = 0; i < z.rows(); ++i) total += std::exp(static_cast<double>(z(i, k) - top));
        for (Eigen::Index i = 0; i < z.rows(); ++i)
            z(i, k) = static_cast<T>(std::exp(static_cast<double>(z(i, k) - top)) / total);
    }
}

/// The sum of a_i b_i down a column.
template <class T>
T column_product(Matrix<T> const& a, Matrix<T> const& b, Eigen::Index k) {
    T out = 0;
    for (Eigen::Index i = 0; i < a.rows(); ++i) out += a(i, k) * b(i, k);
    return out;
}

/// The Jacobian (5.19), which is symmetric, times each column of x: p (x - p.x).
template <class T>
void apply_softmax_jacobian(Matrix<T> const& p, Matrix<T>& x) {
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
        T const mean = column_product(p, x, k);
        for (Eigen::Index i = 0; i < x.rows(); ++i) x(i, k) = p(i, k) * (x(i, k) - mean);
    }
}

}  // namespace isserlis::mlp
