// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

TargetMoments<ScaledDouble> in_scaled(TargetMoments<Surd> const& m) {
    return {.p1 = to_scaled(m.p1),
            .p2 = to_scaled(m.p2),
            .p3 = to_scaled(m.p3),
            .cross = to_scaled(m.cross),
            .cross_sigma = to_scaled(m.cross_sigma),
            .target = to_scaled(m.target)};
}

/// The curvature of a linear network is linear in q1, .., q4; its factors, in this order.
template <class R>
std::vector<R> curvature_factors(LayerPairSums<R, 2> const& sums) {
    std::vector<R> out;
    for (int q = 1; q <= 4; ++q) {
        auto const one = [&](int of) { return R(q == of ? 1 : 0); };
        out.push_back(linear_curvature(
            sums, GradientMoments<R>{.trace = R(0), .q1 = one(1), .q2 = one(2), .q3 = one(3), .q4 = one(4)}));
    }
    return out;
}

constexpr char const* near_zero = "too near 0 to tell from it";

/// A deep linear network with constant gradients whose sums over samples are known through enclosures.
void linear_fixed_enclosed(Layers const& layers, CurveData const& data, LossCurveNumbers& out) {
    constexpr char const* form = "an exact function of the gradients";
    try {
        auto const sums = layer_pair_sums<2>(layers);
        out.slope = CurveNumber::enclosed(
            [=, u = sums.factor_sum()](unsigned bits) {
                return Enclosed(0) - Enclosed(enclose(u, bits)) * data.enclosed_gradient_moments(bits).trace;
            },
            form);
        if (out.slope.is_absent()) {  // its terms cancel, and with them the step
            out.slope = out.curvature = out.curvature_chi = CurveNumber::absent(near_zero);
            return;
        }
        loss_curve_detail::require_kurtosis_3(layers);
        out.curvature = out.curvature_chi = CurveNumber::enclosed(
            [=, factors = curvature_factors(sums)](unsigned bits) {
                auto const m = data.enclosed_gradient_moments(bits);
                std::vector<Enclosed> enclosed;
                for (auto const& x : factors) enclosed.emplace_back(enclose(x, bits));
                return dot(enclosed, std::vector<Enclosed>{m.q1, m.q2, m.q3, m.q4});
            },
            form);
    } catch (UnsupportedError const&) {
        if (!out.slope.is_absent()) throw;  // a law that the curvature is not served for
        auto const net = scaled(layers);
        auto const sums = layer_pair_sums<2>(net);
        auto const m = data.enclosed_gradient_moments(bits_of_doubles);
        auto const number = [](Enclosed const& x) { return to_scaled(x.enclose(bits_of_doubles)); };
        GradientMoments<ScaledDouble> const moments{
            .trace = number(m.trace), .q1 = number(m.q1), .q2 = number(m.q2), .q3 = number(m.q3), .q4 = number(m.q4)};
        out.slope = CurveNumber::rounded(linear_slope(sums, moments));
        loss_curve_detail::require_kurtosis_3(net);
        out.curvature = out.curvature_chi = CurveNumber::rounded(linear_curvature(sums, moments));
    }
}

}  // namespace

ScaledLayers scaled(Layers const& layers) {
    ScaledLayers out;
    for (auto const& run : layers) {
        out.push_back({.fan_in = to_scaled(run.fan_in),
                       .fan_out = to_scaled(run.fan_out),
                       .count = run.count,
                       .variance = to_scaled(run.variance),
                       .law = {.kind = run.law.kind, .kurtosis_value = to_scaled(run.law.kurtosis_value)},
                       .label_factor = to_scaled(run.label_factor)});
    }
    return out;
}

void linear_fixed(Layers const& layers, CurveData const& data, LossCurveNumbers& out) {
    auto const moments = data.gradient_moments();
    if (!moments) return linear_fixed_enclosed(layers, data, out);
    if (moments->trace.is_zero()) {  // sum g x' = 0: no layer moves
        out.slope = out.curvature = out.curvature_chi = Surd(0);
        return;
    }
    try {
        auto const sums = layer_pair_sums<2>(layers);
        out.slope = linear_slope(sums, *moments);  // for any law, unlike the curvature
        loss_curve_detail::require_kurtosis_3(layers);
        out.curvature = out.curvature_chi = linear_curvature(sums, *moments);
    } catch (UnsupportedError const&) {
        if (!out.slope.is_absent()) throw;  // a law that the curvature is not served for
        linear_fixed_enclosed(layers, data, out);
    }
}

void linear_squared(Layers const& layers, TargetMoments<Surd> const& data, Surd const& factor, LossCurveNumbers& out) {
    auto const fill = [&](auto const& net, auto const& moments, auto const& c, auto const& number) {
        auto const curve = squared_loss_curve(net, moments).scaled(c);
        out.loss = number(curve.loss);
        out.slope = number(curve.slope);
        out.curvature = number(curve.curvature());
        out.curvature_chi = number(curve.curvature_chi);
        out.curvature_gamma = number(curve.curvature_gamma);
    };
    try {
        fill(layers, data, factor, [](Surd const& x) { return CurveNumber(x); });
    } catch (UnsupportedError const&) {
        fill(scaled(layers), in_scaled(data), to_scaled(factor),
             [](ScaledDouble x) { return CurveNumber::rounded(x); });
    }
}

}  // namespace isserlis
