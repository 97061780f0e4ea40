// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/chain_jacobian.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace isserlis {

/// Jacobians of vanilla and residual networks with Gaussian weights, in closed form at any depth, symbols included.
///
/// Law     Gaussian weights; else as `ChainJacobian`. The kurtosis of the layers is not read.
/// Shape   any Field of widths and variances, any Count of stages (a number or an Exponent).
/// Units   `squared_norm` = |x|^2.
/// Errors  those of `check_stages`.
/// Source  [Residual 2019, eq. (76)], eq. (93) to (95) for y; docs/formulas/gaussian_jacobian.md for J: every move has
/// the eigenvectors (1, 1) and (2, -1) of (a, b). A layer of
/// n
///         neurons has n(n-1) g2^2 + 3 n g4 and n(n-1) g2^2 there, a skip adds 1 + 2 mu (1 + 2/n) and 1 + 2 mu (1 -
///         1/n).
template <Field R, class Count>
class GaussianJacobian {
public:
    GaussianJacobian(std::vector<TransferStage<R, Count>> stages, R squared_norm)
        : blocks_(std::move(stages)), squared_norm_(std::move(squared_norm)) {
        check_stages(blocks_, "GaussianJacobian");
        for (auto const& stage : blocks_) gains_.push_back(whole(stage));
    }

    /// Moments of |y^L|^2.
    [[nodiscard]] NormMoments<R> output() const {
        Gains const g = between(all_below());
        return moments(squared_norm_ * g.mean, R(squared_norm_ * squared_norm_ * g.plus));
    }

    /// Moments of ||d y^L / d x||^2.
    [[nodiscard]] NormMoments<R> input_jacobian() const {
        Gains const g = to_input();
        return moments(g.mean, squared(g));
    }

    /// E tr((J J^T)^2) of J = d y^L / d x.
    [[nodiscard]] R input_spectral_second() const { return crossed(to_input()); }

    /// One matrix. `target_second` = E y_i^2 of each target.
    [[nodiscard]] LayerJacobian<R> at(StagePlace<Count> const& place, R const& target_second) const {
        auto const& stage = blocks_[place.run];
        std::size_t const j = place.matrix - 1;
        std::vector<Run> below;
        for (std::size_t r = 0; r < place.run; ++r) below.push_back({&gains_[r], blocks_[r].count});
        below.push_back({&gains_[place.run], place.within - Count(1)});
        std::vector<Run> above{{&gains_[place.run], stage.count - place.within}};
        for (std::size_t r = place.run + 1; r < blocks_.size(); ++r) above.push_back({&gains_[r], blocks_[r].count});

        Gains before;  // of the branch below W
        for (std::size_t i = 0; i < j; ++i) before = times(before, layer(stage.layers[i]));
        Gains after = neurons(stage.layers[j].fan_out, stage.layers[j].gate);  // at W and above it
        for (std::size_t i = j + 1; i < stage.layers.size(); ++i) after = times(after, layer(stage.layers[i]));

        Gains const up = between(below, before);
        Gains const down = between(above, after);
        R const mean = squared_norm_ * up.mean * down.mean;
        R const fourth = squared_norm_ * squared_norm_ * up.plus;
        R const& v = stage.layers[j].variance;
        LayerJacobian<R> out;
        out.jacobian = moments(mean, R(fourth * squared(down)));
        out.reduced = moments(R(v * mean), R(v * v * fourth * down.plus));
        out.gradient_squared_mean = v * fourth * crossed(down) + target_second * mean;
        out.gradient_squared_upper =
            v * out.jacobian.second + blocks_.back().layers.back().fan_out * target_second * mean;
        if (stage.skip) {
            R const& n = stage.layers[0].fan_in;
            Gains const outside = between(above, neurons(n, Gate<R>::open()));
            R const around = before.mean * after.mean / n;  // of the branch without W
            R const below_fourth = squared_norm_ * squared_norm_ * between(below).plus;
            out.gradient_squared_mean = out.gradient_squared_mean + around * below_fourth * crossed(outside) / n;
            out.gradient_squared_upper = out.gradient_squared_upper + around * below_fourth * squared(outside) / n;
        }
        return out;
    }

private:
    /// What multiplies m and the two eigenvectors.
    struct Gains {
        R mean = R(1);
        R plus = R(1);
        R minus = R(1);
    };
    struct Run {
        Gains const* gains;
        Count count;
    };

    static Gains times(Gains const& x, Gains const& y) {
        return {.mean = x.mean * y.mean, .plus = x.plus * y.plus, .minus = x.minus * y.minus};
    }
    /// The sum over n neurons behind gates.
    static Gains neurons(R const& n, Gate<R> const& gate) {
        R const g2 = gate.moment(2);
        R const g4 = gate.moment(4);
        R const pairs = n * (n - R(1)) * g2 * g2;
        return {.mean = n * g2, .plus = simplified(R(pairs + R(3) * n * g4)), .minus = simplified(pairs)};
    }
    static Gains layer(TransferLayer<R> const& l) {
        R const square = l.variance * l.variance;
        return times({.mean = l.variance, .plus = square, .minus = square}, neurons(l.fan_out, l.gate));
    }
    static Gains whole(TransferStage<R, Count> const& stage) {
        Gains out;
        for (auto const& l : stage.layers) out = times(out, layer(l));
        if (!stage.skip) return out;
        R const& n = stage.layers.front().fan_in;
        R const two = out.mean + out.mean;
        return {.mean = R(1) + out.mean,
                .plus = simplified(R(R(1) + two * (n + R(2)) / n + out.plus)),
                .minus = simplified(R(R(1) + two * (n - R(1)) / n + out.minus))};
    }
    [[nodiscard]] Gains to_input() const {
        return between(all_below(), neurons(blocks_.front().layers.front().fan_in, Gate<R>::open()));
    }
    [[nodiscard]] std::vector<Run> all_below() const {
        std::vector<Run> out;
        for (std::size_t r = 0; r < blocks_.size(); ++r) out.push_back({&gains_[r], blocks_[r].count});
        return out;
    }
    static Gains between(std::vector<Run> const& runs, Gains const& rest = {}) {
        std::vector<R> mean{rest.mean};
        std::vector<R> plus{rest.plus};
        std::vector<R> minus{rest.minus};
        for (auto const& [gains, count] : runs) {
            if (count == Count(0)) continue;
            mean.push_back(power(gains->mean, count));
            plus.push_back(power(gains->plus, count));
            minus.push_back(gains->minus == R(0) ? R(0) : power(gains->minus, count));
        }
        return {.mean = product_tree(mean), .plus = product_tree(plus), .minus = product_tree(minus)};
    }

    /// The identity of the outputs is (1/3)(1, 1) and (1/3)(2, -1) times the gains of its neurons.
    static R squared(Gains const& g) { return (g.plus + R(2) * g.minus) / R(3); }
    static R crossed(Gains const& g) { return (g.plus - g.minus) / R(3); }
    static NormMoments<R> moments(R const& mean, R const& second) {
        return {.mean = mean, .second = second, .variance = second - mean * mean};
    }

    std::vector<TransferStage<R, Count>> blocks_;
    R squared_norm_;
    std::vector<Gains> gains_;
};

}  // namespace isserlis
