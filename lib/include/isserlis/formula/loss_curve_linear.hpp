// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/layer_pair_sums.hpp>
#include <isserlis/formula/quadratic_forms.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace isserlis {

/// What samples x^k, gradients g^k and Hessians H_k of the loss by the outputs leave in the first two derivatives: with
/// V = sum_k g^k x^k', v^k = V x^k and S = V V',
template <class R>
struct GradientMoments {
    R trace;  ///< Tr S / s^2
    R q1;     ///< sum_k v^k' H_k v^k / s^3
    R q2;     ///< sum_k Tr(H_k) |v^k|^2 / s^3
    R q3;     ///< sum_k |x^k|^2 Tr(H_k S) / s^3
    R q4;     ///< Tr(S) sum_k |x^k|^2 Tr(H_k) / s^3
    static constexpr auto members = std::tuple{&GradientMoments::trace, &GradientMoments::q1, &GradientMoments::q2,
                                               &GradientMoments::q3, &GradientMoments::q4};
    friend bool operator==(GradientMoments const&, GradientMoments const&) = default;
};

namespace loss_curve_detail {

inline void require_samples(char const* what, std::size_t size, std::size_t samples) {
    if (samples == 0) throw DomainError("loss curve: there are no samples; at least one is required");
    if (size != samples) {
        throw DomainError("loss curve: " + std::to_string(size) + " " + what + " for " + std::to_string(samples) +
                          " samples; give one for each");
    }
}

template <class R>
void require_columns(char const* what, Rows<R> const& rows, std::size_t columns) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k].size() == columns && columns != 0) continue;
        throw DomainError("loss curve: " + std::string(what) + " " + std::to_string(k + 1) + " has " +
                          std::to_string(rows[k].size()) + " entries; " + std::to_string(columns) + " are required");
    }
}

/// sum_k a^k b^k' as rows of a.
template <class R>
Rows<R> outer_sum(Rows<R> const& a, Rows<R> const& b) {
    Rows<R> out(a.front().size(), std::vector<R>(b.front().size(), R(0)));
    for (std::size_t k = 0; k < a.size(); ++k) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            for (std::size_t j = 0; j < out[i].size(); ++j) out[i][j] = out[i][j] + a[k][i] * b[k][j];
        }
    }
    return out;
}

/// a b'
template <class R>
Rows<R> times_transposed(Rows<R> const& a, Rows<R> const& b) {
    Rows<R> out;
    for (auto const& row : a) {
        out.emplace_back();
        for (auto const& other : b) out.back().push_back(dot(row, other));
    }
    return out;
}

template <class R>
R squared_norm(std::vector<R> const& x) {
    return dot(x, x);
}

/// Tr(a b) of symmetric matrices.
template <class R>
R product_trace(Rows<R> const& a, Rows<R> const& b) {
    R out(0);
    for (std::size_t i = 0; i < a.size(); ++i) out = out + dot(a[i], b[i]);
    return out;
}

template <class R, class Count>
void require_kurtosis_3(std::vector<LayerRun<R, Count>> const& layers) {
    for (auto const& run : layers) {
        if (run.law.has_kurtosis_3()) continue;
        throw UnsupportedError(
            "loss curve: the curvature is served for Gaussian weights where there are several samples; other laws are "
            "not invariant under rotation",
            "law");
    }
}

template <class R, class Count>
void require_gaussian(std::vector<LayerRun<R, Count>> const& layers, char const* what) {
    for (auto const& run : layers) {
        if (run.law.kind == LawKind::gaussian) continue;
        throw UnsupportedError(
            "loss curve: " + std::string(what) +
                " served for Gaussian weights where there are several samples; other laws are not invariant under "
                "rotation",
            "law");
    }
}

}  // namespace loss_curve_detail

