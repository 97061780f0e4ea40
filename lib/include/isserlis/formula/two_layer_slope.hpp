// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/network/activation.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace isserlis {

/// Means over pairs of samples, s^-2 sum_kl g^k.g^l times:
template <class T>
struct GateMoments {
    T kernel;  ///< |x^k||x^l| kap1(t_kl)
    T gates;   ///< x^k.x^l (pi - t_kl)/pi
    T inner;   ///< x^k.x^l
};

/// Shape   s samples: inner products of the inputs, or inputs of one size; gradients of one size d_n. For crelu the
///         inputs are the `signed_parts`, and the inner products `InputGrams::rectified`. O(s^2).
/// Errors  DomainError for no samples or unlike sizes.
/// Source  docs/formulas/two_layer_slope.md
[[nodiscard]] GateMoments<double> gate_moments(Rows<double> const& inputs, Rows<double> const& gradients);
[[nodiscard]] GateMoments<KernelSum> gate_moments(Rows<Rational> const& inner, Rows<Rational> const& gradients);
/// Rigorous enclosures of this precision, of gradients that are not rational.
[[nodiscard]] GateMoments<Interval> gate_moments(Rows<Rational> const& inner, Rows<Enclosed> const& gradients,
                                                 unsigned bits);
/// Rigorous enclosures from those of inputs and gradients, in double-doubles, for thousands of samples: 20 digits or more
/// of what does not cancel, 14 of what is between inputs that may be collinear.
/// Errors  UnsupportedError beyond the range of doubles.
[[nodiscard]] GateMoments<Interval> gate_moments(Rows<Interval> const& inputs, Rows<Interval> const& gradients);

/// Factors of `GateMoments` in the slope.
template <class R>
struct GateFactors {
    R kernel;
    R gates;
    R inner;
};

/// What a network of two weight layers makes of them: with a(z) = z or s z, c = (1 - s)^2/2,
/// -d_1 (v_1 c, v_2 c, (v_1 + v_2) s); for crelu c = 1, s = 0. Label factors: v_1 h_2 for v_1, v_2 h_1 for v_2.
///
/// Law     Gaussian weights in the first layer; any law of mean 0 in the second.
/// Shape   d_0, d_1, d_2. Not crelu-tied, whose first layer moves otherwise: `crelu_slope`.
/// Units   none.
/// Errors  UnsupportedError for another number of layers, another law, or crelu-tied.
/// Source  docs/formulas/two_layer_slope.md
template <class R>
[[nodiscard]] GateFactors<R> two_layer_slope_factors(std::vector<LayerRun<R, std::uint64_t>> const& layers,
                                                     Activation<R> const& activation) {
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    if (depth != 2) {
        throw UnsupportedError(
            "loss curve: the slope of a gated network with several samples has a closed form "
            "for 2 weight layers, not for " +
                std::to_string(depth),
            "widths");
    }
    if (layers.front().law.kind != LawKind::gaussian) {
        throw UnsupportedError(
            "loss curve: the slope of a gated network with several samples is served for Gaussian weights", "law");
    }
    if (activation.is_tied())
        throw UnsupportedError("two_layer_slope: crelu-tied is served by crelu_slope", "activation");
    bool const concatenated = activation.is_concatenated();
    R const s = concatenated ? R(0) : activation.gate().negative;
    R const c = concatenated ? R(1) : R((R(1) - s) * (R(1) - s) / R(2));
    R const d = R(0) - layers.front().fan_out;
    // The gradient of one layer has the weights of the other.
    R const v1 = layers.front().variance * layers.back().label_factor;
    R const v2 = layers.back().variance * layers.front().label_factor;
    return {.kernel = d * v1 * c, .gates = d * v2 * c, .inner = d * (v1 + v2) * s};
}

/// E L'(0) of a network of two weight layers with gates, constant gradients, any number of samples.
///
/// Law, Shape, Errors  those of `two_layer_slope_factors`; T is double with double layers, KernelSum or Interval with
///         Surd.
/// Source  docs/formulas/two_layer_slope.md
template <class R, class T>
[[nodiscard]] T two_layer_slope(std::vector<LayerRun<R, std::uint64_t>> const& layers, Activation<R> const& activation,
                                GateMoments<T> const& data) {
    auto const f = two_layer_slope_factors(layers, activation);
    return data.kernel * f.kernel + data.gates * f.gates + data.inner * f.inner;
}

}  // namespace isserlis
