// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/layer_jacobian.hpp>
#include <isserlis/network/check_graph.hpp>
#include <isserlis/network/graph.hpp>
#include <isserlis/network/known.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// A weight matrix and the neurons it leads to.
template <Ring R>
struct TransferLayer {
    R fan_in;
    R fan_out;
    R variance;
    R kurtosis;
    Gate<R> gate{R(1), R(1)};  ///< above the matrix: open
    static constexpr auto members =
        std::tuple{&TransferLayer::fan_in, &TransferLayer::fan_out, &TransferLayer::variance, &TransferLayer::kurtosis,
                   &TransferLayer::gate};
};

/// `count` equal stages in series: matrices in a row, with the identity around them or without it.
template <Ring R, class Count = std::uint64_t>
struct TransferStage {
    std::vector<TransferLayer<R>> layers;
    bool skip = false;
    Count count = Count(1);
    static constexpr auto members = std::tuple{&TransferStage::layers, &TransferStage::skip, &TransferStage::count};
};

/// A matrix of such a network: that number `matrix` of stage number `within` of run number `run`.
template <class Count = std::uint64_t>
struct StagePlace {
    std::size_t run = 0;
    Count within = Count(1);  ///< from 1
    std::size_t matrix = 1;   ///< from 1
};

/// A weight edge of a graph and the node it leads to.
template <Ring R>
[[nodiscard]] TransferLayer<R> transfer_layer(R const& fan_in, GraphEdge<R> const& edge, GraphNode<R> const& node) {
    return {.fan_in = fan_in,
            .fan_out = node.width,
            .variance = edge.variance,
            .kurtosis = edge.law.kurtosis(),
            .gate = node.gate.value_or(Gate<R>::open())};
}

/// A graph of stages in series, as `chain_graph` and `residual_graph` build them.
///
/// Errors  those of `check_graph`; UnsupportedError for any other graph.
template <Ring R, class Count>
[[nodiscard]] std::vector<TransferStage<R, Count>> transfer_stages(Graph<R, Count> const& graph) {
    check_graph(graph);
    std::vector<TransferStage<R, Count>> out;
    R below = graph.input_width;
    for (auto const& stage : graph.stages) {
        std::size_t const matrices = stage.nodes.size();
        bool const skip = stage.edges.size() == matrices + 1;
        bool known = skip || stage.edges.size() == matrices;
        TransferStage<R, Count> b{.layers = {}, .skip = skip, .count = stage.count};
        R fan_in = below;
        for (std::size_t j = 0; known && j < stage.edges.size(); ++j) {
            auto const& edge = stage.edges[j];
            bool const is_skip = j == matrices;
            known = edge.from == (is_skip ? 0 : j) && edge.to == (is_skip ? matrices : j + 1) &&
                    (edge.kind == GraphEdge<R>::Kind::skip) == is_skip;
            if (!known || is_skip) continue;
            b.layers.push_back(transfer_layer(fan_in, edge, stage.nodes[j]));
            fan_in = stage.nodes[j].width;
        }
        if (!known)
            throw UnsupportedError("transfer_stages: the graph is not a series of layers and branches", "network");
        below = fan_in;
        out.push_back(std::move(b));
    }
    return out;
}

namespace transfer_check_detail {

[[noreturn]] inline void refuse(std::string const& formula, std::string const& why) {
    throw DomainError(formula + ": " + why, "layers");
}

template <Ring R>
void check_layer(TransferLayer<R> const& layer, std::string const& formula) {
    for (R const* width : {&layer.fan_in, &layer.fan_out}) {
        if (!may_be_width(*width))
            refuse(formula, "a layer has the width " + shown(*width) + "; a whole number from 1 is required");
    }
    if (!may_be_positive(layer.variance))
        refuse(formula, "a weight variance is " + shown(layer.variance) + "; it has to be positive");
    if (!may_be_at_least_zero(R(layer.kurtosis - R(1))))
        refuse(formula, "a kurtosis is " + shown(layer.kurtosis) + "; it is at least 1");
}

}  // namespace transfer_check_detail

/// What formulas of stages in series rely on. Of symbols only what is certain is refused.
///
/// Errors  DomainError for no stages or layers, widths that are not whole or do not agree, also around a skip and
///         between copies of a stage, variances that are not positive, and kurtoses below 1.
template <Ring R, class Count>
void check_stages(std::vector<TransferStage<R, Count>> const& stages, std::string const& formula) {
    using transfer_check_detail::refuse;
    if (stages.empty()) refuse(formula, "there are no blocks; at least one is required");
    R const* below = nullptr;
    for (auto const& stage : stages) {
        if (stage.layers.empty()) refuse(formula, "a block has no layers; at least one is required");
        if (!may_be_count(stage.count)) refuse(formula, "a block occurs " + shown(stage.count) + " times");
        bool const repeated = !(stage.count == Count(1));
        for (auto const& layer : stage.layers) {
            transfer_check_detail::check_layer(layer, formula);
            if (below != nullptr && !(*below == layer.fan_in))
                refuse(formula, "a layer has fan_in = " + shown(layer.fan_in) + " above " + shown(*below) + " neurons");
            below = &layer.fan_out;
        }
        if ((stage.skip || repeated) && !(stage.layers.front().fan_in == *below))
            refuse(formula, "a block leads from " + shown(stage.layers.front().fan_in) + " neurons to " +
                                shown(*below) + "; skips and repeated blocks need equal numbers");
    }
}

