// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/two_layer_slope.hpp>
#include <isserlis/network/activation.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace isserlis {

/// Means over pairs of samples, s^-2 sum_kl, with K = |x^k||x^l| kap1(t_kl), I = x^k.x^l, p = (pi - t_kl)/pi, Y = y^k.y^l.
template <class T>
struct SquaredGateMoments {
    T squares;        ///< |x^k|^2 |x^l|^2 kap2(t_kl)
    T norms;          ///< |x^k|^2 |x^l|^2
    T kernel_kernel;  ///< K^2
    T kernel_inner;   ///< K I
    T inner_inner;    ///< I^2
    T gates_kernel;   ///< p I K
    T gates_inner;    ///< p I^2
    T target_kernel;  ///< Y K
    T target_inner;   ///< Y I
    T target_gates;   ///< Y I p
    static constexpr auto members = std::tuple{&SquaredGateMoments::squares,       &SquaredGateMoments::norms,
                                               &SquaredGateMoments::kernel_kernel, &SquaredGateMoments::kernel_inner,
                                               &SquaredGateMoments::inner_inner,   &SquaredGateMoments::gates_kernel,
                                               &SquaredGateMoments::gates_inner,   &SquaredGateMoments::target_kernel,
                                               &SquaredGateMoments::target_inner,  &SquaredGateMoments::target_gates};
};

/// Shape   s samples: inputs of one size, or their inner products; targets of one size d_n. For crelu the inputs are the
///         `signed_parts`, and the inner products `InputGrams::rectified`. O(s^2).
/// Errors  DomainError for no samples or unlike sizes.
/// Source  docs/formulas/two_layer_squared_slope.md
[[nodiscard]] SquaredGateMoments<double> squared_gate_moments(Rows<double> const& inputs, Rows<double> const& targets);
/// Rigorous enclosures of this precision.
[[nodiscard]] SquaredGateMoments<Interval> squared_gate_moments(Rows<Rational> const& inner,
                                                                Rows<Enclosed> const& targets, unsigned bits);
/// Rigorous enclosures from those of inputs and targets, in double-doubles, for thousands of samples.
/// Errors  UnsupportedError beyond the range of doubles.
[[nodiscard]] SquaredGateMoments<Interval> squared_gate_moments(Rows<Interval> const& inputs,
                                                                Rows<Interval> const& targets);

/// Factors of `SquaredGateMoments` in the slope of a network of two weight layers.
///
/// Law     Gaussian weights in the first layer; any symmetric law of independent entries in the second.
/// Shape   d_0, d_1, d_2. Not crelu-tied, whose first layer moves otherwise: `crelu_squared_slope`.
/// Errors  UnsupportedError for another number of layers, another law, biases, or crelu-tied.
/// Source  docs/formulas/two_layer_squared_slope.md
template <class R>
[[nodiscard]] SquaredGateMoments<R> two_layer_squared_slope_factors(
    std::vector<LayerRun<R, std::uint64_t>> const& layers, Activation<R> const& activation) {
    (void)two_layer_slope_factors(layers, activation);  // which has the same requirements
    auto const& lower = layers.front();
    auto const& upper = layers.back();
    if (lower.bias || upper.bias)
        throw UnsupportedError("two_layer_squared_slope: the slope of squared errors has a closed form without biases",
                               "bias_variance");
    bool const concatenated = activation.is_concatenated();
    R const s = concatenated ? R(0) : activation.gate().negative;
    R const c = concatenated ? R(1) : R((R(1) - s) * (R(1) - s) / R(2));
    R const c2 = concatenated ? R(1) : R((R(1) - s * s) * (R(1) - s * s) / R(2));
    R const n = lower.fan_out;
    R const outputs = upper.fan_out;
    R const others = n - R(1);
    R const four(-4);
    R const of_upper = four * upper.label_factor * n;  // of the gradient by the upper weights
    R const of_lower = four * lower.label_factor * n;
    R const v1 = lower.variance;
    R const v2 = upper.variance;
    R const squared = of_upper * outputs * v2 * v1 * v1;
    R const gated = of_lower * outputs * v2 * v2 * v1;
    // One neuron has all four weights of the second layer. P and N of a concatenated ReLU share it where signs differ.
    R const kurtosis = upper.law.kurtosis();
    R const own_kernel = concatenated ? R(kurtosis - R(1)) : R((kurtosis + outputs - R(1)) * c2);
    R const own_inner = concatenated ? outputs : R((kurtosis + outputs - R(1)) * s * s);
    return {.squares = squared * c2,
            .norms = squared * s * s,
            .kernel_kernel = squared * others * c * c,
            .kernel_inner = R(2) * squared * others * c * s + gated * (others * c * s + own_kernel),
            .inner_inner = squared * (others + R(2)) * s * s + gated * (others * s * s + own_inner),
            .gates_kernel = gated * others * c * c,
            .gates_inner = gated * others * c * s,
            .target_kernel = of_upper * v1 * c,
            .target_inner = of_upper * v1 * s + of_lower * v2 * s,
            .target_gates = of_lower * v2 * c};
}

/// E L'(0) of L = mean |z - y|^2 along its own gradient; of c |z - y|^2 it is c^2 times that.
///
/// Law, Shape, Errors  those of `two_layer_squared_slope_factors`; T is double with double layers, Interval with Surd.
/// Source  docs/formulas/two_layer_squared_slope.md
template <class R, class T>
[[nodiscard]] T two_layer_squared_slope(std::vector<LayerRun<R, std::uint64_t>> const& layers,
                                        Activation<R> const& activation, SquaredGateMoments<T> const& data) {
    auto const f = two_layer_squared_slope_factors(layers, activation);
    return data.squares * f.squares + data.norms * f.norms + data.kernel_kernel * f.kernel_kernel +
           data.kernel_inner * f.kernel_inner + data.inner_inner * f.inner_inner + data.gates_kernel * f.gates_kernel +
           data.gates_inner * f.gates_inner + data.target_kernel * f.target_kernel +
           data.target_inner * f.target_inner + data.target_gates * f.target_gates;
}

}  // namespace isserlis
