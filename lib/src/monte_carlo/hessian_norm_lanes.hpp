// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/random/stream.hpp>
#include <vector>

#include "hessian_norm_block.hpp"

namespace isserlis::monte_carlo::detail {

/// Equal networks side by side, one in each SIMD lane, and the block norms of their Hessians.
///
/// With J the map from the pre-activations of layer a to the activations of layer b - 1, B_b = dz/dz_b and h the
/// activations, d^2 z_o / dW_a[i,j] dW_b[k,l] = h_(a-1)[j] J[l,i] B_b[o,k] for a < b: three factors, so that the norm
/// of a block contracted with any vector over the outputs is a product of three norms. No Hessian is ever formed.
class HessianNormLanes {
public:
    static constexpr std::size_t lanes = stream_lanes;
    using Lanes = std::array<double, lanes>;
    using Block = HessianNormBlock<Lanes>;

    HessianNormLanes(NetworkModel const& model, std::vector<double> label_factors, double target_second_moment);

    /// The weights of all layers, row by row, to be filled before `evaluate`.
    [[nodiscard]] std::vector<Lanes>& weights() { return weights_; }
    void evaluate();
    [[nodiscard]] Block const& block(std::size_t a, std::size_t b) const { return blocks_[a * depth() + b]; }
    [[nodiscard]] std::size_t depth() const { return widths_.size() - 1; }
    /// Products of numbers that one network takes.
    [[nodiscard]] double work() const;

private:
    struct Layer {
        std::size_t rows = 0;
        std::size_t cols = 0;
        std::size_t weights = 0;          ///< where they begin
        double scale = 1;                 ///< the layer acts as scale times its weights, by which derivatives are
        std::vector<Lanes> gates;         ///< of the layer's units; of the output 1
        std::vector<Lanes> activations;   ///< h
        std::vector<Lanes> by_output;     ///< B, an output after another
        std::vector<Lanes> gram;          ///< B B^T
        std::vector<Lanes> along_output;  ///< B^T z
        Lanes input_norm;                 ///< |scale h|^2, h of the layer below: what a unit's z has by its weights
    };

    void pass_forward();
    void pass_backward();
    void fill_blocks(std::size_t a);

    std::vector<std::size_t> widths_;
    double slope_;
    std::vector<double> label_factors_;
    double target_each_;  ///< E y_i^2
    std::vector<Lanes> weights_;
    std::vector<Lanes> input_;
    std::vector<Layer> layers_;
    std::vector<Lanes> map_;      ///< J, d_(b-1) x d_a
    std::vector<Lanes> next_;     ///< the same of the next b
    std::vector<Lanes> through_;  ///< B_b B_b^T z
    std::vector<Lanes> pulled_;   ///< B_a^T of that
    std::vector<Block> blocks_;
};

}  // namespace isserlis::monte_carlo::detail
