// SPDX-License-Identifier: MIT
#include "mlp/entries.hpp"

#include <isserlis/mlp/heaviside.hpp>

#include "../random/simd.hpp"

namespace isserlis::mlp {
namespace {

/// By squares, of which every line of a cache is read and written once.
template <class T>
ISSERLIS_IN_CLONES void turn_squares(std::size_t rows, std::size_t cols, T const* __restrict from, T* __restrict to) {
    constexpr std::size_t side = 8;
    std::size_t i = 0;
    for (; i + side <= rows; i += side) {
        std::size_t j = 0;
        for (; j + side <= cols; j += side)
            for (std::size_t q = j; q < j + side; ++q)
                for (std::size_t p = i; p < i + side; ++p) to[q * rows + p] = from[p * cols + q];
        for (; j < cols; ++j)
            for (std::size_t p = i; p < i + side; ++p) to[j * rows + p] = from[p * cols + j];
    }
    for (; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) to[j * rows + i] = from[i * cols + j];
}

template <class T>
ISSERLIS_IN_CLONES void each_stepped(std::size_t size, T scale, T rate, T const* w, T const* u, T* out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = scale * (w[i] - rate * u[i]);
}

template <class T>
ISSERLIS_IN_CLONES void each_heaviside(std::size_t size, T const* z, T* out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = heaviside(z[i]);
}

template <class T>
ISSERLIS_IN_CLONES void each_blended(std::size_t size, T const* open, T const* x, T const* y, T* out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = open[i] * x[i] + (1 - open[i]) * y[i];
}

}  // namespace

ISSERLIS_SIMD_CLONES
void turn(std::size_t rows, std::size_t cols, double const* from, double* to) { turn_squares(rows, cols, from, to); }
ISSERLIS_SIMD_CLONES
void turn(std::size_t rows, std::size_t cols, float const* from, float* to) { turn_squares(rows, cols, from, to); }

ISSERLIS_SIMD_CLONES
void step_weights(std::size_t size, double scale, double rate, double const* w, double const* u, double* out) {
    each_stepped(size, scale, rate, w, u, out);
}
ISSERLIS_SIMD_CLONES
void step_weights(std::size_t size, float scale, float rate, float const* w, float const* u, float* out) {
    each_stepped(size, scale, rate, w, u, out);
}

ISSERLIS_SIMD_CLONES
void take_heaviside(std::size_t size, double const* z, double* out) { each_heaviside(size, z, out); }
ISSERLIS_SIMD_CLONES
void take_heaviside(std::size_t size, float const* z, float* out) { each_heaviside(size, z, out); }

ISSERLIS_SIMD_CLONES
void blend(std::size_t size, double const* open, double const* x, double const* y, double* out) {
    each_blended(size, open, x, y, out);
}
ISSERLIS_SIMD_CLONES
void blend(std::size_t size, float const* open, float const* x, float const* y, float* out) {
    each_blended(size, open, x, y, out);
}

}  // namespace isserlis::mlp
