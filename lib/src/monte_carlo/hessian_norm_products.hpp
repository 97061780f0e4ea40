// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/acting_product.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <vector>

#include "hessian_norm_block.hpp"

namespace isserlis::monte_carlo::detail {

/// The block norms of HessianNormLanes for one wide network, by products of whole matrices. The maps between layers are
/// kept over open gates alone: of a ReLU network an eighth of each product is left. Of a network of floats products are
/// taken in float, and all else in double.
class HessianNormProducts {
public:
    using Block = HessianNormBlock<double>;

    HessianNormProducts(NetworkModel const& model, std::vector<double> label_factors, double target_second_moment);

    /// The weights of all layers, row by row, to be filled before `evaluate`: these or, of a network of floats, those.
    [[nodiscard]] std::vector<double>& weights() { return weights_; }
    [[nodiscard]] std::vector<float>& floats() { return floats_; }
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
        double unit = 1;          ///< a power of two near the size of what the layer does, which maps leave out
        std::vector<double> gates;
        std::vector<double> activations;
        std::vector<std::size_t> open;     ///< units whose gate is not 0
        std::vector<double> by_output;     ///< B, an output after another
        std::vector<double> gram;          ///< B B^T
        std::vector<double> along_output;  ///< B^T z
        double input_norm = 0;             ///< |scale h|^2, h of the layer below
    };

    /// J over open units, d_(b-1) x d_a, the last b's and then the next one's.
    template <class T>
    struct Maps {
        std::vector<T> map, next;
        std::vector<T> open_weights;
        double unit = 1;  ///< J is the map times this
    };

    void pass_forward();
    void pass_backward();
    template <class T>
    void fill_blocks(std::size_t a, Maps<T>& maps);
    template <class T>
    void extend_map(Maps<T>& maps, Layer const& low, Layer const& below, Layer const& through, bool first);
    [[nodiscard]] double const* matrix(Maps<double> const&, std::size_t place) const { return &weights_[place]; }
    [[nodiscard]] float const* matrix(Maps<float> const&, std::size_t place) const { return &floats_[place]; }

    std::vector<std::size_t> widths_;
    double slope_;
    std::vector<double> label_factors_;
    double target_each_;  ///< E y_i^2
    std::vector<double> input_;
    std::vector<double> weights_;
    std::vector<float> floats_;  ///< in their place
    mlp::GraphPass pass_;        ///< the weights as ActingProducts takes them
    mlp::ActingProducts products_;
    std::vector<Layer> layers_;
    Maps<double> doubles_maps_;
    Maps<float> floats_maps_;
    std::vector<Block> blocks_;
};

}  // namespace isserlis::monte_carlo::detail
