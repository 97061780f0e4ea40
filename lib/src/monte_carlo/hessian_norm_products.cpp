// SPDX-License-Identifier: MIT
#include "hessian_norm_products.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/mlp/batch_product.hpp>
#include <isserlis/mlp/matrix_vector.hpp>
#include <numeric>
#include <type_traits>
#include <utility>

namespace isserlis::monte_carlo::detail {
namespace {

template <class T>
void show(std::vector<T> const& weights, mlp::GraphPass& out) {
    if constexpr (std::is_same_v<T, float>)
        out.floats = weights.data();
    else
        out.weights = weights.data();
}

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
    double const open = (1 + slope_ * slope_) / 2;
    double bits = 0;  // of the sizes of the layers so far together, which the units follow at any depth
    for (std::size_t q = 0; q + 1 < widths_.size(); ++q) {
        std::size_t const rows = widths_[q + 1];
        Layer layer;
        layer.rows = rows;
        layer.cols = widths_[q];
        layer.weights = weights;
        layer.scale = model.scale(q + 1);
        double const square = model.variances[q] * layer.scale * layer.scale * static_cast<double>(layer.cols) * open;
        double const next = bits + (square > 0 ? std::log2(square) / 2 : 0);
        layer.unit = std::ldexp(1.0, static_cast<int>(std::lround(next) - std::lround(bits)));
        bits = next;
        layer.gates.assign(rows, 1);
        layer.activations.resize(rows);
        layer.by_output.resize(outputs * rows);
        layer.gram.resize(outputs * outputs);
        layer.along_output.resize(rows);
        layers_.push_back(std::move(layer));
        weights += rows * widths_[q];
    }
    model.precision == Precision::float32 ? floats_.resize(weights) : weights_.resize(weights);
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
    // Here, since copies have weights of their own.
    floats_.empty() ? show(weights_, pass_) : show(floats_, pass_);
    pass_forward();
    pass_backward();
    for (std::size_t a = 0; a < depth(); ++a)
        floats_.empty() ? fill_blocks(a, doubles_maps_) : fill_blocks(a, floats_maps_);
}

void HessianNormProducts::pass_forward() {
    std::vector<double> const* h = &input_;
    for (auto& layer : layers_) {
        layer.input_norm = layer.scale * layer.scale * inner(*h, *h);
        products_.times(pass_, layer.weights, layer.rows, layer.cols, h->data(), layer.activations.data());
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
            products_.add_before({.rows = outputs, .inner = above.rows, .columns = above.cols}, above.by_output.data(),
                                 pass_, above.weights, layer.by_output.data());
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
template <class T>
void HessianNormProducts::extend_map(Maps<T>& maps, Layer const& low, Layer const& below, Layer const& through,
                                     bool first) {
    std::size_t const rows = through.open.size();
    std::size_t const cols = below.open.size();
    maps.unit = first ? through.unit : maps.unit * through.unit;
    maps.open_weights.resize(rows * cols);
    for (std::size_t i = 0; i < rows; ++i) {
        T const* const row = matrix(maps, through.weights + through.open[i] * through.cols);
        double const gate = through.scale * through.gates[through.open[i]] / through.unit;
        for (std::size_t j = 0; j < cols; ++j)
            maps.open_weights[i * cols + j] = static_cast<T>(gate * static_cast<double>(row[below.open[j]]));
    }
    if (first) {
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < cols; ++j)
                maps.open_weights[i * cols + j] *= static_cast<T>(low.gates[low.open[j]]);
        std::swap(maps.map, maps.open_weights);
        return;
    }
    std::size_t const width = low.open.size();
    maps.next.assign(rows * width, 0);
    mlp::add_batch_product({.rows = rows, .inner = cols, .columns = width}, maps.open_weights.data(), maps.map.data(),
                           maps.next.data());
    std::swap(maps.map, maps.next);
}

template <class T>
void HessianNormProducts::fill_blocks(std::size_t a, Maps<T>& maps) {
    std::size_t const outputs = widths_.back();
    auto const& low = layers_[a];
    auto const& z = layers_.back().activations;
    std::vector<double> through(outputs);
    std::vector<double> pulled(low.rows);
    std::vector<double> open_pulled;
    std::vector<double> image;
    mlp::GraphPass map;
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
            extend_map(maps, low, layers_[b - 2], below, b == a + 2);
            std::size_t const rows = below.open.size();
            std::size_t const width = low.open.size();
            for (std::size_t i = 0; i < rows * width; ++i)
                map_norm += static_cast<double>(maps.map[i]) * static_cast<double>(maps.map[i]);
            map_norm *= maps.unit * maps.unit;
            open_pulled.clear();
            for (std::size_t const i : low.open) open_pulled.push_back(pulled[i]);
            image.resize(rows);
            show(maps.map, map);
            products_.times(map, 0, rows, width, open_pulled.data(), image.data());
            for (std::size_t i = 0; i < rows; ++i) along += image[i] * below.activations[below.open[i]];
            along *= maps.unit;
        }
        block.functional = mixed * low.input_norm * map_norm * inner(high.along_output, high.along_output);
        block.cross = 2 * mixed * low.input_norm * along;
        block.target = target_each_ * mixed * low.input_norm * map_norm * inner(high.by_output, high.by_output);
    }
}

}  // namespace isserlis::monte_carlo::detail