/// Shape   V = sum_k g^k x^k', d_n x d_0, in place of the gradients: it can be exact where they are not.
/// Units, Errors, Source  those of `gradient_moments`.
template <Field R>
[[nodiscard]] GradientMoments<R> gradient_moments_of_sum(Rows<R> const& inputs, Rows<R> const& v,
                                                         std::vector<Rows<R>> const& hessians) {
    namespace detail = loss_curve_detail;
    std::size_t const samples = inputs.size();
    if (hessians.size() != 1) detail::require_samples("Hessians", hessians.size(), samples);
    detail::require_samples("inputs", samples, samples);
    detail::require_columns("input", inputs, inputs.front().size());
    detail::require_columns("row of V", v, inputs.front().size());
    for (auto const& h : hessians) {
        if (h.size() != v.size()) {
            throw DomainError("loss curve: a Hessian has " + std::to_string(h.size()) + " rows; " +
                              std::to_string(v.size()) + " are required, one for each output");
        }
        detail::require_columns("row of a Hessian", h, v.size());
        forms_detail::require_symmetric("loss curve", "a Hessian", h);
    }
    Rows<R> const s = detail::times_transposed(v, v);
    R const trace_s = trace(s);
    GradientMoments<R> out{.trace = trace_s, .q1 = R(0), .q2 = R(0), .q3 = R(0), .q4 = R(0)};
    std::vector<R> of_hessian;
    std::vector<R> with_s;
    for (auto const& h : hessians) {
        of_hessian.push_back(trace(h));
        with_s.push_back(detail::product_trace(h, s));
    }
    for (std::size_t k = 0; k < samples; ++k) {
        std::size_t const own = hessians.size() == 1 ? 0 : k;
        std::vector<R> vk;
        for (auto const& row : v) vk.push_back(dot(row, inputs[k]));
        R const norm = detail::squared_norm(inputs[k]);
        out.q1 = out.q1 + bilinear(vk, hessians[own], vk);
        out.q2 = out.q2 + of_hessian[own] * detail::squared_norm(vk);
        out.q3 = out.q3 + norm * with_s[own];
        out.q4 = out.q4 + norm * of_hessian[own];
    }
    R const n = from_count<R>(samples);
    R const cube = n * n * n;
    return {.trace = trace_s / (n * n),
            .q1 = out.q1 / cube,
            .q2 = out.q2 / cube,
            .q3 = out.q3 / cube,
            .q4 = trace_s * out.q4 / cube};
}

/// Shape   s samples: inputs x^k of one size d_0 (the constant feature counted), gradients g^k of one size d_n,
/// symmetric
///         d_n x d_n Hessians H_k, one for each sample or one for all. O(s (d_0 d_n + d_n^2)); no Gram matrix.
/// Units   g and H are of the loss of one sample; the loss is their mean.
/// Errors  DomainError for no samples, unlike sizes, or a Hessian that is not symmetric.
/// Source  docs/formulas/loss_curve_linear.md
template <Field R>
[[nodiscard]] GradientMoments<R> gradient_moments(Rows<R> const& inputs, Rows<R> const& gradients,
                                                  std::vector<Rows<R>> const& hessians) {
    namespace detail = loss_curve_detail;
    detail::require_samples("gradients", gradients.size(), inputs.size());
    detail::require_columns("input", inputs, inputs.front().size());
    detail::require_columns("gradient", gradients, gradients.front().size());
    return gradient_moments_of_sum(inputs, detail::outer_sum(gradients, inputs), hessians);
}

/// The parabola L + lambda L' + lambda^2 L''/2 of an expected loss, without its height.
template <class R>
struct LossCurve {
    R slope;      ///< E L'(0), never positive
    R curvature;  ///< E L''(0)

    /// -L'/L'': the lowest point of the parabola. [Hettinger 2019, Def 4.22], corrected.
    [[nodiscard]] R vertex_rate() const { return R(0) - slope / curvature; }
    /// -L'/(2 L''), as printed: half of it (docs/errata.md, H2).
    [[nodiscard]] R vertex_rate_printed() const { return R(0) - slope / (R(2) * curvature); }
    /// Of the loss times c, stepped along its own gradient: (1/2)|z - y|^2 has c = 1/2.
    [[nodiscard]] LossCurve scaled(R const& c) const {
        return {.slope = c * c * slope, .curvature = c * c * c * curvature};
    }
    friend bool operator==(LossCurve const&, LossCurve const&) = default;
};

