// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/norm_sampler.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <limits>
#include <numbers>

#include "monte_carlo/semi_orthogonal.hpp"

namespace isserlis::monte_carlo {
namespace {

constexpr int largest_binary_exponent = 32;

/// z += W h for some rows of W: each sum in the order of its entries, the rows side by side.
template <std::size_t rows, class T>
void add_rows(T const* w, std::vector<T> const& h, T* z) {
    std::array<T, rows> sums{};
    for (std::size_t j = 0; j < h.size(); ++j)
        for (std::size_t i = 0; i < rows; ++i) sums[i] += w[i * h.size() + j] * h[j];
    for (std::size_t i = 0; i < rows; ++i) z[i] += sums[i];
}

}  // namespace

template <class T>
NormSampler<T>::NormSampler(NetworkModel const& model, bool preactivations)
    : model_(model), preactivations_(preactivations), norms_(model.depth()) {
    model.validate(true);
    model.require_decided_ties();
    if (model.has_orthogonal() && model.activation.sides() == WeightSides::independent)
        throw UnsupportedError(
            "NormSampler: a concatenated ReLU with two orthogonal matrices in each layer is not sampled", "law");
    for (std::size_t q = 0; q < model.depth(); ++q) {
        double const scale = model.scale(q + 1);
        weights_.emplace_back(model.laws[q],
                              model.variances[q] * scale * scale);  // nothing is differentiated: W itself
        can_tie_.push_back(has_atoms(model.laws[q]) ? 1 : 0);
    }
}

/// z += W h, and magnitude += |W| |h| where ties are looked for.
template <class T>
void NormSampler<T>::add_product(std::size_t layer, Stream& stream, std::vector<T> const& h) {
    bool const can_tie = can_tie_[layer - 1] != 0;
    weights_[layer - 1].for_each_block(stream, z_.size(), h.size(), [&](std::size_t first, std::span<T const> block) {
        constexpr std::size_t together = 4;
        std::size_t const cols = h.size();
        std::size_t const rows = block.size() / cols;
        std::size_t i = 0;
        for (; i + together <= rows; i += together) add_rows<together>(&block[i * cols], h, &z_[first + i]);
        for (; i < rows; ++i) add_rows<1>(&block[i * cols], h, &z_[first + i]);
        if (!can_tie) return;
        for (i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < cols; ++j) magnitude_[first + i] += std::abs(block[i * cols + j] * h[j]);
    });
}

/// The same for both sides of a concatenated ReLU, where one matrix is both P and N.
template <class T>
void NormSampler<T>::add_tied_products(std::size_t layer, Stream& stream) {
    bool const can_tie = can_tie_[layer - 1] != 0;
    weights_[layer - 1].for_each_row(stream, z_.size(), positive_.size(), [&](std::size_t i, std::span<T const> row) {
        for (std::size_t j = 0; j < row.size(); ++j) z_[i] += row[j] * positive_[j] + row[j] * negative_[j];
        if (!can_tie) return;
        for (std::size_t j = 0; j < row.size(); ++j) magnitude_[i] += std::abs(row[j] * (positive_[j] - negative_[j]));
    });
}

/// z = W h; the two sides of a tied concatenated ReLU add up to that.
template <class T>
void NormSampler<T>::rotate(std::size_t layer, Stream& stream) {
    auto const rows = model_.widths[layer];
    auto const cols = model_.widths[layer - 1];
    double const deviation =
        std::sqrt(static_cast<double>(std::max(rows, cols)) * model_.variances[layer - 1]) * model_.scale(layer);
    Eigen::VectorXd h(static_cast<Eigen::Index>(cols));
    std::copy(z_.begin(), z_.end(), h.begin());
    Eigen::VectorXd const z = deviation * (semi_orthogonal(rows, cols, stream) * h);
    z_.resize(rows);
    std::transform(z.begin(), z.end(), z_.begin(), [](double x) { return static_cast<T>(x); });
}

/// z += b, in the units of z.
template <class T>
void NormSampler<T>::add_biases(std::size_t layer, Stream& stream) {
    if (model_.bias_variances.empty() || model_.bias_variances[layer - 1] == 0) return;
    double const deviation = std::ldexp(std::sqrt(model_.bias_variances[layer - 1]), -exponent_);
    std::vector<double> biases(z_.size());
    UnitWeight(model_.bias_law).fill(stream, biases);
    for (std::size_t i = 0; i < z_.size(); ++i) {
        z_[i] += static_cast<T>(deviation * biases[i]);
        magnitude_[i] += static_cast<T>(std::abs(deviation * biases[i]));
    }
}

template <class T>
void NormSampler<T>::preactivate(std::size_t layer, Stream& stream) {
    if (model_.is_orthogonal(layer)) {
        rotate(layer, stream);
        magnitude_.assign(z_.size(), T(0));
        return add_biases(layer, stream);
    }
    positive_ = z_;
    if (model_.activation.is_concatenated()) {
        negative_ = z_;
        for (T& h : positive_) h = std::max(h, T(0));
        for (T& h : negative_) h = std::min(h, T(0));
    }
    z_.assign(model_.widths[layer], T(0));
    magnitude_.assign(model_.widths[layer], T(0));
    if (model_.activation.is_tied()) {
        add_tied_products(layer, stream);
    } else {
        add_product(layer, stream, positive_);
        if (model_.activation.sides() == WeightSides::independent) add_product(layer, stream, negative_);
    }
    add_biases(layer, stream);
    if (can_tie_[layer - 1] == 0) return;
    for (std::size_t i = 0; i < z_.size(); ++i)
        if (std::abs(z_[i]) <= tie_tolerance<T> * magnitude_[i]) z_[i] = T(0);
}

template <class T>
void NormSampler<T>::gate(std::size_t layer) {
    if (!model_.has_gates(layer)) return;
    T const slope = static_cast<T>(model_.activation.gate().negative);
    for (T& z : z_) z *= z > T(0) ? T(1) : slope;
}

template <class T>
SquaredNorm NormSampler<T>::norm() const {
    double sum = 0;
    for (T const h : z_) sum += static_cast<double>(h) * static_cast<double>(h);
    if (sum == 0) return {.value = 0, .log = -std::numeric_limits<double>::infinity()};
    if (exponent_ == 0) return {.value = sum, .log = std::log(sum)};
    return {.value = std::ldexp(sum, 2 * exponent_), .log = std::log(sum) + 2 * exponent_ * std::numbers::ln2};
}

/// Keeps the activations far from the ends of T's range, however deep the network.
template <class T>
void NormSampler<T>::take_out_powers_of_two(double log_norm) {
    if (!std::isfinite(log_norm)) return;
    int const exponent = static_cast<int>(std::lround(log_norm / (2 * std::numbers::ln2))) - exponent_;
    if (std::abs(exponent) <= largest_binary_exponent) return;
    for (T& h : z_) h = std::ldexp(h, -exponent);
    exponent_ += exponent;
}

template <class T>
std::span<SquaredNorm const> NormSampler<T>::operator()(std::uint64_t seed, std::uint64_t sample) {
    Stream stream(seed, sample);
    z_.resize(model_.input.size());
    std::transform(model_.input.begin(), model_.input.end(), z_.begin(), [](double x) { return static_cast<T>(x); });
    exponent_ = 0;
    for (std::size_t q = 1; q <= model_.depth(); ++q) {
        preactivate(q, stream);
        if (preactivations_) norms_[q - 1] = norm();
        gate(q);
        if (!preactivations_) norms_[q - 1] = norm();
        take_out_powers_of_two(norms_[q - 1].log);
    }
    return norms_;
}

template class NormSampler<float>;
template class NormSampler<double>;

}  // namespace isserlis::monte_carlo