/// Jacobians of vanilla and residual networks: stages in series.
///
/// Law     independent layers of i.i.d. symmetric weights of any kurtosis; no pre-activation is exactly 0, or ties by a
///         fair coin; no biases, one fixed input. Concatenated ReLU is slope 1: its process and its Jacobians, summed
///         over P and N, have the law of the linear network.
/// Shape   N says how numbers are carried: Fractions<Rational>, Fractions<Surd>, Fractions<RationalFunction>.
///         The last matrix of a stage with a skip leads to as many neurons as the stage starts from, without gates.
/// Units   |x|^2 and sum x_i^4 as given; the latter enters only where a kurtosis is not 3.
/// Errors  those of `check_stages`.
/// Source  docs/formulas/chain_jacobian.md; Gaussian weights: [Residual 2019, eq. (76)], eq. (93) to (95)
template <class N>
class ChainJacobian {
public:
    using R = typename N::Value;

    ChainJacobian(std::vector<TransferStage<R>> stages, R const& squared_norm, R const& fourth)
        : blocks_((check_stages(stages, "ChainJacobian"), std::move(stages))),
          input_(carried<N>(input_state(squared_norm, fourth))),
          output_(carried<N>(output_state(blocks_.back().layers.back().fan_out))) {
        for (auto const& stage : blocks_) moves_.push_back(moves_of(stage));
    }

    /// Moments of |y^L|^2.
    [[nodiscard]] NormMoments<R> output() const {
        std::vector<TransferStep<N>> steps;
        for (std::size_t r = 0; r < blocks_.size(); ++r)
            steps.push_back({.move = &moves_[r].forward, .count = blocks_[r].count});
        return detail::trace_moments<N>(after<N>(steps, input_));
    }

    /// Moments of ||d y^L / d x||^2.
    [[nodiscard]] NormMoments<R> input_jacobian() const { return detail::trace_moments<N>(at_input()); }

    /// E tr((J J^T)^2) of J = d y^L / d x.
    [[nodiscard]] R input_spectral_second() const { return detail::crossed_moment<N>(at_input()); }

    /// One matrix, in time quasi-linear in the size of the answer.
    [[nodiscard]] LayerJacobian<R> at(StagePlace<> const& place, R const& target_second) const {
        auto const [below, above] = around(place);
        return jacobian(place, below, above, target_second);
    }

    /// ||d y^L / d P||^2 of concatenated ReLU, by the weights P alone: x has its negative coordinates left out.
    ///
    /// Law     the signs of x are fair coins, as those of the pre-activations of a layer without a skip are: W is
    /// neither
    ///         the first matrix of the network nor of a residual branch.
    /// Source  docs/formulas/chain_jacobian.md: E||J||^4 = (E|x|^4 + E sum x_i^4) E||B||^4/4
    [[nodiscard]] NormMoments<R> positive_part(StagePlace<> const& place) const {
        auto const [below, above] = around(place);
        std::size_t const j = place.matrix - 1;
        auto const half = carried<N>(gate_move(Gate<R>{}));
        auto x = after<N>(half, after<N>(moves_[place.run].to_input[j], below));
        auto const g = after<N>(moves_[place.run].to_output[j], above);
        x.mean.multiply(g.mean);
        x.extra.multiply(g.extra);
        return detail::norm_moments<N>(x.numerators.mean * g.numerators.mean,
                                       x.numerators.squared * g.numerators.squared, x.mean, x.extra);
    }

    /// Calls f(place, LayerJacobian) for every matrix from the input up: one sweep down and one up.
    template <class F>
    void for_each(R const& target_second, F const& f) const {
        std::vector<CarriedState<N>> above;  // of the stages from the last one down
        CarriedState<N> state = output_;
        for (std::size_t r = blocks_.size(); r-- > 0;) {
            for (std::uint64_t i = 0; i < blocks_[r].count; ++i) {
                above.push_back(state);
                state = after<N>(moves_[r].backward, state);
            }
        }
        state = input_;
        for (std::size_t r = 0; r < blocks_.size(); ++r) {
            for (std::uint64_t i = 1; i <= blocks_[r].count; ++i) {
                for (std::size_t j = 1; j <= blocks_[r].layers.size(); ++j) {
                    StagePlace<> const place{.run = r, .within = i, .matrix = j};
                    f(place, jacobian(place, state, above.back(), target_second));
                }
                above.pop_back();
                state = after<N>(moves_[r].forward, state);
            }
        }
    }

private:
    struct Moves {
        CarriedMove<N> forward;  ///< over the whole stage
        CarriedMove<N> backward;
        std::vector<CarriedMove<N>> to_input;   ///< from the stage's input to that of a matrix
        std::vector<CarriedMove<N>> to_output;  ///< from the stage's output to B B^T of a matrix
        std::vector<R> mean_gain;               ///< of the other matrices of the branch, around a matrix
    };

