// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace isserlis::mlp {

/// out = A x and out = A^T x, A of rows x cols numbers, row by row; out is neither of the others.
///
/// Law     none.
/// Shape   A x has rows entries, A^T x has cols.
/// Units   of the product.
/// Errors  none.
/// Source  each sum is taken in a fixed order, in lanes that every instruction set has: the same bits on every machine
void multiply_vector(std::size_t rows, std::size_t cols, double const* a, double const* x, double* out);
void multiply_vector(std::size_t rows, std::size_t cols, float const* a, float const* x, float* out);
void multiply_vector_transposed(std::size_t rows, std::size_t cols, double const* a, double const* x, double* out);
void multiply_vector_transposed(std::size_t rows, std::size_t cols, float const* a, float const* x, float* out);

}  // namespace isserlis::mlp
