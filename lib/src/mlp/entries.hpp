// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace isserlis::mlp {

// What steps and passes do entry by entry, in the widest vectors of the processor, with the same bits in all of them.

/// The transpose of rows x cols: `to` is cols x rows.
void turn(std::size_t rows, std::size_t cols, double const* from, double* to);
void turn(std::size_t rows, std::size_t cols, float const* from, float* to);

/// out = scale (w - rate u).
void step_weights(std::size_t size, double scale, double rate, double const* w, double const* u, double* out);
void step_weights(std::size_t size, float scale, float rate, float const* w, float const* u, float* out);

/// out = heaviside(z).
void take_heaviside(std::size_t size, double const* z, double* out);
void take_heaviside(std::size_t size, float const* z, float* out);

/// out = open x + (1 - open) y.
void blend(std::size_t size, double const* open, double const* x, double const* y, double* out);
void blend(std::size_t size, float const* open, float const* x, float const* y, float* out);

}  // namespace isserlis::mlp
