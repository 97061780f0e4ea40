// SPDX-License-Identifier: MIT
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/ring/members.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

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
        auto const moments =
            converted<ScaledDouble>(m, [](Enclosed const& x) { return to_scaled(x.enclose(bits_of_doubles)); });
        out.slope = CurveNumber::rounded(linear_slope(sums, moments));
        loss_curve_detail::require_kurtosis_3(net);
        out.curvature = out.curvature_chi = CurveNumber::rounded(linear_curvature(sums, moments));
    }
}

}  // namespace

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
        fill(scaled(layers), scaled(data), to_scaled(factor), [](ScaledDouble x) { return CurveNumber::rounded(x); });
    }
}

namespace {

/// chi, gamma and their sum, each linear in what depends on single targets: a constant and three factors.
template <class R>
std::array<std::vector<R>, 3> batch_factors(std::vector<LayerRun<R, std::uint64_t>> const& layers,
                                            TargetMoments<R> const& data, OwnMoments<R> own, R const& share,
                                            R const& factor) {
    std::array<std::vector<R>, 3> out;
    own.target = own.target_sigma = own.target_cross = R(0);
    auto const add = [&](OwnMoments<R> const& at, bool difference) {
        auto const curve = batch_loss_curve(layers, data, at, share).scaled(factor);
        std::array<R, 3> const parts{curve.curvature_chi, curve.curvature_gamma, curve.curvature()};
        for (std::size_t k = 0; k < parts.size(); ++k)
            out[k].push_back(difference ? R(parts[k] - out[k].front()) : parts[k]);
    };
    add(own, false);
    for (auto const member : {&OwnMoments<R>::target, &OwnMoments<R>::target_sigma, &OwnMoments<R>::target_cross}) {
        auto one = own;
        one.*member = R(1);
        add(one, true);
    }
    return out;
}

}  // namespace

void linear_batch(Layers const& layers, CurveData const& data, LossCurveNumbers& out) {
    auto const moments = data.target_moments();
    if (!moments) throw UnsupportedError("`batch`: the sums of these targets are no sums of square roots", "batch");
    Surd const factor = data.squared_factor();
    linear_squared(layers, *moments, factor, out);
    Rational const share = own_share(*data.batch, data.samples());
    if (share == 0) return;
    bool const exact = data.set.has_exact_targets();
    auto const own = data.own_moments(exact);
    std::array<CurveNumber*, 3> const parts{&out.curvature_chi, &out.curvature_gamma, &out.curvature};
    try {
        if (exact) {
            auto const curve = batch_loss_curve(layers, *moments, own, Surd(share)).scaled(factor);
            out.curvature_chi = curve.curvature_chi;
            out.curvature_gamma = curve.curvature_gamma;
            out.curvature = curve.curvature();
            return;
        }
        auto const factors = batch_factors(layers, *moments, own, Surd(share), factor);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            *parts[k] = CurveNumber::enclosed(
                [data, f = factors[k]](unsigned bits) {
                    auto const at = data.enclosed_own_moments(bits);
                    std::vector<Enclosed> enclosed;
                    for (auto const& x : f) enclosed.emplace_back(enclose(x, bits));
                    return dot(enclosed, {Enclosed(1), at.target, at.target_sigma, at.target_cross});
                },
                "an exact function of the targets");
        }
    } catch (UnsupportedError const&) {
        auto const at = converted<ScaledDouble>(data.enclosed_own_moments(bits_of_doubles), [](Enclosed const& x) {
            return to_scaled(x.enclose(bits_of_doubles));
        });
        auto const curve =
            batch_loss_curve(scaled(layers), scaled(*moments), at, to_scaled(Surd(share))).scaled(to_scaled(factor));
        out.curvature_chi = CurveNumber::rounded(curve.curvature_chi);
        out.curvature_gamma = CurveNumber::rounded(curve.curvature_gamma);
        out.curvature = CurveNumber::rounded(curve.curvature());
    }
}

}  // namespace isserlis
