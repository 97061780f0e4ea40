// SPDX-License-Identifier: MIT
#include "hessian_norm_lanes.hpp"

#include <algorithm>
#include <utility>

#include "../random/simd.hpp"

namespace isserlis::monte_carlo::detail {
namespace {

using Lanes = HessianNormLanes::Lanes;
constexpr std::size_t lanes = HessianNormLanes::lanes;

// All loops over numbers are here: each is compiled for several instruction sets.

/// out = A x, A of rows x cols.
ISSERLIS_SIMD_CLONES
void multiply(std::size_t rows, std::size_t cols, Lanes const* a, Lanes const* x, Lanes* out) {
    for (std::size_t i = 0; i < rows; ++i) {
        Lanes sum{};
        for (std::size_t j = 0; j < cols; ++j)
            for (std::size_t k = 0; k < lanes; ++k) sum[k] += a[i * cols + j][k] * x[j][k];
        out[i] = sum;
    }
}

/// out = A^T x, A of rows x cols.
ISSERLIS_SIMD_CLONES
void multiply_transposed(std::size_t rows, std::size_t cols, Lanes const* a, Lanes const* x, Lanes* out) {
    std::fill(out, out + cols, Lanes{});
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
            for (std::size_t k = 0; k < lanes; ++k) out[j][k] += a[i * cols + j][k] * x[i][k];
}

/// out = diag(d) A M, A of rows x cols, M of cols x width.
ISSERLIS_SIMD_CLONES
void gated_product(std::size_t rows, std::size_t cols, std::size_t width, Lanes const* d, Lanes const* a,
                   Lanes const* m, Lanes* out) {
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t c = 0; c < width; ++c) {
            Lanes sum{};
            for (std::size_t j = 0; j < cols; ++j)
                for (std::size_t k = 0; k < lanes; ++k) sum[k] += a[i * cols + j][k] * m[j * width + c][k];
            for (std::size_t k = 0; k < lanes; ++k) out[i * width + c][k] = sum[k] * d[i][k];
        }
    }
}

/// out = diag(d) A diag(e), A of rows x cols.
ISSERLIS_SIMD_CLONES
void gate_both_sides(std::size_t rows, std::size_t cols, Lanes const* d, Lanes const* a, Lanes const* e, Lanes* out) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
            for (std::size_t k = 0; k < lanes; ++k) out[i * cols + j][k] = a[i * cols + j][k] * d[i][k] * e[j][k];
}

/// x = gate * x entry by entry, the gate being 1 where x > 0 and the slope elsewhere.
ISSERLIS_SIMD_CLONES
void activate(std::size_t size, double slope, Lanes* x, Lanes* gates) {
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < lanes; ++k) gates[i][k] = x[i][k] > 0 ? 1.0 : slope;
        for (std::size_t k = 0; k < lanes; ++k) x[i][k] *= gates[i][k];
    }
}

ISSERLIS_SIMD_CLONES
void scale(std::size_t size, Lanes const* factors, Lanes* x) {
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; k < lanes; ++k) x[i][k] *= factors[i][k];
}

ISSERLIS_SIMD_CLONES
void rescale(std::size_t size, double factor, Lanes* x) {
    if (factor == 1) return;
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; k < lanes; ++k) x[i][k] *= factor;
}

ISSERLIS_SIMD_CLONES
void dot(std::size_t size, Lanes const* x, Lanes const* y, Lanes* out) {
    Lanes sum{};
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; k < lanes; ++k) sum[k] += x[i][k] * y[i][k];
    *out = sum;
}

/// out = weight * x * y * z.
ISSERLIS_SIMD_CLONES
void product(double weight, Lanes const* x, Lanes const* y, Lanes const* z, Lanes* out) {
    for (std::size_t k = 0; k < lanes; ++k) (*out)[k] = weight * (*x)[k] * (*y)[k] * (*z)[k];
}

}  // namespace

HessianNormLanes::HessianNormLanes(NetworkModel const& model, std::vector<double> label_factors,
                                   double target_second_moment)
    : widths_(model.widths),
      slope_(model.activation.gate().negative),
      label_factors_(std::move(label_factors)),
      target_each_(target_second_moment / static_cast<double>(model.widths.back())) {
    for (double const x : model.input) {
        input_.emplace_back();
        input_.back().fill(x);
    }
    std::size_t const outputs = widths_.back();
    std::size_t weights = 0;
    std::size_t largest = 0;
    for (std::size_t q = 0; q + 1 < widths_.size(); ++q) {
        std::size_t const rows = widths_[q + 1];
        Lanes one{};
        one.fill(1);
        layers_.push_back({.rows = rows,
                           .cols = widths_[q],
                           .weights = weights,
                           .scale = model.scale(q + 1),
                           .gates = std::vector<Lanes>(rows, one),
                           .activations = std::vector<Lanes>(rows),
                           .by_output = std::vector<Lanes>(outputs * rows),
                           .gram = std::vector<Lanes>(outputs * outputs),
                           .along_output = std::vector<Lanes>(rows),
                           .input_norm = {}});
        weights += rows * widths_[q];
        if (q + 2 < widths_.size()) largest = std::max(largest, rows);
    }
    weights_.resize(weights);
    map_.resize(largest * largest);
    next_.resize(largest * largest);
    through_.resize(outputs);
    pulled_.resize(largest);
    blocks_.resize(depth() * depth());
}

