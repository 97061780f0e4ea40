// SPDX-License-Identifier: MIT
#include "hessian_norm_products.hpp"

#include <algorithm>
#include <isserlis/mlp/batch_product.hpp>
#include <isserlis/mlp/matrix_vector.hpp>
#include <numeric>
#include <utility>

namespace isserlis::monte_carlo::detail {
namespace {

double inner(std::vector<double> const& x, std::vector<double> const& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

}  // namespace

HessianNormProducts::HessianNormProducts(NetworkModel const& model, std::vector<double> label_factors,
                                         double target_second_moment)
    : widths_(model.widths),
      slope_(model.activation.gate().negative),
      label_factors_(std::move(label_factors)),
      target_each_(target_second_moment / static_cast<double>(model.widths.back())),
      input_(model.input) {
    std::size_t const outputs = widths_.back();
    std::size_t weights = 0;
    for (std::size_t q = 0; q + 1 < widths_.size(); ++q) {
        std::size_t const rows = widths_[q + 1];
        Layer layer;
        layer.rows = rows;
        layer.cols = widths_[q];
        layer.weights = weights;
        layer.scale = model.scale(q + 1);
        layer.gates.assign(rows, 1);
        layer.activations.resize(rows);
        layer.by_output.resize(outputs * rows);
        layer.gram.resize(outputs * outputs);
        layer.along_output.resize(rows);
        layers_.push_back(std::move(layer));
        weights += rows * widths_[q];
    }
    weights_.resize(weights);
    blocks_.resize(depth() * depth());
}

double HessianNormProducts::work() const {
    double const open = slope_ == 0 ? 0.5 : 1;
    double out = 0;
    for (std::size_t a = 0; a < depth(); ++a) {
        auto const rows = static_cast<double>(layers_[a].rows);
        out += rows * static_cast<double>(layers_[a].cols) * (2 + static_cast<double>(widths_.back()));
        for (std::size_t b = a + 2; b + 1 < depth(); ++b)
            out +=
                open * open * open * rows * static_cast<double>(layers_[b].rows) * static_cast<double>(layers_[b].cols);
    }
    return out;
}

void HessianNormProducts::evaluate() {
    pass_forward();
    pass_backward();
    for (std::size_t a = 0; a < depth(); ++a) fill_blocks(a);
}

void HessianNormProducts::pass_forward() {
    std::vector<double> const* h = &input_;
    for (auto& layer : layers_) {
        layer.input_norm = layer.scale * layer.scale * inner(*h, *h);
        mlp::multiply_vector(layer.rows, layer.cols, &weights_[layer.weights], h->data(), layer.activations.data());
        layer.open.clear();
        for (std::size_t i = 0; i < layer.rows; ++i) {
            double& z = layer.activations[i];
            z *= layer.scale;
            if (&layer != &layers_.back()) layer.gates[i] = z > 0 ? 1 : slope_;
            z *= layer.gates[i];
            if (layer.gates[i] != 0) layer.open.push_back(i);
        }
        h = &layer.activations;
    }
}

void HessianNormProducts::pass_backward() {
    std::size_t const outputs = widths_.back();
    for (std::size_t q = depth(); q-- > 0;) {
        auto& layer = layers_[q];
        std::fill(layer.by_output.begin(), layer.by_output.end(), 0.0);
        if (q + 1 == depth()) {
            for (std::size_t o = 0; o < outputs; ++o) layer.by_output[o * layer.rows + o] = 1;
        } else {
            auto const& above = layers_[q + 1];
            mlp::add_batch_product({.rows = outputs, .inner = above.rows, .columns = above.cols},
                                   above.by_output.data(), &weights_[above.weights], layer.by_output.data());
            for (std::size_t o = 0; o < outputs; ++o)
                for (std::size_t i = 0; i < layer.rows; ++i)
                    layer.by_output[o * layer.rows + i] *= above.scale * layer.gates[i];
        }
        for (std::size_t o = 0; o < outputs; ++o)
            mlp::multiply_vector(outputs, layer.rows, layer.by_output.data(), &layer.by_output[o * layer.rows],
                                 &layer.gram[o * outputs]);
        mlp::multiply_vector_transposed(outputs, layer.rows, layer.by_output.data(), layers_.back().activations.data(),
                                        layer.along_output.data());
    }
}

/// The map to the layer `through` from that to `below`, or from the gates of `low` at first.
void HessianNormProducts::extend_map(Layer const& low, Layer const& below, Layer const& through, bool first) {
    std::size_t const rows = through.open.size();
    std::size_t const cols = below.open.size();
    open_weights_.resize(rows * cols);
    for (std::size_t i = 0; i < rows; ++i) {
        double const* const row = &weights_[through.weights + through.open[i] * through.cols];
        double const gate = through.scale * through.gates[through.open[i]];
        for (std::size_t j = 0; j < cols; ++j) open_weights_[i * cols + j] = gate * row[below.open[j]];
    }
    if (first) {
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < cols; ++j) open_weights_[i * cols + j] *= low.gates[low.open[j]];
        std::swap(map_, open_weights_);
        return;
    }
    std::size_t const width = low.open.size();
    next_.assign(rows * width, 0);
    mlp::add_batch_product({.rows = rows, .inner = cols, .columns = width}, open_weights_.data(), map_.data(),
                           next_.data());
    std::swap(map_, next_);
}

void HessianNormProducts::fill_blocks(std::size_t a) {
    std::size_t const outputs = widths_.back();
    auto const& low = layers_[a];
    auto const& z = layers_.back().activations;
    std::vector<double> through(outputs);
    std::vector<double> pulled(low.rows);
    std::vector<double> open_pulled;
    std::vector<double> image;
    for (std::size_t b = a; b < depth(); ++b) {
        auto const& high = layers_[b];
        auto& block = blocks_[a * depth() + b];
        double const weight = label_factors_[a] * label_factors_[b];
        block = {.gauss_newton = weight * low.input_norm * high.input_norm * inner(low.gram, high.gram)};
        if (b == a) continue;  // an output is linear in one layer's weights
        // By the weights of b, of which an output is linear as well.
        double const mixed = weight * high.scale * high.scale;
        auto const& below = layers_[b - 1];
        mlp::multiply_vector(outputs, outputs, high.gram.data(), z.data(), through.data());
        mlp::multiply_vector_transposed(outputs, low.rows, low.by_output.data(), through.data(), pulled.data());
        double map_norm = 0;
        double along = 0;
        if (b == a + 1) {
            map_norm = inner(low.gates, low.gates);
            for (std::size_t i = 0; i < low.rows; ++i) along += low.gates[i] * pulled[i] * low.activations[i];
        } else {
            extend_map(low, layers_[b - 2], below, b == a + 2);
            std::size_t const rows = below.open.size();
            std::size_t const width = low.open.size();
            map_norm = std::inner_product(map_.begin(), map_.begin() + static_cast<std::ptrdiff_t>(rows * width),
                                          map_.begin(), 0.0);
            open_pulled.clear();
            for (std::size_t const i : low.open) open_pulled.push_back(pulled[i]);
            image.resize(rows);
            mlp::multiply_vector(rows, width, map_.data(), open_pulled.data(), image.data());
            for (std::size_t i = 0; i < rows; ++i) along += image[i] * below.activations[below.open[i]];
        }
        block.functional = mixed * low.input_norm * map_norm * inner(high.along_output, high.along_output);
        block.cross = 2 * mixed * low.input_norm * along;
        block.target = target_each_ * mixed * low.input_norm * map_norm * inner(high.by_output, high.by_output);
    }
}

}  // namespace isserlis::monte_carlo::detail
