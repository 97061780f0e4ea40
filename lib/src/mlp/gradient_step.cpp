// SPDX-License-Identifier: MIT
#include <isserlis/mlp/gradient_step.hpp>

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/mlp/batch_product.hpp>
#include <memory>
#include <string>
#include <utility>

#include "mlp/batch_rows.hpp"
#include "mlp/entries.hpp"

namespace isserlis::mlp {
namespace {

using Index = Eigen::Index;
using batch::size;

template <class T>
std::vector<std::size_t> widths_of(Network<T> const& net) {
    std::vector<std::size_t> out;
    if (net.layers.empty()) return out;
    out.push_back(static_cast<std::size_t>(net.layers.front().weights.cols()));
    for (auto const& layer : net.layers) out.push_back(static_cast<std::size_t>(layer.weights.rows()));
    return out;
}

constexpr std::size_t line = 64;  ///< bytes: vectors across two lines of a cache take twice as long

/// The first place at the beginning of a line; there is room for one more of those.
template <class T>
T* at_line(std::vector<T>& room) {
    void* at = room.data();
    std::size_t space = room.size() * sizeof(T);
    return static_cast<T*>(std::align(line, 1, at, space));
}

template <class T>
void take_turned(Matrix<T> const& matrix, Matrix<T>& out) {
    out.resize(matrix.cols(), matrix.rows());
    turn(size(matrix.rows()), size(matrix.cols()), matrix.data(), out.data());
}

template <class T>
void require_shape(std::size_t layer, char const* what, Matrix<T> const& matrix, Index rows, Index cols) {
    if (matrix.rows() == rows && matrix.cols() == cols) return;
    throw DomainError("GradientStep: layer " + std::to_string(layer) + " has " + what + " of " +
                          std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) + "; " +
                          std::to_string(rows) + " x " + std::to_string(cols) + " is required",
                      "layers");
}

}  // namespace

template <class T>
GradientStep<T>::GradientStep(std::vector<std::size_t> const& widths, Activation<T> const& activation, bool gated_head,
                              Matrix<T> inputs)
    : activation_(activation), gated_head_(gated_head), samples_(inputs.cols()), inputs_(std::move(inputs)) {
    if (widths.size() < 2) throw DomainError("GradientStep: the network has no layers; at least 1 is needed", "widths");
    if (samples_ == 0) throw DomainError("GradientStep: there are no samples; at least 1 is needed", "inputs");
    if (inputs_.rows() != static_cast<Index>(widths.front()))
        throw DomainError("GradientStep: the inputs have " + std::to_string(inputs_.rows()) +
                              " features, the network takes " + std::to_string(widths.front()),
                          "inputs");
    layers_.resize(widths.size() - 1);
    for (std::size_t q = 0; q < layers_.size(); ++q) {
        LayerState& layer = layers_[q];
        auto const fan_in = static_cast<Index>(widths[q] * (activation_.is_concatenated() ? 2 : 1));
        auto const fan_out = static_cast<Index>(widths[q + 1]);
        for (Matrix<T>* m : {&layer.weights, &layer.update}) m->setZero(fan_out, fan_in);
        layer.features.setZero(fan_in, samples_);
        for (Matrix<T>* m : {&layer.h, &layer.h1, &layer.h2, &layer.delta}) m->setZero(fan_out, samples_);
        if (activation_.is_concatenated()) layer.open.setZero(static_cast<Index>(widths[q]), samples_);
        if (has_gates(q)) layer.gates.setOnes(fan_out, samples_);
        scratch_.stepped.resize(std::max(scratch_.stepped.size(), size(layer.weights.size())));
        scratch_.moved.resize(std::max(scratch_.moved.size(), line / sizeof(T) + size(layer.features.size())));
    }
    scratch_.features.resize(scratch_.moved.size());
    scratch_.outputs.setZero(layers_.back().h.rows(), samples_);
    take_features(inputs_, layers_.front().features);
    take_open(inputs_, layers_.front());
}

