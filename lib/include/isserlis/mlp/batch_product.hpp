// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/network.hpp>
#include <vector>

namespace isserlis::mlp {

/// out = a * b, where b is a batch: few rows, a column a sample.
///
/// Law     none.
/// Shape   a is m x k, b is k x s, out has to be m x s and neither of them; nothing is allocated.
/// Units   of the product.
/// Errors  none: sizes that clash are a fault of the caller (assert).
/// Source  every entry is summed in the order of k, from 0, by fused multiply-adds, which round once: the bits are the
///         same with every instruction set. The widest vectors that the processor has are taken (AVX-512, AVX2), or
///         else the C library's fma().
template <class T>
void batch_product(Matrix<T> const& a, Matrix<T> const& b, Matrix<T>& out);

struct ProductShape {
    std::size_t rows, inner, columns;
};

/// The same on arrays, row by row: a is rows x inner, b is inner x columns.
template <class T>
void batch_product(ProductShape const& shape, T const* a, T const* b, T* out);

/// The parts max(a * b, 0) and min(a * b, 0), one below the other in the 2 rows x columns of `parts`: what the next layer
/// of a concatenated ReLU multiplies. A NaN is in both.
template <class T>
void batch_product_parts(ProductShape const& shape, T const* a, T const* b, T* parts);

/// out += a * b on arrays. Each product is summed like the others before it is added.
void add_batch_product(ProductShape const& shape, double const* a, double const* b, double* out);
void add_batch_product(ProductShape const& shape, float const* a, float const* b, float* out);

/// The kernels that this processor can run, by name, the one that is taken first.
[[nodiscard]] std::vector<char const*> product_kernels();
/// add_batch_product by one of them, counted from 0: for tests, which compare them, and for measuring.
void add_batch_product(std::size_t kernel, ProductShape const& shape, double const* a, double const* b, double* out);
void add_batch_product(std::size_t kernel, ProductShape const& shape, float const* a, float const* b, float* out);

}  // namespace isserlis::mlp