    static Moves moves_of(TransferStage<R> const& stage) {
        auto const& layers = stage.layers;
        Moves out;
        std::vector<TransferMove<R>> below(1);
        for (auto const& l : layers)
            below.push_back(gate_move(l.gate) * (weight_move(l.fan_out, l.variance, l.kurtosis) * below.back()));
        std::vector<TransferMove<R>> above(layers.size());  // to B B^T, gates included
        TransferMove<R> down;
        for (std::size_t j = layers.size(); j-- > 0;) {
            above[j] = gate_move(layers[j].gate) * down;
            down = weight_move(layers[j].fan_in, layers[j].variance, layers[j].kurtosis) * above[j];
        }
        for (std::size_t j = 0; j < layers.size(); ++j) {
            out.to_input.push_back(carried<N>(below[j]));
            out.to_output.push_back(carried<N>(above[j]));
            out.mean_gain.push_back(below[j].mean * above[j].mean);
        }
        TransferMove<R> up = below.back();
        if (stage.skip) {
            R const inverse = R(1) / layers.front().fan_in;
            up = skip_move(inverse, up);
            down = skip_move(inverse, down);
        }
        out.forward = carried<N>(up);
        out.backward = carried<N>(down);
        return out;
    }

    /// The state of J J^T, J = d y^L / d x.
    [[nodiscard]] CarriedState<N> at_input() const {
        std::vector<TransferStep<N>> steps;
        for (std::size_t r = blocks_.size(); r-- > 0;)
            steps.push_back({.move = &moves_[r].backward, .count = blocks_[r].count});
        return after<N>(steps, output_);
    }

    /// The states of the input and of the output of the stage at `place`.
    [[nodiscard]] std::pair<CarriedState<N>, CarriedState<N>> around(StagePlace<> const& place) const {
        std::vector<TransferStep<N>> below;
        for (std::size_t r = 0; r < place.run; ++r)
            below.push_back({.move = &moves_[r].forward, .count = blocks_[r].count});
        if (place.within > 1) below.push_back({.move = &moves_[place.run].forward, .count = place.within - 1});
        std::vector<TransferStep<N>> above;
        for (std::size_t r = blocks_.size(); r-- > place.run + 1;)
            above.push_back({.move = &moves_[r].backward, .count = blocks_[r].count});
        std::uint64_t const left = blocks_[place.run].count - place.within;
        if (left > 0) above.push_back({.move = &moves_[place.run].backward, .count = left});
        return {after<N>(below, input_), after<N>(above, output_)};
    }

    /// The matrix between the state of its stage's input and that of d y/d(its stage's output).
    [[nodiscard]] LayerJacobian<R> jacobian(StagePlace<> const& place, CarriedState<N> const& below,
                                            CarriedState<N> const& above, R const& target_second) const {
        auto const& stage = blocks_[place.run];
        auto const& moves = moves_[place.run];
        std::size_t const j = place.matrix - 1;
        R bypass(0);
        R bypass_upper(0);
        if (stage.skip) {
            // r = H^T y: E |x|^2 |B r|^2 = (gain of the branch around W) E|y|^4 E tr(H H^T)^2 / n; for ||B||^2 |r|^2 it
            // is (tr H H^T)^2.
            auto whole = below.extra;
            whole.multiply(above.extra);
            for (int twice = 0; twice < 2; ++twice) {
                whole.multiply(below.mean);
                whole.multiply(above.mean);
            }
            R const gain = moves.mean_gain[j] / stage.layers[0].fan_in;
            bypass = gain * N::divided(below.numerators.squared * above.numerators.crossed, whole);
            bypass_upper = gain * N::divided(below.numerators.squared * above.numerators.squared, whole);
        }
        return layer_jacobian<N>({.input = after<N>(moves.to_input[j], below),
                                  .output = after<N>(moves.to_output[j], above),
                                  .variance = stage.layers[j].variance,
                                  .kurtosis = stage.layers[j].kurtosis,
                                  .bypass = bypass,
                                  .bypass_upper = bypass_upper,
                                  .outputs = blocks_.back().layers.back().fan_out},
                                 target_second);
    }

    std::vector<TransferStage<R>> blocks_;
    std::vector<Moves> moves_;
    CarriedState<N> input_;
    CarriedState<N> output_;
};

}  // namespace isserlis
