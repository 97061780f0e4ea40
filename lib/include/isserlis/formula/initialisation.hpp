// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/biased_norm.hpp>
#include <isserlis/network/check_layers.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <cmath>
#include <vector>

namespace isserlis {

/// Size of the first update of layer l relative to its weights, over the same of layer 1:
/// (E|dP_l|^2 / E|P_l|^2) / (E|dP_1|^2 / E|P_1|^2) = (v_1^2 d_1 d_0/h_1^2) / (v_l^2 d_l d_(l-1)/h_l^2),
/// dP_l = h_l times the gradient by P_l, h_l the label factor.
///
/// Law     E|dP_l|^2 v_l is the same for all l for constant loss gradients in a deep linear network; in a crelu network
///         for layers l >= 2, and for l = 1 too when one sample is used and |dP|^2 + |dN|^2 is meant. It is 1 for all l
///         exactly under the proportional scheme, without label factors. h_l = v_l is a step of unit parameters.
/// Shape   v, h, fan_in, fan_out of layer l (first) and of layer 1 (second).
/// Errors  none.
/// Source  [Hettinger 2019, Thm 4.6], whose scope is narrower than printed (docs/errata.md, H17).
template <Field R, class Count>
[[nodiscard]] R update_ratio(LayerRun<R, Count> const& layer, LayerRun<R, Count> const& first) {
    R const slower = first.variance * layer.label_factor;
    R const faster = layer.variance * first.label_factor;
    return (slower * slower * first.fan_in * first.fan_out) / (faster * faster * layer.fan_in * layer.fan_out);
}

/// The same with random biases, which the step leaves, for one input with |x|^2 = `square`: biases make E |h^(l-1)|^2, what
/// E|dP_l|^2 is proportional to, larger.
///
/// Law     independent symmetric weights and biases of the stated variances; constant loss gradients. A row of weights
///         and its bias change sign together: gates are fair and independent of the layers below.
/// Shape   the layers up to l, which is the last one.
/// Errors  those of `biased_norm_moments`.
/// Source  docs/formulas/initialisation.md
template <Field R, class Count>
[[nodiscard]] R biased_update_ratio(FullyConnected<R, Count> net, R const& square) {
    auto const& layer = net.layers.back();
    R const plain = update_ratio(layer, net.layers.front());
    R const own = layer.bias ? R(layer.bias->variance * layer.fan_out) : R(0);
    // Of |z^l|^2 what the weights make, v d_l E|h|^2.
    R const with = biased_norm_moments(net, square, Reading::preactivation, 1)[1] - own;
    for (auto& run : net.layers) run.bias.reset();
    return plain * with / biased_norm_moments(net, square, Reading::preactivation, 1)[1];
}

/// E |x_n|^2 / |x_0|^2: the growth of the squared norm from the input to the output.
///
/// Law     independent symmetric weights of the stated variances, one input; a gate of slope s keeps (1 + s^2)/2.
/// Shape   layers 1 .. n; the head is gated when `gated_head`.
/// Errors  those of `check_layers`.
/// Source  [Hettinger 2019, Cor 4.7] for any variances; with gates [Residual 2019, eq. (62)].
template <Field R, class Count>
[[nodiscard]] R squared_norm_gain(FullyConnected<R, Count> const& net) {
    check_layers(net, "squared_norm_gain");
    R const g2 = net.activation.gate().moment(2);
    std::vector<R> factors;
    for (auto const& run : net.layers) factors.push_back(power(R(run.variance * run.fan_out * g2), run.count));
    R const all_gated = product_tree(factors);
    return net.gated_head ? all_gated : all_gated / g2;
}

/// E (1/s) sum_k (x_(n,j)^k)^2, the expected mean square of one output coordinate over a standardised data set.
///
/// Law     as `squared_norm_gain`; standardised data have mean |x_0|^2 = d_0 c^2. Outputs are Gaussian only given the
///         layer below; their kurtosis is 3 prod (1 + 2/d_r) in a linear network.
/// Units   c is the scale of the data.
/// Errors  those of `check_layers`.
/// Source  [Hettinger 2019, Lemma 4.11], corrected: c^2 sqrt(d_0/d_n) for the proportional scheme.
template <Field R, class Count>
[[nodiscard]] R output_variance(FullyConnected<R, Count> const& net, R const& c) {
    R const gain = squared_norm_gain(net);
    return gain * net.input_width() * c * c / net.output_width();
}

/// The same with random biases, of one input or of data with mean |x|^2 = d_0 c^2.
///
/// Law, Units  as above; of the biases the variances alone enter.
/// Errors  those of `biased_norm_moments`.
template <Field R, class Count>
[[nodiscard]] R biased_output_variance(FullyConnected<R, Count> const& net, R const& c) {
    Reading const reading = net.gated_head ? Reading::activation : Reading::preactivation;
    R const square = net.input_width() * c * c;
    return biased_norm_moments(net, square, reading, 1)[1] / net.output_width();
}

/// The same as printed, c^2/sqrt(d_0 d_n): too small by a factor d_0 (docs/errata.md, H3).
template <Field R>
[[nodiscard]] R output_variance_printed(R const& input_width, R const& output_width, R const& c) {
    using std::sqrt;
    return c * c / (sqrt(input_width) * sqrt(output_width));
}

}  // namespace isserlis
