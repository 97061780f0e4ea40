// SPDX-License-Identifier: MIT
#include <isserlis/mlp/acting_product.hpp>
#include <isserlis/mlp/matrix_vector.hpp>

namespace isserlis::mlp {
namespace {

void round_to(std::vector<float>& out, double const* x, std::size_t size) {
    out.resize(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<float>(x[i]);
}

void add(std::vector<float> const& x, double* out) {
    for (std::size_t i = 0; i < x.size(); ++i) out[i] += static_cast<double>(x[i]);
}

}  // namespace

void ActingProducts::times(GraphPass const& pass, std::size_t place, std::size_t rows, std::size_t cols,
                           double const* x, double* out) {
    if (pass.floats == nullptr) return multiply_vector(rows, cols, pass.acting(place), x, out);
    round_to(operand_, x, cols);
    product_.resize(rows);
    multiply_vector(rows, cols, pass.floats + place, operand_.data(), product_.data());
    std::copy(product_.begin(), product_.end(), out);
}

void ActingProducts::transposed_times(GraphPass const& pass, std::size_t place, std::size_t rows, std::size_t cols,
                                      double const* x, double* out) {
    if (pass.floats == nullptr) return multiply_vector_transposed(rows, cols, pass.acting(place), x, out);
    round_to(operand_, x, rows);
    product_.resize(cols);
    multiply_vector_transposed(rows, cols, pass.floats + place, operand_.data(), product_.data());
    std::copy(product_.begin(), product_.end(), out);
}

void ActingProducts::add_times(ProductShape const& shape, GraphPass const& pass, std::size_t place, double const* b,
                               double* out) {
    if (pass.floats == nullptr) return add_batch_product(shape, pass.acting(place), b, out);
    round_to(operand_, b, shape.inner * shape.columns);
    product_.resize(shape.rows * shape.columns);
    batch_product(shape, pass.floats + place, operand_.data(), product_.data());
    add(product_, out);
}

void ActingProducts::add_before(ProductShape const& shape, double const* a, GraphPass const& pass, std::size_t place,
                                double* out) {
    if (pass.floats == nullptr) return add_batch_product(shape, a, pass.acting(place), out);
    round_to(operand_, a, shape.rows * shape.inner);
    product_.resize(shape.rows * shape.columns);
    batch_product(shape, operand_.data(), pass.floats + place, product_.data());
    add(product_, out);
}

}  // namespace isserlis::mlp
