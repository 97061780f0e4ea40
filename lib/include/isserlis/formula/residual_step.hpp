// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/coordinate_moments.hpp>
#include <isserlis/formula/pairing_moves.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// A residual network between plain matrices, or any series of stages.
template <class R>
struct SteppedNetwork {
    R input_width;
    std::vector<SteppedStage<R>> stages;  ///< the lowest first
    Gate<R> gate{};                       ///< of all
};

namespace residual_detail {

/// Errors  those of ResidualStep about stages.
template <class R>
SteppedNetwork<R> const& checked(SteppedNetwork<R> const& net) {
    if (net.stages.empty()) throw DomainError("residual_step: there are no blocks", "widths");
    R below = net.input_width;
    for (auto const& stage : net.stages) {
        if (stage.matrices.empty() || stage.count == 0)
            throw DomainError("residual_step: a block without matrices", "widths");
        if ((stage.skip || stage.count > 1) && !(stage.matrices.back().width == below))
            throw DomainError("residual_step: a block is skipped or repeated between different widths", "widths");
        below = stage.matrices.back().width;
    }
    return net;
}

/// What the invariants of K matrices become from stage to stage.
template <std::size_t K, class R>
class Sweep {
public:
    static constexpr std::size_t size = pairing_detail::invariant_count<K>;

    Sweep(std::vector<SteppedStage<R>> const& stages, Gate<R> const& gate, bool with_labels) {
        for (auto const& stage : stages)
            steps_.push_back(chain_step(pairing_move<K>(stage, gate, with_labels), stage.count));
    }
    /// After the first `passed` of the stages.
    [[nodiscard]] ChainState<R, size> after_stages(std::uint64_t passed, std::array<R, size> const& start) const {
        std::vector<ChainStep<R, size>> taken;
        for (auto const& step : steps_) {
            if (passed == 0) break;
            taken.push_back(step);
            taken.back().count = std::min(passed, step.count);
            passed -= taken.back().count;
        }
        return after(taken, chain_state(start));
    }

private:
    std::vector<ChainStep<R, size>> steps_;
};

/// From the outputs down: the transposed matrices, without labels.
template <class R>
std::vector<SteppedStage<R>> turned(SteppedNetwork<R> const& net) {
    std::vector<SteppedStage<R>> out;
    R fan_in = net.input_width;
    for (auto const& stage : net.stages) {
        SteppedStage<R> turned{.matrices = {}, .skip = stage.skip, .count = stage.count};
        for (auto const& matrix : stage.matrices) {
            turned.matrices.insert(turned.matrices.begin(), {.width = fan_in, .variance = matrix.variance});
            fan_in = matrix.width;
        }
        out.insert(out.begin(), std::move(turned));
    }
    return out;
}

}  // namespace residual_detail

/// Second moments of what a layer between two stages carries and of its change in one gradient step on 1/2 |f - y|^2, one
/// sample, to first order in the step: of each of its neurons.
///
/// Law     Gaussian weights, gates fair coins, no gate at the ends of a stage; y independent of the weights, of mean 0
///         and equal second moments. Rates are the label factors: Delta W = - rate dL/dW.
/// Shape   stages of matrices, with a skip where their ends are of equal width; `at` counts stages from the input, its last
///         layer is the output. Quasi-linear in the size of the answer.
/// Errors  DomainError for a skip between different widths, no stages or matrices, and a layer that does not exist.
/// Source  docs/formulas/residual_step.md
template <Field R>
class ResidualStep {
public:
    ResidualStep(SteppedNetwork<R> const& net, R const& square, R const& target_second)
        : net_(residual_detail::checked(net)),
          square_(square),
          target_second_(target_second),
          pairs_(net.stages, net.gate, true),
          fours_(net.stages, net.gate, true),
          sixes_(net.stages, net.gate, true),
          pairs_above_(residual_detail::turned(net), net.gate, false),
          fours_above_(residual_detail::turned(net), net.gate, false) {
        for (auto const& stage : net.stages) layers_ += stage.count;
    }

    [[nodiscard]] std::uint64_t layers() const { return layers_; }

    [[nodiscard]] CoordinateMoments<R> at(std::uint64_t layer) const {
        if (layer == 0 || layer > layers_)
            throw DomainError(
                "residual_step: layer = " + std::to_string(layer) + "; layers are 1 .. " + std::to_string(layers_),
                "layer");
        R const n = width(layer);
        auto const two = pairs_.after_stages(layer, from_input<1>());
        auto const four = fours_.after_stages(layer, from_input<2>());
        auto const six = sixes_.after_stages(layer, from_input<3>());
        // S = (df/dy)^T df/dy of what is above: E S_ab S_cd = x d_ab d_cd + w (d_ac d_bd + d_ad d_bc).
        R const outputs = net_.stages.back().matrices.back().width;
        auto const trace = pairs_above_.after_stages(layers_ - layer, {R(0), outputs}).value(1);
        auto const above =
            fours_above_.after_stages(layers_ - layer, {R(0), R(0), R(0), R(outputs * outputs), outputs});
        R const squared = above.value(3);
        bool const one = n == R(1);
        R const w = one ? R(0) : R((above.value(4) - squared / n) / ((n - R(1)) * (n + R(2))));
        R const x = R(squared - R(2) * n * w) / (n * n);
        R const of_targets = target_second_ / outputs * trace / n * four.value(4);
        return {.square = two.value(0) / n,
                .covariance = R(0) - trace / n * four.value(2) / n,
                .change_square = ((x + w) * six.value(6) + w * six.value(4) + of_targets) / n};
    }

    /// E K_oo of the tangent kernel, whose labels are the rates.
    [[nodiscard]] R kernel_mean() const {
        return pairs_.after_stages(layers_, from_input<1>()).value(1) / net_.stages.back().matrices.back().width;
    }

private:
    template <std::size_t K>
    [[nodiscard]] std::array<R, pairing_detail::invariant_count<K>> from_input() const {
        std::array<R, pairing_detail::invariant_count<K>> out;
        out.fill(R(0));
        out[0] = power(square_, static_cast<unsigned>(K));
        return out;
    }
    [[nodiscard]] R const& width(std::uint64_t layer) const {
        for (auto const& stage : net_.stages) {
            if (layer <= stage.count) return stage.matrices.back().width;
            layer -= stage.count;
        }
        return net_.stages.back().matrices.back().width;
    }

    SteppedNetwork<R> net_;
    R square_;
    R target_second_;
    std::uint64_t layers_ = 0;
    residual_detail::Sweep<1, R> pairs_;
    residual_detail::Sweep<2, R> fours_;
    residual_detail::Sweep<3, R> sixes_;
    residual_detail::Sweep<1, R> pairs_above_;
    residual_detail::Sweep<2, R> fours_above_;
};

}  // namespace isserlis
