// SPDX-License-Identifier: MIT
// Batch norm within a pass: (5.38), its backward pass, and the tangents of both.
#include <cmath>
#include <isserlis/mlp/batch_pass.hpp>

#include "mlp/batch_rows.hpp"

namespace isserlis::mlp {

template <class T>
void BatchPass<T>::normalize(std::size_t v) {
    auto& node = nodes_[v];
    auto const& traits = architecture_->traits()[v];
    std::size_t const first = architecture_->first_normed(v);
    T const* const gain = at(ParameterKind::gain, v, parameters_);
    T const* const shift = at(ParameterKind::shift, v, parameters_);
    auto const count = static_cast<T>(samples_);
    node.normed.resize(node.z.rows(), samples_);
    node.reciprocal.resize(batch::size(node.z.rows()));
    for (Index i = 0; i < node.z.rows(); ++i) {
        std::size_t const place = first + batch::size(i);
        T* const z = batch::row(node.z, i);
        T* const normed = batch::row(node.normed, i);
        T mean;
        T deviation;
        if (form_.moments != nullptr) {
            mean = form_.moments->mean[place];
            deviation = form_.moments->deviation[place];
        } else {
            mean = batch::sum(z, samples_) / count;
            T squares = 0;
            for (Index k = 0; k < samples_; ++k) squares += (z[k] - mean) * (z[k] - mean);
            deviation = std::sqrt(squares / count);
            moments_.mean[place] = mean;
            moments_.deviation[place] = deviation;
        }
        T const reciprocal = 1 / std::sqrt(deviation * deviation + static_cast<T>(traits.epsilon));
        node.reciprocal[batch::size(i)] = reciprocal;
        for (Index k = 0; k < samples_; ++k) {
            normed[k] = (z[k] - mean) * reciprocal;
            z[k] = gain[i] * normed[k] + shift[i];
        }
    }
}

template <class T>
void BatchPass<T>::normalize_backward(std::size_t v, std::span<T> gradient) {
    auto& node = nodes_[v];
    T const* const gain = at(ParameterKind::gain, v, parameters_);
    T* const by_gain = at(ParameterKind::gain, v, gradient);
    T* const by_shift = at(ParameterKind::shift, v, gradient);
    auto const count = static_cast<T>(samples_);
    for (Index i = 0; i < node.z.rows(); ++i) {
        T const* const by_z = batch::row(node.by_z, i);
        T const* const normed = batch::row(node.normed, i);
        T* const by_s = batch::row(node.by_s, i);
        T const total = batch::sum(by_z, samples_);
        T const along = batch::sum_of_products(by_z, normed, samples_);
        if (by_shift != nullptr) by_shift[i] += total;
        if (by_gain != nullptr) by_gain[i] += along;
        // (5.43) and (5.44), put together; given moments do not move.
        T const factor = gain[i] * node.reciprocal[batch::size(i)];
        bool const moves = form_.moments == nullptr;
        T const mean = moves ? total / count : T(0);
        T const slope = moves ? along / count : T(0);
        for (Index k = 0; k < samples_; ++k) by_s[k] = factor * (by_z[k] - mean - normed[k] * slope);
    }
}

/// Turns the move of s into that of z.
template <class T>
void BatchPass<T>::normalize_tangent(std::size_t v, Matrix<T>& s_move) {
    auto& node = nodes_[v];
    T const* const gain = at(ParameterKind::gain, v, parameters_);
    T const* const gain_move = at(ParameterKind::gain, v, direction_);
    T const* const shift_move = at(ParameterKind::shift, v, direction_);
    auto const count = static_cast<T>(samples_);
    node.normed_move.resize(node.z.rows(), samples_);
    node.normed_slope.assign(batch::size(node.z.rows()), T(0));
    for (Index i = 0; i < node.z.rows(); ++i) {
        T* const move = batch::row(s_move, i);
        T const* const normed = batch::row(node.normed, i);
        T* const normed_move = batch::row(node.normed_move, i);
        T mean = 0;
        T slope = 0;
        if (form_.moments == nullptr) {
            mean = batch::sum(move, samples_) / count;
            for (Index k = 0; k < samples_; ++k) slope += normed[k] * (move[k] - mean);
            slope /= count;
        }
        node.normed_slope[batch::size(i)] = slope;
        for (Index k = 0; k < samples_; ++k) {
            normed_move[k] = node.reciprocal[batch::size(i)] * (move[k] - mean - normed[k] * slope);
            move[k] = gain[i] * normed_move[k] + gain_move[i] * normed[k] + shift_move[i];
        }
    }
}

template <class T>
void BatchPass<T>::normalize_backward_tangent(std::size_t v, Matrix<T> const& by_z_move, std::span<T> out) {
    auto& node = nodes_[v];
    T const* const gain = at(ParameterKind::gain, v, parameters_);
    T const* const gain_move = at(ParameterKind::gain, v, direction_);
    T* const by_gain = at(ParameterKind::gain, v, out);
    T* const by_shift = at(ParameterKind::shift, v, out);
    auto const count = static_cast<T>(samples_);
    bool const moves = form_.moments == nullptr;
    for (Index i = 0; i < node.z.rows(); ++i) {
        T const* const by_z = batch::row(node.by_z, i);
        T const* const by_z_moved = batch::row(by_z_move, i);
        T const* const normed = batch::row(node.normed, i);
        T const* const normed_move = batch::row(node.normed_move, i);
        T* const by_s_move = batch::row(node.by_s_move, i);
        T const total = batch::sum(by_z, samples_);
        T const total_move = batch::sum(by_z_moved, samples_);
        T const along = batch::sum_of_products(by_z, normed, samples_);
        T const along_move =
            batch::sum_of_products(by_z_moved, normed, samples_) + batch::sum_of_products(by_z, normed_move, samples_);
        by_shift[i] += total_move;
        by_gain[i] += along_move;
        T const reciprocal = node.reciprocal[batch::size(i)];
        T const mean = moves ? total / count : T(0);
        T const mean_move = moves ? total_move / count : T(0);
        T const slope = moves ? along / count : T(0);
        T const slope_move = moves ? along_move / count : T(0);
        T const factor = gain[i] * reciprocal;
        // 1 / sqrt(sigma^2 + epsilon) moves by minus its square times normed_slope.
        T const factor_move =
            gain_move[i] * reciprocal - gain[i] * reciprocal * reciprocal * node.normed_slope[batch::size(i)];
        for (Index k = 0; k < samples_; ++k)
            by_s_move[k] = factor_move * (by_z[k] - mean - normed[k] * slope) +
                           factor * (by_z_moved[k] - mean_move - normed_move[k] * slope - normed[k] * slope_move);
    }
}

template void BatchPass<float>::normalize(std::size_t);
template void BatchPass<double>::normalize(std::size_t);
template void BatchPass<float>::normalize_backward(std::size_t, std::span<float>);
template void BatchPass<double>::normalize_backward(std::size_t, std::span<double>);
template void BatchPass<float>::normalize_tangent(std::size_t, Matrix<float>&);
template void BatchPass<double>::normalize_tangent(std::size_t, Matrix<double>&);
template void BatchPass<float>::normalize_backward_tangent(std::size_t, Matrix<float> const&, std::span<float>);
template void BatchPass<double>::normalize_backward_tangent(std::size_t, Matrix<double> const&, std::span<double>);

}  // namespace isserlis::mlp