template <class T>
GradientStep<T>::GradientStep(Network<T> const& net, Matrix<T> inputs)
    : GradientStep(widths_of(net), net.activation, net.gated_head, std::move(inputs)) {
    for (std::size_t q = 0; q < layers_.size(); ++q) {
        auto const& [weights, negative] = net.layers[q];
        Matrix<T>& own = layers_[q].weights;
        Index const fan_in = q == 0 ? inputs_.rows() : layers_[q - 1].weights.rows();
        require_shape(q + 1, activation_.is_concatenated() ? "P" : "weights", weights, own.rows(), fan_in);
        own.leftCols(fan_in) = weights;
        if (!activation_.is_concatenated()) continue;
        require_shape(q + 1, "N", negative, own.rows(), fan_in);
        own.rightCols(fan_in) = negative;
    }
    set_scales(net.scales);
}

template <class T>
void GradientStep<T>::set_scales(std::vector<T> const& scales) {
    if (!scales.empty() && scales.size() != layers_.size())
        throw DomainError("GradientStep: " + std::to_string(scales.size()) + " scales for " +
                              std::to_string(layers_.size()) + " layers; give one for each, or none",
                          "scales");
    for (std::size_t q = 0; q < layers_.size(); ++q) layers_[q].scale = scales.empty() ? 1 : scales[q];
}

template <class T>
void GradientStep<T>::set_rates(std::vector<T> const& rates) {
    if (!rates.empty() && rates.size() != layers_.size())
        throw DomainError("GradientStep: " + std::to_string(rates.size()) + " rates for " +
                              std::to_string(layers_.size()) + " layers; give one for each, or none",
                          "rates");
    for (std::size_t q = 0; q < layers_.size(); ++q) layers_[q].rate = rates.empty() ? 1 : rates[q];
}

template <class T>
bool GradientStep<T>::has_gates(std::size_t layer) const {
    return activation_.is_gated() && activation_.gate().negative != 1 && (layer + 1 < layers_.size() || gated_head_);
}

template <class T>
void GradientStep<T>::take_features(Matrix<T> const& h, Matrix<T>& features) const {
    if (!activation_.is_concatenated()) {
        features = h;
        return;
    }
    features.topRows(h.rows()) = h.cwiseMax(T(0));
    features.bottomRows(h.rows()) = h.cwiseMin(T(0));
}

template <class T>
void GradientStep<T>::take_open(Matrix<T> const& h, LayerState& layer) const {
    if (activation_.is_concatenated()) take_heaviside(size(h.size()), h.data(), layer.open.data());
}

/// The derivative of the features, in `parts` where those are not all of h.
template <class T>
Matrix<T> const& GradientStep<T>::frozen_features(Matrix<T> const& derivative, LayerState const& layer,
                                                  Matrix<T>& parts) const {
    if (!activation_.is_concatenated()) return derivative;
    parts.resize(2 * derivative.rows(), samples_);
    parts.topRows(derivative.rows()) = layer.open.cwiseProduct(derivative);
    parts.bottomRows(derivative.rows()) = derivative - parts.topRows(derivative.rows());
    return parts;
}

template <class T>
template <class Z>
void GradientStep<T>::apply_gates(Z&& z) const {
    // 0 times -inf is no number, and the limit is 0; what is no number stays so.
    if (activation_.gate().negative == 0) {
        z = z.cwiseMax(T(0));
    } else {
        z = z.cwiseMax(T(0)) + activation_.gate().negative * z.cwiseMin(T(0));
    }
}

template <class T>
void GradientStep<T>::require_stage(Stage least, char const* call, char const* before) const {
    if (stage_ >= least) return;
    throw DomainError(
        std::string("GradientStep: ") + call + " needs " + before + " first, since the weights were written", call);
}

template <class T>
Matrix<T> const& GradientStep<T>::forward() {
    for (std::size_t q = 0; q < layers_.size(); ++q) {
        LayerState& layer = layers_[q];
        if (q > 0) {
            take_features(layers_[q - 1].h, layer.features);
            take_open(layers_[q - 1].h, layer);
        }
        batch_product(layer.weights, layer.features, layer.h);
        layer.h *= layer.scale;
        if (layer.gates.size() == 0) continue;
        layer.gates =
            (layer.h.array() > 0).select(Matrix<T>::Ones(layer.h.rows(), samples_), activation_.gate().negative);
        apply_gates(layer.h);
    }
    stage_ = Stage::forward;
    return outputs();
}

