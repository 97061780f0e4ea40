// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/monte_carlo/network_model.hpp>
#include <vector>

#include "hessian_norm_block.hpp"

namespace isserlis::monte_carlo::detail {

/// The block norms of HessianNormLanes for one wide network, by products of whole matrices. The maps between layers are
/// kept over open gates alone: of a ReLU network an eighth of each product is left.
class HessianNormProducts {
public:
    using Block = HessianNormBlock<double>;

    HessianNormProducts(NetworkModel const& model, std::vector<double> label_factors, double target_second_moment);

    /// The weights of all layers, row by row, to be filled before `evaluate`.
    [[nodiscard]] std::vector<double>& weights() { return weights_; }
    void evaluate();
    [[nodiscard]] Block const& block(std::size_t a, std::size_t b) const { return blocks_[a * depth() + b]; }
    [[nodiscard]] std::size_t depth() const { return widths_.size() - 1; }
    /// Products of numbers that one network takes, with half of the ReLU gates closed.
    [[nodiscard]] double work() const;

private:
    struct Layer {
        std::size_t rows = 0;
        std::size_t cols = 0;
        std::size_t weights = 0;  ///< where they begin
        double scale = 1;         ///< the layer acts as scale times its weights, by which derivatives are
        std::vector<double> gates;
        std::vector<double> activations;
        std::vector<std::size_t> open;     ///< units whose gate is not 0
        std::vector<double> by_output;     ///< B, an output after another
        std::vector<double> gram;          ///< B B^T
        std::vector<double> along_output;  ///< B^T z
        double input_norm = 0;             ///< |scale h|^2, h of the layer below
    };

    void pass_forward();
    void pass_backward();
    void fill_blocks(std::size_t a);
    void extend_map(Layer const& low, Layer const& below, Layer const& through, bool first);

    std::vector<std::size_t> widths_;
    double slope_;
    std::vector<double> label_factors_;
    double target_each_;  ///< E y_i^2
    std::vector<double> input_;
    std::vector<double> weights_;
    std::vector<Layer> layers_;
    std::vector<double> map_;   ///< J over open units, d_(b-1) x d_a
    std::vector<double> next_;  ///< the same of the next b
    std::vector<double> open_weights_;
    std::vector<Block> blocks_;
};

}  // namespace isserlis::monte_carlo::detail
