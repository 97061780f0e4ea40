// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/check_layers.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>

namespace isserlis {

/// Number of weights, sum_l d_(l-1) d_l; twice that for concatenated ReLU, which has P and N. With biases sum_l d_l more.
/// Errors  those of `check_widths`.
/// Source  definition; with biases [Liquet 2024, eqs. (5.5), (5.6)].
template <Ring R, class Count>
[[nodiscard]] R parameter_count(FullyConnected<R, Count> const& net, bool biases = false) {
    check_widths(net.layers, "parameter_count");
    R weights(0);
    R neurons(0);
    for (auto const& run : net.layers) {
        R const layer = from_count<R>(run.count) * run.fan_out;
        weights = weights + layer * run.fan_in;
        neurons = neurons + layer;
    }
    if (net.activation.is_concatenated()) weights = R(2) * weights;
    return biases ? R(weights + neurons) : weights;
}

template <Ring R>
struct MinimalWidthBounds {
    R lower;
    R upper;
};

/// Bounds on the least hidden width w with which ReLU networks of any depth approximate every continuous function
/// from [0,1]^d_in to R^d_out: d_in + 1 <= w <= d_in + d_out.
/// Errors  none.
/// Source  [Hanin 2017, Thm 1], quoted as [Hettinger 2019, Thm 3.6].
template <Ring R>
[[nodiscard]] MinimalWidthBounds<R> minimal_width(R const& inputs, R const& outputs) {
    return {.lower = inputs + R(1), .upper = inputs + outputs};
}

}  // namespace isserlis
