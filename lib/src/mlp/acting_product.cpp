// SPDX-License-Identifier: MIT
#include <isserlis/mlp/acting_product.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/mlp/matrix_vector.hpp>

namespace isserlis::mlp {
namespace {

/// Rounds to floats of at most 1, and returns the power of two that was taken out: numbers may be far beyond the range of
/// floats where a network is deep.
double round_to(std::vector<float>& out, double const* x, std::size_t size) {
    out.resize(size);
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, std::abs(x[i]));
    if (largest == 0 || !std::isfinite(largest)) {
        std::transform(x, x + size, out.begin(), [](double entry) { return static_cast<float>(entry); });
        return 1;
    }
    // The power and its reciprocal are normal numbers, and what is as small as the least of doubles is left as 0.
    double const power = std::ldexp(1.0, std::clamp(std::ilogb(largest) + 1, -1022, 1022));
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<float>(x[i] * (1 / power));
    return power;
}

void copy(std::vector<float> const& x, double power, double* out) {
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = power * static_cast<double>(x[i]);
}

void add(std::vector<float> const& x, double power, double* out) {
    for (std::size_t i = 0; i < x.size(); ++i) out[i] += power * static_cast<double>(x[i]);
}

}  // namespace

void ActingProducts::times(GraphPass const& pass, std::size_t place, std::size_t rows, std::size_t cols,
                           double const* x, double* out) {
    if (pass.floats == nullptr) return multiply_vector(rows, cols, pass.acting(place), x, out);
    double const power = round_to(operand_, x, cols);
    product_.resize(rows);
    multiply_vector(rows, cols, pass.floats + place, operand_.data(), product_.data());
    copy(product_, power, out);
}

void ActingProducts::transposed_times(GraphPass const& pass, std::size_t place, std::size_t rows, std::size_t cols,
                                      double const* x, double* out) {
    if (pass.floats == nullptr) return multiply_vector_transposed(rows, cols, pass.acting(place), x, out);
    double const power = round_to(operand_, x, rows);
    product_.resize(cols);
    multiply_vector_transposed(rows, cols, pass.floats + place, operand_.data(), product_.data());
    copy(product_, power, out);
}

void ActingProducts::add_times(ProductShape const& shape, GraphPass const& pass, std::size_t place, double const* b,
                               double* out) {
    if (pass.floats == nullptr) return add_batch_product(shape, pass.acting(place), b, out);
    double const power = round_to(operand_, b, shape.inner * shape.columns);
    product_.resize(shape.rows * shape.columns);
    batch_product(shape, pass.floats + place, operand_.data(), product_.data());
    add(product_, power, out);
}

void ActingProducts::add_before(ProductShape const& shape, double const* a, GraphPass const& pass, std::size_t place,
                                double* out) {
    if (pass.floats == nullptr) return add_batch_product(shape, a, pass.acting(place), out);
    double const power = round_to(operand_, a, shape.rows * shape.inner);
    product_.resize(shape.rows * shape.columns);
    batch_product(shape, operand_.data(), pass.floats + place, product_.data());
    add(product_, power, out);
}

}  // namespace isserlis::mlp
