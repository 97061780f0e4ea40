// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/coordinate_moments.hpp>
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/network/scheme.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace isserlis {

/// One gradient step in a ReLU network of any variances, told by the step in the muP network of the same widths.
///
/// With W_l = c_l W'_l, W'_l of muP, and C_l = c_1 .. c_l: z^(l) = C_l z'^(l), and a step with the rates h_l towards y
/// moves it by C_l C^2 times what a step with the rates h_l/c_l^2 towards y/C moves z'^(l) by, C = C_(L+1).
///
/// Law     Gaussian weights, ReLU, a linear head: those of `mup_step`, but for the variances.
/// Shape   runs of any length; the label factors are the rates, in the NTK parametrisation rate times variance.
/// Errors  those of `mup_step`, when `net` is used.
/// Source  homogeneity of ReLU: docs/formulas/coordinate_moments.md
template <Field R>
class RescaledStep {
public:
    RescaledStep(FullyConnected<R, std::uint64_t> given, R const& target_second) : net_(std::move(given)) {
        auto& layers = net_.layers;
        if (layers.back().count > 1) {
            auto head = layers.back();
            --layers.back().count;
            head.count = 1;
            layers.push_back(head);
        }
        for (auto& run : layers) {
            R const mup =
                weight_variance(Scheme::mean_field, net_.activation, run.fan_in, run.fan_out, &run == &layers.back());
            factors_.push_back(run.variance / mup);
            run.variance = mup;
            run.label_factor = run.label_factor / factors_.back();
        }
        whole_ = growth(depth(net_));
        target_second_ = target_second / whole_;
    }

    /// The muP network with the rates that belong to it, and its E|y|^2.
    [[nodiscard]] FullyConnected<R, std::uint64_t> const& net() const { return net_; }
    [[nodiscard]] R const& target_second() const { return target_second_; }

    /// C_l^2.
    [[nodiscard]] R growth(std::uint64_t layer) const {
        R out(1);
        for (std::size_t i = 0; i < net_.layers.size() && layer > 0; ++i) {
            std::uint64_t const here = std::min(layer, net_.layers[i].count);
            out = out * power(factors_[i], here);
            layer -= here;
        }
        return out;
    }
    /// C^2.
    [[nodiscard]] R const& whole() const { return whole_; }

    /// It is muP's network itself.
    [[nodiscard]] bool is_mup() const {
        return std::all_of(factors_.begin(), factors_.end(), [](R const& factor) { return factor == R(1); });
    }

    /// A and B of layer l, and the fourth moment, from those of the muP network; the letters of muP's recursion are 0.
    [[nodiscard]] MupLayer<R> layer(std::uint64_t layer, MupLayer<R> const& mup) const {
        R const own = growth(layer);
        R const change = own * whole_ * whole_;
        return {.a = change * mup.a,
                .b = change * mup.b,
                .b_tilde = R(0),
                .c = R(0),
                .c_tilde = R(0),
                .fourth_power = own * own * mup.fourth_power};
    }

    /// Moments of layer l from those of the muP network.
    [[nodiscard]] CoordinateMoments<R> moments(std::uint64_t layer, CoordinateMoments<R> const& mup) const {
        R const own = growth(layer);
        return {.square = own * mup.square,
                .covariance = own * whole_ * mup.covariance,
                .change_square = own * whole_ * whole_ * mup.change_square};
    }

private:
    FullyConnected<R, std::uint64_t> net_;
    std::vector<R> factors_;  ///< c_l^2 of each run
    R whole_{1};
    R target_second_{1};
};

/// `coordinate_moments` in other variances than muP's.
///
/// Law, Shape, Errors, Source  those of `RescaledStep`; one run per layer.
template <Field R>
[[nodiscard]] std::vector<CoordinateMoments<R>> rescaled_moments(FullyConnected<R, std::uint64_t> const& net,
                                                                 R const& square, R const& target_second) {
    RescaledStep<R> const step(net, target_second);
    std::vector<CoordinateMoments<R>> out = coordinate_moments(step.net(), square, step.target_second());
    for (std::size_t l = 0; l < out.size(); ++l) out[l] = step.moments(l + 1, out[l]);
    return out;
}

}  // namespace isserlis
