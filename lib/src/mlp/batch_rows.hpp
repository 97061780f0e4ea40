// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/network.hpp>

#include <cstddef>

// Rows of matrices whose columns are samples.
namespace isserlis::mlp::batch {

using Index = Eigen::Index;

[[nodiscard]] inline Index index(std::size_t n) { return static_cast<Index>(n); }
[[nodiscard]] inline std::size_t size(Index n) { return static_cast<std::size_t>(n); }

template <class T>
[[nodiscard]] T* row(Matrix<T>& m, Index i) {
    return m.data() + i * m.cols();
}
template <class T>
[[nodiscard]] T const* row(Matrix<T> const& m, Index i) {
    return m.data() + i * m.cols();
}

/// Sums in the order of the samples: Eigen's own depend on where a row lies in memory.
template <class T>
[[nodiscard]] T sum(T const* row, Index samples) {
    T out = 0;
    for (Index k = 0; k < samples; ++k) out += row[k];
    return out;
}
template <class T>
[[nodiscard]] T sum_of_products(T const* a, T const* b, Index samples) {
    T out = 0;
    for (Index k = 0; k < samples; ++k) out += a[k] * b[k];
    return out;
}

}  // namespace isserlis::mlp::batch
