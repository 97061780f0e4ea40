// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/check_layers.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <cmath>
#include <vector>

namespace isserlis {

template <Ring R>
struct ScalingFactor {
    R width_sum;      ///< sum_i sqrt(d_(i-1) d_i), proportional to the expected slope
    R depth_product;  ///< prod_(k<n) (1 + 2/d_k)
    /// S_N = width_sum * depth_product.
    [[nodiscard]] R value() const { return width_sum * depth_product; }
};

/// The scaling factor S_N of a network: greedy learning rates of two networks on the same data are about as 1/S_N.
///
/// Law     derived for a deep linear network with proportional initialisation and constant loss gradients; for other
///         networks it is a rule of thumb (docs/formulas/scaling_factor.md has figures).
/// Shape   weight layers with widths d_0 .. d_n; comparisons need equal d_0, d_n and equal data.
/// Units   pure numbers.
/// Errors  those of `check_widths`.
/// Source  [Hettinger 2019, Def 4.23].
template <Field R, class Count>
[[nodiscard]] ScalingFactor<R> scaling_factor(std::vector<LayerRun<R, Count>> const& layers) {
    using std::sqrt;
    check_widths(layers, "scaling_factor");
    std::vector<R> roots;
    std::vector<R> growth;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto const& run = layers[i];
        R const root = run.fan_in == run.fan_out ? run.fan_in : R(sqrt(run.fan_in) * sqrt(run.fan_out));
        roots.push_back(from_count<R>(run.count) * root);
        Count const inner = i == 0 ? run.count - Count(1) : run.count;
        if (!(inner == Count(0))) growth.push_back(power(R((run.fan_in + R(2)) / run.fan_in), inner));
    }
    // Balanced, so that long sums of unlike roots merge in n log n.
    for (std::size_t stride = 1; stride < roots.size(); stride *= 2) {
        for (std::size_t i = 0; i + stride < roots.size(); i += 2 * stride) roots[i] = roots[i] + roots[i + stride];
    }
    return {.width_sum = roots.front(), .depth_product = product_tree(growth)};
}

}  // namespace isserlis
