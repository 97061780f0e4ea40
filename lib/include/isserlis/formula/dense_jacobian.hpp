// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/chain_jacobian.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace isserlis {

/// The layers of a graph that `dense_graph` built.
///
/// Errors  those of `check_graph`.
template <Ring R, class Count>
[[nodiscard]] std::vector<TransferLayer<R>> dense_layers(Graph<R, Count> const& graph) {
    check_graph(graph);
    std::vector<TransferLayer<R>> out;
    R fan_in = graph.input_width;
    for (auto const& stage : graph.stages) {
        out.push_back(transfer_layer(fan_in, stage.edges.front(), stage.nodes.front()));
        fan_in = stage.nodes.back().width;
    }
    return out;
}

/// Jacobians of dense networks y^k = phi(W^k (y^first, .., y^(k-1))), W^1 always on y^0; J^k is by the whole matrix
/// W^k.
///
/// Law     as `ChainJacobian`.
/// Shape   `layers[k - 1]` is W^k; fan_in of the first one is the input width, others are not read. `first_source`,
///         0 or 1, is where the sum starts.
/// Units   as `ChainJacobian`.
/// Errors  DomainError for no layers, widths that are not whole, variances that are not positive, kurtoses below 1.
/// Source  docs/formulas/dense_jacobian.md; Gaussian weights: [Residual 2019, eq. (98)], eq. (102), and eq. (120) to
/// (122)
///         corrected
template <class N>
class DenseJacobian {
public:
    using R = typename N::Value;

    DenseJacobian(std::vector<TransferLayer<R>> layers, unsigned first_source, R const& squared_norm, R const& fourth)
        : layers_(std::move(layers)),
          first_source_(first_source),
          squared_norm_(squared_norm),
          fourth_(fourth),
          input_(carried<N>(input_state(squared_norm, fourth))) {
        if (layers_.empty())
            throw DomainError("DenseJacobian: there are no layers; at least one is required", "layers");
        for (auto const& l : layers_) transfer_check_detail::check_layer(l, "DenseJacobian");
        for (std::size_t k = 0; k < layers_.size(); ++k) {
            auto const& l = layers_[k];
            auto const layer = gate_move(l.gate) * weight_move(l.fan_out, l.variance, l.kurtosis);
            bool const alone = k + 1 == layers_.size() || (k == 0 && first_source == 1);
            up_.push_back(carried<N>(alone ? layer : concatenation_move(layer)));
        }
        auto const& top = layers_.back();
        TransferMove<R> const gate = gate_move(top.gate);
        auto const outputs = output_state(top.fan_out);
        output_ = carried<N>(gate * outputs);
        pool_ = carried<N>(pooled_move(top.variance, top.kurtosis) * (gate * outputs));
        for (std::size_t k = 0; k + 1 < layers_.size(); ++k) {
            auto const& l = layers_[k];
            down_.push_back(carried<N>(backward_concatenation_move(l.fan_out, l.gate, l.variance, l.kurtosis)));
            rows_.push_back(carried<N>(gate_move(l.gate) * pool_rows_move(l.fan_out)));
        }
    }

    /// Moments of |y^L|^2.
    [[nodiscard]] NormMoments<R> output() const {
        return detail::trace_moments<N>(after<N>(steps_up(layers_.size()), input_));
    }

    /// Moments of ||d y^L / d x||^2.
    [[nodiscard]] NormMoments<R> input_jacobian() const { return detail::trace_moments<N>(at_input()); }

    /// E tr((J J^T)^2) of J = d y^L / d x.
    [[nodiscard]] R input_spectral_second() const { return detail::crossed_moment<N>(at_input()); }

    /// W^k, k from 1, in time quasi-linear in the size of the answer.
    [[nodiscard]] LayerJacobian<R> at(std::size_t k, R const& target_second) const {
        return jacobian(k - 1, after<N>(steps_up(k - 1), input_), pool_above(k - 1), target_second);
    }

    /// ||J||^2 by the block of W^k that reads y^source alone, source from `first_source` (0 for W^1) to k - 1.
    [[nodiscard]] NormMoments<R> block(std::size_t k, std::size_t source) const {
        CarriedState<N> x = input_;
        if (source > 0) {
            auto const& l = layers_[source - 1];
            auto const layer = gate_move(l.gate) * weight_move(l.fan_out, l.variance, l.kurtosis);
            x = after<N>(carried<N>(layer), after<N>(steps_up(source - 1), input_));
        }
        auto const g = outgoing(k - 1, pool_above(k - 1));
        x.mean.multiply(g.mean);
        x.extra.multiply(g.extra);
        return detail::norm_moments<N>(x.numerators.mean * g.numerators.mean,
                                       x.numerators.squared * g.numerators.squared, x.mean, x.extra);
    }