template <class T>
void GradientStep<T>::backward(Matrix<T> const& output_gradients) {
    require_stage(Stage::forward, "backward", "forward");
    if (output_gradients.rows() != outputs().rows() || output_gradients.cols() != samples_)
        throw DomainError("GradientStep: the gradients are " + std::to_string(output_gradients.rows()) + " x " +
                              std::to_string(output_gradients.cols()) + ", the outputs " +
                              std::to_string(outputs().rows()) + " x " + std::to_string(samples_) + "; they must agree",
                          "output_gradients");
    layers_.back().delta = output_gradients / static_cast<T>(samples_);
    for (std::size_t q = layers_.size(); q-- > 0;) {
        LayerState& layer = layers_[q];
        if (layer.gates.size() != 0) layer.delta.array() *= layer.gates.array();
        layer.delta *= layer.scale;  // by W x, the scale included
        take_turned(layer.features, scratch_.turned_features);
        batch_product(layer.delta, scratch_.turned_features, layer.update);
        if (q == 0) break;
        take_turned(layer.weights, scratch_.turned_weights);
        Matrix<T>& below = layers_[q - 1].delta;
        if (activation_.is_concatenated()) {
            scratch_.by_features.resize(layer.features.rows(), samples_);
            batch_product(scratch_.turned_weights, layer.delta, scratch_.by_features);
            T const* const top = scratch_.by_features.data();
            blend(size(below.size()), layer.open.data(), top, top + below.size(), below.data());
        } else {
            batch_product(scratch_.turned_weights, layer.delta, below);
        }
    }
    stage_ = Stage::backward;
}

template <class T>
void GradientStep<T>::differentiate() {
    require_stage(Stage::backward, "differentiate", "backward");
    for (std::size_t q = 0; q < layers_.size(); ++q) {
        LayerState& layer = layers_[q];
        // x' = W x' - D x and x'' = W x'' - 2 D x', where x' and x'' of the input are 0.
        batch_product(layer.update, layer.features, layer.h1);
        layer.h1 *= -layer.rate;
        if (q == 0) {
            layer.h2.setZero();
        } else {
            auto const& features1 = frozen_features(layers_[q - 1].h1, layer, scratch_.features1);
            auto const& features2 = frozen_features(layers_[q - 1].h2, layer, scratch_.features2);
            scratch_.product.resize(layer.h1.rows(), samples_);
            batch_product(layer.weights, features1, scratch_.product);
            layer.h1 += scratch_.product;
            batch_product(layer.weights, features2, layer.h2);
            batch_product(layer.update, features1, scratch_.product);
            layer.h2 -= 2 * layer.rate * scratch_.product;
        }
        layer.h1 *= layer.scale;
        layer.h2 *= layer.scale;
        if (layer.gates.size() == 0) continue;
        layer.h1.array() *= layer.gates.array();
        layer.h2.array() *= layer.gates.array();
    }
}

template <class T>
Matrix<T> const& GradientStep<T>::outputs_after(T rate) {
    require_stage(Stage::backward, "outputs_after", "backward");
    T const* features = layers_.front().features.data();
    for (std::size_t q = 0; q < layers_.size(); ++q) {
        LayerState const& layer = layers_[q];
        step_weights(size(layer.weights.size()), layer.scale, rate * layer.rate, layer.weights.data(),
                     layer.update.data(), scratch_.stepped.data());
        bool const last = q + 1 == layers_.size();
        T* const out = last ? scratch_.outputs.data() : at_line(scratch_.moved);
        ProductShape const shape{
            .rows = size(layer.weights.rows()), .inner = size(layer.weights.cols()), .columns = size(samples_)};
        if (activation_.is_concatenated() && !last) {
            batch_product_parts(shape, scratch_.stepped.data(), features, out);
        } else {
            batch_product(shape, scratch_.stepped.data(), features, out);
            if (layer.gates.size() != 0) apply_gates(Eigen::Map<Matrix<T>>(out, layer.weights.rows(), samples_));
        }
        scratch_.features.swap(scratch_.moved);
        features = at_line(scratch_.features);
    }
    return scratch_.outputs;
}

template <class T>
double GradientStep<T>::squared_update() const {
    double out = 0;
    for (auto const& layer : layers_) out += static_cast<double>(layer.rate * layer.update.squaredNorm());
    return out;
}

template class GradientStep<float>;
template class GradientStep<double>;

}  // namespace isserlis::mlp
