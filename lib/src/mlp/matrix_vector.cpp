// SPDX-License-Identifier: MIT
#include <isserlis/mlp/matrix_vector.hpp>

#include <algorithm>
#include <array>

#include "../random/simd.hpp"

namespace isserlis::mlp {
namespace {

constexpr std::size_t vector_lanes = 16;

template <class T>
ISSERLIS_IN_CLONES void multiply(std::size_t rows, std::size_t cols, T const* a, T const* x, T* out) {
    std::size_t const whole = cols - cols % vector_lanes;
    for (std::size_t i = 0; i < rows; ++i) {
        T const* const row = a + i * cols;
        std::array<T, vector_lanes> sums{};
        for (std::size_t j = 0; j < whole; j += vector_lanes)
            for (std::size_t k = 0; k < vector_lanes; ++k) sums[k] += row[j + k] * x[j + k];
        for (std::size_t j = whole; j < cols; ++j) sums[j - whole] += row[j] * x[j];
        for (std::size_t half = vector_lanes / 2; half > 0; half /= 2)
            for (std::size_t k = 0; k < half; ++k) sums[k] += sums[k + half];
        out[i] = sums[0];
    }
}

template <class T>
ISSERLIS_IN_CLONES void multiply_transposed(std::size_t rows, std::size_t cols, T const* a, T const* x, T* out) {
    std::fill(out, out + cols, T(0));
    std::size_t i = 0;
    for (; i + 4 <= rows; i += 4) {  // each entry is read and written once for four rows
        T const* const row = a + i * cols;
        for (std::size_t j = 0; j < cols; ++j) {
            out[j] += (row[j] * x[i] + row[cols + j] * x[i + 1]) +
                      (row[2 * cols + j] * x[i + 2] + row[3 * cols + j] * x[i + 3]);
        }
    }
    for (; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) out[j] += a[i * cols + j] * x[i];
}

}  // namespace

ISSERLIS_SIMD_CLONES
void multiply_vector(std::size_t rows, std::size_t cols, double const* a, double const* x, double* out) {
    multiply(rows, cols, a, x, out);
}

ISSERLIS_SIMD_CLONES
void multiply_vector(std::size_t rows, std::size_t cols, float const* a, float const* x, float* out) {
    multiply(rows, cols, a, x, out);
}

ISSERLIS_SIMD_CLONES
void multiply_vector_transposed(std::size_t rows, std::size_t cols, double const* a, double const* x, double* out) {
    multiply_transposed(rows, cols, a, x, out);
}

ISSERLIS_SIMD_CLONES
void multiply_vector_transposed(std::size_t rows, std::size_t cols, float const* a, float const* x, float* out) {
    multiply_transposed(rows, cols, a, x, out);
}

}  // namespace isserlis::mlp
