// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/batch_product.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <vector>

namespace isserlis::mlp {

/// Products of the matrices of a pass: in float where its weights are floats, what they multiply rounded to float
/// first, up to a power of two: only weights have to lie within the range of floats.
///
/// Law     none: the weights are given. The scale of an edge is left to the caller.
/// Shape   the matrix from `place` on is rows x cols of it, row by row; `out` is no operand. The buffers are those of one
///         thread.
/// Units   of the product.
/// Errors  none.
/// Source  matrix_vector.hpp and batch_product.hpp: the same bits with every instruction set
class ActingProducts {
public:
    /// out = W x.
    void times(GraphPass const& pass, std::size_t place, std::size_t rows, std::size_t cols, double const* x,
               double* out);
    /// out = W^T x.
    void transposed_times(GraphPass const& pass, std::size_t place, std::size_t rows, std::size_t cols, double const* x,
                          double* out);
    /// out += W b, W of rows x inner.
    void add_times(ProductShape const& shape, GraphPass const& pass, std::size_t place, double const* b, double* out);
    /// out += a W, W of inner x columns.
    void add_before(ProductShape const& shape, double const* a, GraphPass const& pass, std::size_t place, double* out);

private:
    std::vector<float> operand_;
    std::vector<float> product_;
};

}  // namespace isserlis::mlp
