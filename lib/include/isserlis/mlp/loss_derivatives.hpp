// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/gradient_step.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/network/loss_kind.hpp>
#include <optional>
#include <vector>

namespace isserlis::mlp {

/// What a network is trained on; a column is a sample.
struct Samples {
    Matrix<double> inputs;   ///< d_0 x s
    Matrix<double> targets;  ///< d_n x s
};

/// Samples as rows, the way a file has them, turned into columns.
/// Errors  DomainError when there is no row, or the rows differ in length.
[[nodiscard]] Matrix<double> columns(std::vector<std::vector<double>> const& rows);

/// Gradients g_k and Hessians H_k of the loss by the outputs, given once and for all.
struct GivenDerivatives {
    Matrix<double> gradients;              ///< d_n x s
    std::vector<Matrix<double>> hessians;  ///< s symmetric matrices, d_n x d_n
};

/// The same numbers as doubles.
[[nodiscard]] inline Matrix<double> const& in_doubles(Matrix<double> const& numbers) { return numbers; }
[[nodiscard]] inline Matrix<double> in_doubles(Matrix<float> const& numbers) { return numbers.cast<double>(); }

/// The gradients and Hessians of a loss at given outputs, d_n x s.
[[nodiscard]] GivenDerivatives derivatives_at(LossKind loss, Matrix<double> const& outputs,
                                              Matrix<double> const& targets);

/// The loss after a step of gradient descent of rate lambda, to second order: L + lambda L' + lambda^2 L''/2.
struct LossDerivatives {
    std::optional<double> loss;  ///< L(0); none if gradients are given, since those do not fix it
    double slope = 0;            ///< L'(0)
    double curvature_gamma = 0;  ///< mean of g . x'', the part of L''(0) that comes from the network bending
    double curvature_chi = 0;    ///< mean of x' . H x', the part that comes from the loss bending

    [[nodiscard]] double curvature() const { return curvature_gamma + curvature_chi; }
};

/// L(0), L'(0) and L''(0) of a given network along minus the gradient of the mean loss over the samples.
///
/// Law     none: everything is given. P and N of a concatenated ReLU are updated separately. Gates are frozen at
///         lambda = 0: exact unless a pre-activation is exactly 0.
/// Shape   inputs d_0 x s, targets or gradients d_n x s; O(s sum d_q d_(q-1)) by one pass of (x, x', x'').
/// Units   slope [loss] / [rate], curvature [loss] / [rate]^2.
/// Errors  DomainError when sizes clash or there is no sample.
/// Source  [Hettinger 2019, Lemmas 4.14 and 4.16], summed along the layers
[[nodiscard]] LossDerivatives loss_derivatives(Network<double> const& net, Samples const& samples, LossKind loss);
/// The same where the loss has these gradients and Hessians whatever the weights are.
[[nodiscard]] LossDerivatives loss_derivatives(Network<double> const& net, Matrix<double> const& inputs,
                                               GivenDerivatives const& given);

/// L(lambda) itself, gates taken anew after the step.
/// Errors  as above.
/// Source  [Hettinger 2019, Def 4.12] with the minus sign of Def 3.25
[[nodiscard]] double loss_after_step(Network<double> const& net, Samples const& samples, LossKind loss, double rate);

/// The rate at which the parabola of the loss is lowest, -L'/L''; none unless L'' is positive.
///
/// Source  [Hettinger 2019, Def 4.22], corrected: F(x - lambda grad F) has its Newton step at -F'/F''.
[[nodiscard]] std::optional<double> greedy_rate(LossDerivatives const& at);
/// -L'/(2 L''), half of that, as [Hettinger 2019, Def 4.22] prints it.
[[nodiscard]] std::optional<double> greedy_rate_printed(LossDerivatives const& at);

/// Slope and curvature out of a step that has gone `forward`, `backward` and `differentiate`: for callers that keep the
/// storage of many steps. `derivatives_of` with a loss takes g and H at the outputs. Of a step in float, in double from
/// the outputs on.
template <class T>
[[nodiscard]] LossDerivatives derivatives_of(GradientStep<T> const& step, Matrix<double> const& gradients,
                                             Matrix<double> const& targets, LossKind loss);
template <class T>
[[nodiscard]] LossDerivatives derivatives_of(GradientStep<T> const& step, GivenDerivatives const& given);

}  // namespace isserlis::mlp