/// E L'(0) of a deep linear network after a step of lambda along minus the gradient, the loss having constant
/// gradients:
/// -(sum_i u_i) Tr S / s^2.
///
/// Law     independent weights of mean 0, any laws; g^k do not depend on the weights. Exact for concatenated ReLU with
///         P = N at the start (crelu-tied) too when there is one sample; with more the printed Theorem 4.15, which this
///         is, does not hold for it.
/// Shape   `sums` are those of the network's weight layers, u_i = h_i prod v prod d / v_i, h_i the label factors.
/// Errors  none.
/// Source  [Hettinger 2019, Thm 4.15], whose scope is narrower than printed (docs/errata.md, H5, H6).
template <Field R>
[[nodiscard]] R linear_slope(LayerPairSums<R, 2> const& sums, GradientMoments<R> const& data) {
    return R(0) - sums.factor_sum() * data.trace;
}

/// E L''(0) of the same, with constant Hessians:
/// sum_ij u_i u_j (phi_ab - psi_ab) (phi_1a phi_bn q1 + phi_1a psi_bn q2 + psi_1a phi_bn q3 + psi_1a psi_bn q4),
/// a = min(i,j), b = max(i,j), summed in O(n). The part with second derivatives of the outputs ("gamma") has mean 0.
///
/// Law     Gaussian weights (kurtosis 3 is enough); g^k and H_k do not depend on the weights. crelu-tied: as above.
/// Shape   `sums` and `data` as above.
/// Errors  none.
/// Source  [Hettinger 2019, Thm 4.19], whose scope is narrower than printed (docs/errata.md, H5, H6).
template <Field R>
[[nodiscard]] R linear_curvature(LayerPairSums<R, 2> const& sums, GradientMoments<R> const& data) {
    // By channels p = prod (1 + 2/d), m = prod (1 - 1/d): phi = (2p + m)/3, psi = (p - m)/3, phi - psi = (p + 2m)/3.
    R const third = R(1) / R(3);
    ChannelMatrix<R, 2> const phi_psi_of{{{R(2) * third, third}, {third, R(0) - third}}};  // [channel][phi, psi]
    ChannelMatrix<R, 2> same;
    ChannelCube<R, 2> different;
    for (std::size_t x = 0; x < 2; ++x) {
        for (std::size_t z = 0; z < 2; ++z) {
            auto const& below = phi_psi_of[x];
            auto const& above = phi_psi_of[z];
            same[x][z] = below[0] * (above[0] * data.q1 + above[1] * data.q2) +
                         below[1] * (above[0] * data.q3 + above[1] * data.q4);
            different[x][0][z] = R(2) * third * same[x][z];
            different[x][1][z] = R(4) * third * same[x][z];
        }
    }
    return sums.pairs(same, different);
}

/// Both, of a network's weight layers.
///
/// Law, Shape, Source  those of `linear_slope` and `linear_curvature`.
/// Errors  UnsupportedError unless every kurtosis is 3; those of `layer_pair_sums`.
template <Field R, class Count>
[[nodiscard]] LossCurve<R> linear_loss_curve(std::vector<LayerRun<R, Count>> const& layers,
                                             GradientMoments<R> const& data) {
    loss_curve_detail::require_kurtosis_3(layers);
    auto const sums = layer_pair_sums<2>(layers);
    return {.slope = linear_slope(sums, data), .curvature = linear_curvature(sums, data)};
}

/// How much the scaling factor's derivation overestimates the curvature: (sum_i u_i)^2 prod (1 + 2/d_k) over the double
/// sum of `linear_curvature`, for one sample and one output.
///
/// Law     Gaussian weights, constant gradients.
/// Shape   any widths and variances; the last width counts as 1 output.
/// Errors  those of `layer_pair_sums`, and of division in R.
/// Source  [Hettinger 2019, Def 4.23], measured: docs/formulas/scaling_factor.md, docs/errata.md H19.
template <Field R, class Count>
[[nodiscard]] R scaling_overestimate(std::vector<LayerRun<R, Count>> const& layers) {
    auto const sums = layer_pair_sums<2>(layers);
    R const u = sums.factor_sum();
    GradientMoments<R> const one{.trace = R(1), .q1 = R(1), .q2 = R(1), .q3 = R(1), .q4 = R(1)};
    return u * u * sums.whole(0) / linear_curvature(sums, one);
}

}  // namespace isserlis
