// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>
#include <span>
#include <vector>

namespace isserlis::monte_carlo {

/// A squared norm and its logarithm, which stays right where the norm itself leaves the range of double.
struct SquaredNorm {
    double value = 0;
    double log = 0;  ///< minus infinity exactly when the layer is dead
};

/// The squared norms |h^1|^2 .. |h^n|^2 of one drawn network after another, each weight used as soon as it is drawn.
///
/// Law     z^q = W^q h^(q-1) + b^q, biases drawn behind the weights of their layer. Without them as draw_network: sample i here is mlp::forward on draw_network<T>(model, seed, i), up to the order of sums
///         and exact powers of 2 taken out between layers, which no homogeneous activation sees. Orthogonal matrices are
///         drawn here alone.
/// Shape   n numbers; |z^q|^2 in place of |h^q|^2 if `preactivations`. A sampler belongs to one thread.
/// Units   squared activation units; arithmetic in T, the squares in double.
/// Errors  those of NetworkModel::validate and require_decided_ties; UnsupportedError for orthogonal matrices and a
///         concatenated ReLU with two of them in each layer. In a layer whose law has atoms a tied
///         pre-activation is set to 0; its gate then changes no norm, whichever way a coin falls.
/// Source  this library
template <class T>
class NormSampler {
public:
    NormSampler(NetworkModel const& model, bool preactivations);

    /// The result stays valid until the next call.
    [[nodiscard]] std::span<SquaredNorm const> operator()(std::uint64_t seed, std::uint64_t sample);

private:
    void add_product(std::size_t layer, Stream& stream, std::vector<T> const& h);
    void add_tied_products(std::size_t layer, Stream& stream);
    void rotate(std::size_t layer, Stream& stream);
    void add_biases(std::size_t layer, Stream& stream);
    void preactivate(std::size_t layer, Stream& stream);
    void gate(std::size_t layer);
    [[nodiscard]] SquaredNorm norm() const;
    void take_out_powers_of_two(double log_norm);

    NetworkModel model_;
    bool preactivations_;
    std::vector<WeightRows<T>> weights_;
    std::vector<char> can_tie_;
    std::vector<T> positive_;   ///< what W or P meets: h, or relu(h) for a concatenated ReLU
    std::vector<T> negative_;   ///< what N meets: min(h, 0)
    std::vector<T> z_;          ///< the pre-activations of a layer, then its activations, times 2^-exponent_
    std::vector<T> magnitude_;  ///< sum |w h| behind each entry of z
    int exponent_ = 0;
    std::vector<SquaredNorm> norms_;
};

}  // namespace isserlis::monte_carlo