double HessianNormLanes::work() const {
    double out = 0;
    for (std::size_t a = 0; a < depth(); ++a) {
        auto const rows = static_cast<double>(layers_[a].rows);
        out += rows * static_cast<double>(layers_[a].cols) * (2 + static_cast<double>(widths_.back()));
        for (std::size_t b = a + 2; b + 1 < depth(); ++b)
            out += rows * static_cast<double>(layers_[b].rows) * static_cast<double>(layers_[b].cols);
    }
    return out;
}

void HessianNormLanes::evaluate() {
    pass_forward();
    pass_backward();
    for (std::size_t a = 0; a < depth(); ++a) fill_blocks(a);
}

void HessianNormLanes::pass_forward() {
    std::vector<Lanes> const* h = &input_;
    for (auto& layer : layers_) {
        dot(layer.cols, h->data(), h->data(), &layer.input_norm);
        rescale(1, layer.scale * layer.scale, &layer.input_norm);
        multiply(layer.rows, layer.cols, &weights_[layer.weights], h->data(), layer.activations.data());
        rescale(layer.rows, layer.scale, layer.activations.data());
        if (&layer != &layers_.back()) activate(layer.rows, slope_, layer.activations.data(), layer.gates.data());
        h = &layer.activations;
    }
}

void HessianNormLanes::pass_backward() {
    std::size_t const outputs = widths_.back();
    auto const& z = layers_.back().activations;
    for (std::size_t q = depth(); q-- > 0;) {
        auto& layer = layers_[q];
        for (std::size_t o = 0; o < outputs; ++o) {
            Lanes* const row = &layer.by_output[o * layer.rows];
            if (q + 1 == depth()) {
                row[o].fill(1);
                continue;
            }
            auto const& above = layers_[q + 1];
            multiply_transposed(above.rows, above.cols, &weights_[above.weights], &above.by_output[o * above.rows],
                                row);
            rescale(layer.rows, above.scale, row);
            scale(layer.rows, layer.gates.data(), row);
        }
        for (std::size_t o = 0; o < outputs; ++o)
            for (std::size_t p = 0; p < outputs; ++p)
                dot(layer.rows, &layer.by_output[o * layer.rows], &layer.by_output[p * layer.rows],
                    &layer.gram[o * outputs + p]);
        multiply_transposed(outputs, layer.rows, layer.by_output.data(), z.data(), layer.along_output.data());
    }
}

void HessianNormLanes::fill_blocks(std::size_t a) {
    std::size_t const outputs = widths_.back();
    auto const& low = layers_[a];
    Lanes both{};
    for (std::size_t b = a; b < depth(); ++b) {
        auto const& high = layers_[b];
        auto& block = blocks_[a * depth() + b];
        double const weight = label_factors_[a] * label_factors_[b];
        dot(outputs * outputs, low.gram.data(), high.gram.data(), &both);
        product(weight, &low.input_norm, &high.input_norm, &both, &block.gauss_newton);
        if (b == a) {
            block.functional = block.cross = block.target = Lanes{};  // an output is linear in one layer's weights
            continue;
        }
        // By the weights of b, of which an output is linear as well.
        double const mixed = weight * high.scale * high.scale;
        // J of layers a + 1 .. b - 1: gates alone at first.
        auto const& below = layers_[b - 1];
        Lanes map_norm{};
        Lanes along{};
        multiply(outputs, outputs, high.gram.data(), layers_.back().activations.data(), through_.data());
        multiply_transposed(outputs, low.rows, low.by_output.data(), through_.data(), pulled_.data());
        if (b == a + 1) {
            dot(low.rows, low.gates.data(), low.gates.data(), &map_norm);
            scale(low.rows, low.gates.data(), pulled_.data());
            dot(low.rows, pulled_.data(), low.activations.data(), &along);
        } else {
            if (b == a + 2) {
                gate_both_sides(below.rows, below.cols, below.gates.data(), &weights_[below.weights], low.gates.data(),
                                map_.data());
            } else {
                gated_product(below.rows, below.cols, low.rows, below.gates.data(), &weights_[below.weights],
                              map_.data(), next_.data());
                std::swap(map_, next_);
            }
            rescale(below.rows * low.rows, below.scale, map_.data());
            dot(below.rows * low.rows, map_.data(), map_.data(), &map_norm);
            multiply(below.rows, low.rows, map_.data(), pulled_.data(), next_.data());
            dot(below.rows, next_.data(), below.activations.data(), &along);
        }
        Lanes one{};
        one.fill(1);
        Lanes residual{};
        dot(high.rows, high.along_output.data(), high.along_output.data(), &residual);
        product(mixed, &low.input_norm, &map_norm, &residual, &block.functional);
        product(2 * mixed, &low.input_norm, &along, &one, &block.cross);
        Lanes trace{};
        dot(outputs * high.rows, high.by_output.data(), high.by_output.data(), &trace);
        product(target_each_ * mixed, &low.input_norm, &map_norm, &trace, &block.target);
    }
}

}  // namespace isserlis::monte_carlo::detail
