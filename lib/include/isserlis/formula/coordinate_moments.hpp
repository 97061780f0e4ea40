// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/formula/ntk_moments.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isserlis {

/// Second moments of one pre-activation z_i of a layer and of its change in one step; E z_i is 0.
template <class R>
struct CoordinateMoments {
    R square;         ///< E z_i^2
    R covariance;     ///< E z_i Delta z_i
    R change_square;  ///< E (Delta z_i)^2

    /// E (z_i + Delta z_i)^2
    [[nodiscard]] R updated_square() const { return square + R(2) * covariance + change_square; }
    friend bool operator==(CoordinateMoments const&, CoordinateMoments const&) = default;
};

namespace coordinate_detail {

/// Of a hidden layer of muP, from its functionals and its step.
template <class R>
CoordinateMoments<R> hidden(FullyConnected<R, std::uint64_t> const& net, R const& square, YFunctionals<R> const& y,
                            MupLayer<R> const& step) {
    // From layer l to the outputs and back two strands carry N/(n_l n_L) and the gate of layer l 1/2.
    R const n = net.layers.back().fan_in;
    return {.square = R(2) * square / net.input_width(),
            .covariance = R(0) - net.output_width() * y.y1 / (R(2) * n),
            .change_square = step.change_squared()};
}

/// Of the output layer, from the functionals of the last hidden one.
template <class R>
CoordinateMoments<R> output(FullyConnected<R, std::uint64_t> const& net, R const& square, R const& target_second,
                            YFunctionals<R> const& below) {
    R const outputs = net.output_width();
    R const n = net.layers.back().fan_in;
    R const mean_square = square / net.input_width();
    // Six strands that end in the outputs i, i | j, j | k, k: N^(blocks - 1), for one of the outputs is i.
    auto const six = mup_detail::above_all(net, square);
    auto const& x = six.numerators;
    auto const [free, common] = Numerators<R>::over_common(
        {R(1), R(R(2) * outputs + R(2)), R(outputs + R(1)), R(outputs * outputs + R(3) * outputs + R(4))});
    auto const sum = x[mup_detail::both_tied] * free[0] + x[mup_detail::both_label] * free[1] +
                     x[mup_detail::both_output] * free[2] + x[mup_detail::both_loose] * free[3];
    auto denominator = six.denominator;
    denominator.multiply(common, 1);
    // The head has the variance 1/n^2 in place of 2/n; its tau is kept.
    R const rate = R(2) * n * n * net.layers.back().label_factor;
    auto const y = next_y_functionals(below, n, outputs, rate, mean_square);
    R const kernel_square = ntk_moments(net, square).squared_trace_mean;
    return {.square = mean_square / n,
            .covariance = R(0) - outputs * y.y1 / (R(4) * n * n),
            .change_square =
                Numerators<R>::divided(sum, denominator) + target_second * kernel_square / (outputs * outputs)};
}

}  // namespace coordinate_detail

/// What a coordinate check measures of every layer, the output included, before and after one gradient step on
/// 1/2 |z^(L+1) - y|^2, one sample, to first order in the step.
///
/// Law     that of `mup_step`. Of the outputs, the mean over k of E (Delta z_k)^2: E of each one when the y_k are of
///         equal second moment.
/// Shape   that of `mup_step`; the label factors of all L + 1 layers are rates. Layers 1 .. L + 1 come back, O(layers).
/// Units   z and its change in those of the output.
/// Errors  those of `mup_step`.
/// Source  docs/formulas/coordinate_moments.md.
template <Field R>
[[nodiscard]] std::vector<CoordinateMoments<R>> coordinate_moments(FullyConnected<R, std::uint64_t> const& net,
                                                                   R const& square, R const& target_second) {
    auto const steps = mup_step(net, square, target_second);
    auto const functionals = y_functionals(net, square);
    std::vector<CoordinateMoments<R>> out;
    for (std::size_t l = 0; l < steps.size(); ++l)
        out.push_back(coordinate_detail::hidden(net, square, functionals[l], steps[l]));
    out.push_back(coordinate_detail::output(net, square, target_second, functionals.back()));
    return out;
}

/// Those of layer `layer` alone, by balanced products: quasi-linear in the size of the answer.
///
/// Law, Units, Errors, Source  those of `coordinate_moments`.
/// Shape   runs of any length; 1 <= layer <= depth, the last one being the output.
template <Field R>
[[nodiscard]] CoordinateMoments<R> coordinate_moments_of_layer(FullyConnected<R, std::uint64_t> const& net,
                                                               R const& square, R const& target_second,
                                                               std::uint64_t layer) {
    require_mup(net);
    std::uint64_t const hidden = depth(net) - 1;
    if (layer == 0 || layer > hidden + 1) {
        throw DomainError("coordinate_moments_of_layer: layer = " + std::to_string(layer) + "; layers are 1 .. " +
                              std::to_string(hidden + 1),
                          "layer");
    }
    auto const y = y_functionals_of_layer(net, square, std::min(layer, hidden));
    if (layer > hidden) return coordinate_detail::output(net, square, target_second, y);
    return coordinate_detail::hidden(net, square, y, mup_step_of_layer(net, square, target_second, layer));
}

/// Enclosures of E Delta z_i^(l) of the hidden layers: not 0, since the step lowers |z^(L+1)| and z_i feeds the output
/// only where it is positive. Odd moments of lengths enter, hence square roots of pi and no polynomial.
///
/// Law     that of `mup_step`; E y does not enter. E Delta z of the output layer is E K_kk E y_k, 0 for targets of
///         mean 0.
/// Shape   that of `mup_step`; layers 1 .. L come back, O(sum of widths).
/// Errors  those of `mup_step`; UnsupportedError above `max_coordinate_width`.
/// Source  docs/formulas/coordinate_moments.md.
[[nodiscard]] std::vector<Interval> coordinate_change_means(FullyConnected<Surd, std::uint64_t> const& net,
                                                            Surd const& square, unsigned bits);

/// Enclosures of E |z_i^(l)| of all layers, the output included: given the layer below z_i is normal of variance
/// v_l |h|^2, so that E |z| = sqrt(2 v_l/pi) E |h|, and E |h| is a product of mean lengths of gated normals.
///
/// Law     Gaussian weights of any variances, no biases, ReLU between layers.
/// Shape   one run per layer; layers 1 .. L + 1 come back, O(sum of widths).
/// Errors  DomainError for longer runs; UnsupportedError for other activations and laws, and above
///         `max_coordinate_width`.
/// Source  docs/formulas/coordinate_moments.md.
[[nodiscard]] std::vector<Interval> absolute_preactivation_means(FullyConnected<Surd, std::uint64_t> const& net,
                                                                 Surd const& square, unsigned bits);

/// Largest width for which the sum over the number of active units is served.
inline constexpr unsigned long max_coordinate_width = 1'000'000;

}  // namespace isserlis