    /// ||d y^L / d P^k||^2 of concatenated ReLU, by the weights P of W^k alone: what W^k reads has its negative
    /// coordinates left out.
    ///
    /// Law     the signs of y^1, y^2, .. are fair coins; those of the input are not, and `positive` = |relu(x)|^2.
    /// Source  docs/formulas/dense_jacobian.md
    [[nodiscard]] NormMoments<R> positive_part(std::size_t k, R const& positive) const {
        auto const below = after<N>(steps_up(k - 1), input_);
        auto const above = outgoing(k - 1, pool_above(k - 1));
        auto const [mean, second, diagonal] = values(below);
        auto const [up_mean, up_second, unused] = values(above);
        (void)unused;
        bool const reads_input = k == 1 || first_source_ == 0;
        R const kept = reads_input ? positive : R(0);
        R const known = reads_input ? squared_norm_ : R(0);
        // All but the input: E(|pool|^2)^2 = |x|^4 + 2 |x|^2 E|rest|^2 + E|rest|^4.
        R const rest = mean - known;
        R const rest_second = second - known * known - R(2) * known * rest;
        R const rest_fourth = reads_input ? R(diagonal - fourth_) : diagonal;
        R const half = rest / R(2);
        R const half_second = (rest_second + rest_fourth) / R(4);
        R const out_mean = (kept + half) * up_mean;
        R const out_second = (kept * kept + R(2) * kept * half + half_second) * up_second;
        return {.mean = out_mean, .second = out_second, .variance = out_second - out_mean * out_mean};
    }

    /// Calls f(k, LayerJacobian) for every layer from the input up.
    template <class F>
    void for_each(R const& target_second, F const& f) const {
        std::vector<CarriedState<N>> above{pool_};  // the last layer reads no pool
        for (std::size_t k = layers_.size() - 1; k > 0; --k) {
            above.push_back(above.back());
            if (k + 1 < layers_.size()) above.back() = after<N>(down_[k], above.back());
        }
        CarriedState<N> state = input_;
        for (std::size_t k = 0; k < layers_.size(); ++k) {
            f(k + 1, jacobian(k, state, above.back(), target_second));
            above.pop_back();
            state = after<N>(up_[k], state);
        }
    }

private:
    /// The state of J J^T, J = d y^L / d x.
    [[nodiscard]] CarriedState<N> at_input() const {
        auto const& first = layers_.front();
        if (first_source_ == 0) {
            auto const all = after<N>(steps_down(0), pool_);
            return after<N>(carried<N>(pool_rows_move(first.fan_in)), all);
        }
        auto const move = carried<N>(weight_move(first.fan_in, first.variance, first.kurtosis));
        return after<N>(move, outgoing(0, pool_above(0)));
    }

    struct Moments {
        R mean;
        R second;
        R diagonal;
    };
    static Moments values(CarriedState<N> const& state) {
        auto whole = state.extra;
        whole.multiply(state.mean);
        whole.multiply(state.mean);
        return {.mean = N::divided(state.numerators.mean, state.mean),
                .second = N::divided(state.numerators.squared, whole),
                .diagonal = N::divided(state.numerators.diagonal, whole)};
    }
    /// The first `count` layers.
    [[nodiscard]] std::vector<TransferStep<N>> steps_up(std::size_t count) const {
        std::vector<TransferStep<N>> out;
        for (std::size_t k = 0; k < count; ++k) out.push_back({.move = &up_[k]});
        return out;
    }
    /// The layers below the last one, down to the one at `least`.
    [[nodiscard]] std::vector<TransferStep<N>> steps_down(std::size_t least) const {
        std::vector<TransferStep<N>> out;
        for (std::size_t k = layers_.size() - 1; k-- > least;) out.push_back({.move = &down_[k]});
        return out;
    }
    /// The pool of the layers above the one at k.
    [[nodiscard]] CarriedState<N> pool_above(std::size_t k) const {
        return k + 2 < layers_.size() ? after<N>(steps_down(k + 1), pool_) : pool_;
    }
    /// B B^T of the layer at k.
    [[nodiscard]] CarriedState<N> outgoing(std::size_t k, CarriedState<N> const& pool) const {
        return k + 1 == layers_.size() ? output_ : after<N>(rows_[k], pool);
    }

    [[nodiscard]] LayerJacobian<R> jacobian(std::size_t k, CarriedState<N> const& below, CarriedState<N> const& pool,
                                            R const& target_second) const {
        auto const& layer = layers_[k];
        R bypass(0);
        R bypass_upper(0);
        if (k + 1 < layers_.size()) {
            // r = sum over layers l above of B_l^T W^(l, pool) y: E |B_k r|^2 = |y|^2 n g2 V, E ||B_k||^2 |r|^2 with U.
            auto whole = below.extra;
            whole.multiply(pool.extra);
            for (int twice = 0; twice < 2; ++twice) {
                whole.multiply(below.mean);
                whole.multiply(pool.mean);
            }
            bool const sees_all = k > 0 || first_source_ == 0;
            if (sees_all) {
                R const gain = layer.fan_out * layer.gate.moment(2);
                bypass = gain * N::divided(below.numerators.squared * pool.numerators.crossed, whole);
                bypass_upper = gain * N::divided(below.numerators.squared * pool.numerators.squared, whole);
            }
        }
        return layer_jacobian<N>({.input = below,
                                  .output = outgoing(k, pool),
                                  .variance = layer.variance,
                                  .kurtosis = layer.kurtosis,
                                  .bypass = bypass,
                                  .bypass_upper = bypass_upper,
                                  .outputs = layers_.back().fan_out},
                                 target_second);
    }

    std::vector<TransferLayer<R>> layers_;
    unsigned first_source_;
    R squared_norm_;
    R fourth_;
    CarriedState<N> input_;
    CarriedState<N> output_;            ///< B B^T of the last layer
    CarriedState<N> pool_;              ///< what the last layer puts into the pool
    std::vector<CarriedMove<N>> up_;    ///< forward, to the concatenation; the last one to y^L
    std::vector<CarriedMove<N>> down_;  ///< the pool, when a layer joins it
    std::vector<CarriedMove<N>> rows_;  ///< from the pool to B B^T
};

}  // namespace isserlis
