// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/transfer_sweep.hpp>

namespace isserlis {

/// Mean, second moment and variance of a squared norm.
template <Ring R>
struct NormMoments {
    R mean;
    R second;
    R variance;
    friend bool operator==(NormMoments const&, NormMoments const&) = default;
};

/// What is known of one weight matrix W, with J = d y/d W.
template <Ring R>
struct LayerJacobian {
    NormMoments<R> jacobian;         ///< of ||J||^2, the sum over all entries of W and all outputs
    NormMoments<R> reduced;          ///< of |y_(k)|^2, y_(k) the output of the paths through W alone
    R gradient_squared_mean = R(0);  ///< E |d loss / d W|^2, loss = |y - target|^2/2
    /// E |y - target|^2 ||J||^2, at least as large
    R gradient_squared_upper = R(0);
};

/// ||J||^2 = |x|^2 ||B||^2 with independent factors: x the input of W, B = d y/d(pre-activation).
template <class N>
struct MatrixPassage {
    CarriedState<N> input;   ///< of x x^T
    CarriedState<N> output;  ///< of B B^T
    typename N::Value variance;
    typename N::Value kurtosis;
    typename N::Value bypass;                               ///< E |x|^2 |B r|^2, r the output of the paths that avoid W
    typename N::Value bypass_upper = typename N::Value(0);  ///< E |x|^2 ||B||^2 |r|^2
    typename N::Value outputs = typename N::Value(1);       ///< their number
};

namespace detail {

template <class N>
NormMoments<typename N::Value> norm_moments(typename N::Element const& mean, typename N::Element const& second,
                                            typename N::Denominator const& mean_denominator,
                                            typename N::Denominator const& extra) {
    using E = typename N::Element;
    typename N::Denominator whole = extra;
    whole.multiply(mean_denominator);
    whole.multiply(mean_denominator);
    E const variance = second - mean * mean * N::expanded(extra);
    return {.mean = N::divided(mean, mean_denominator),
            .second = N::divided(second, whole),
            .variance = N::divided(variance, whole)};
}

template <class N>
NormMoments<typename N::Value> trace_moments(CarriedState<N> const& state) {
    return norm_moments<N>(state.numerators.mean, state.numerators.squared, state.mean, state.extra);
}

/// E tr G^2.
template <class N>
typename N::Value crossed_moment(CarriedState<N> const& state) {
    typename N::Denominator whole = state.extra;
    whole.multiply(state.mean);
    whole.multiply(state.mean);
    return N::divided(state.numerators.crossed, whole);
}

}  // namespace detail

/// Moments of ||J||^2 and |y_(k)|^2 of one matrix, and the mean square of the gradient.
///
/// Law     i.i.d. symmetric entries of W; targets independent of the weights, of mean 0; `target_second` = E y_i^2 of
///         each output. Gates as in `gate_move`.
/// Units   those of the states times the variance of W for `reduced`.
/// Errors  none.
/// Source  docs/formulas/layer_jacobian.md, in place of the bounds of [Residual 2019, Thm 1]:
///         E|y_k|^4 = v^2 (E||J||^4 + 2 E|x|^4 E tr G^2 + (kappa - 3) E sum x_i^4 E sum G_jj^2), G = B B^T.
///         Gradient: E |J^T (y - target)|^2 = v E|x|^4 E tr G^2 + E |x|^2 |B r|^2 + E y_i^2 E||J||^2; its bound by
///         [Residual 2019, eq. (2)]: v E||J||^4 + E |x|^2 ||B||^2 |r|^2 + n_L E y_i^2 E||J||^2.
template <class N>
[[nodiscard]] LayerJacobian<typename N::Value> layer_jacobian(MatrixPassage<N> const& at,
                                                              typename N::Value const& target_second) {
    using R = typename N::Value;
    using E = typename N::Element;
    auto const& x = at.input.numerators;
    auto const& g = at.output.numerators;
    auto mean_denominator = at.input.mean;
    mean_denominator.multiply(at.output.mean);
    auto extra = at.input.extra;
    extra.multiply(at.output.extra);
    E const mean = x.mean * g.mean;
    E const second = x.squared * g.squared;
    E const crossed = x.squared * g.crossed;

    LayerJacobian<R> out;
    out.jacobian = detail::norm_moments<N>(mean, second, mean_denominator, extra);
    auto whole = extra;
    whole.multiply(mean_denominator);
    whole.multiply(mean_denominator);
    out.gradient_squared_mean =
        at.variance * N::divided(crossed, whole) + at.bypass + target_second * out.jacobian.mean;
    out.gradient_squared_upper =
        at.variance * out.jacobian.second + at.bypass_upper + at.outputs * target_second * out.jacobian.mean;

    auto const v = N::over_common({at.variance});
    auto const excess = N::over_common({R(at.kurtosis - R(3))});
    mean_denominator.multiply(v.second, 1);
    extra.multiply(excess.second, 1);
    E const reduced = (second + crossed + crossed) * excess.second + excess.first[0] * (x.diagonal * g.diagonal);
    out.reduced =
        detail::norm_moments<N>(v.first[0] * mean, v.first[0] * v.first[0] * reduced, mean_denominator, extra);
    return out;
}

/// Bounds of Var ||J||^2 by the moments of y_(k).
template <Ring R>
struct VarianceBounds {
    R lower_printed;  ///< Var|y_k|^2/E w^4: false in general
    R upper_printed;  ///< Var|y_k|^2/v^2: true
    R lower;          ///< E|y_k|^4/(v^2 max(kappa, 3)) - (E|y_k|^2)^2/v^2, perhaps below 0
    R upper;
};

/// Law     as `layer_jacobian`; `larger_kurtosis` = max(kappa, 3).
/// Errors  none.
/// Source  [Residual 2019, Thm 1] as printed; docs/formulas/layer_jacobian.md as corrected
template <Field R>
[[nodiscard]] VarianceBounds<R> variance_bounds(NormMoments<R> const& reduced, R const& variance, R const& kurtosis,
                                                R const& larger_kurtosis) {
    R const square = variance * variance;
    R const upper = reduced.variance / square;
    return {.lower_printed = upper / kurtosis,
            .upper_printed = upper,
            .lower = reduced.second / (square * larger_kurtosis) - reduced.mean * reduced.mean / square,
            .upper = upper};
}

}  // namespace isserlis
