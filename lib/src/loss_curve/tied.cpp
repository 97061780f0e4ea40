// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/ring/members.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

/// False of layers with too many roots for sums over pairs of them.
bool has_exact_sums(Layers const& layers) {
    try {
        (void)layer_pair_sums<2>(layers);
        return true;
    } catch (UnsupportedError const&) {
        return false;
    }
}

/// A slope of layers that leave no exact sums, by moments known within intervals.
template <class Moments, class Slope>
CurveNumber in_double(Layers const& layers, Moments const& moments, Slope const& slope) {
    return CurveNumber::rounded(
        slope(scaled(layers), converted<ScaledDouble>(moments, [](Interval const& x) { return to_scaled(x); })));
}

}  // namespace

void tied_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& layers = model.net().layers;
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    std::size_t const samples = data.samples();
    require_few_for_slopes(samples);
    loss_curve_detail::require_gaussian(layers, "means over concatenated ReLU networks are");

    auto const moments = [=] {
        return crelu_gradient_moments(enclosed_inputs(data.set, bits_of_balls), data.gradient_intervals(bits_of_balls));
    };
    if (has_exact_sums(layers)) {
        KernelNumber slope;
        slope.balls = [=] { return crelu_slope(layers, moments()); };
        slope.exact = [=]() -> std::optional<KernelSum> {
            auto const gradients = data.rational_gradients();
            if (!gradients) return std::nullopt;
            return crelu_slope(layers, crelu_gradient_moments(data.grams(), *gradients));
        };
        slope.enclosure = [=](unsigned bits) {
            auto const gradients = enclosed_gradients(data.set, *data.at, bits);
            return crelu_slope(layers, crelu_gradient_moments(data.grams(), gradients, bits));
        };
        out.slope = slope.of(samples);
    } else {
        out.slope = in_double(layers, moments(), [](auto const& net, auto const& m) { return crelu_slope(net, m); });
    }

    if (depth != 2 || !out.curvature.is_absent()) return;
    auto const balls = [=] {
        return crelu_curvature_of_two_layers(layers, enclosed_inputs(data.set, bits_of_balls),
                                             enclosed_gradients(data.set, *data.at, bits_of_balls),
                                             enclosed_hessians(*data.at, bits_of_balls));
    };
    auto const enclosure = [=](unsigned bits) {
        return crelu_curvature_of_two_layers(layers, data.grams(), enclosed_gradients(data.set, *data.at, bits),
                                             enclosed_hessians(*data.at, bits), bits);
    };
    out.curvature = out.curvature_chi = triple_sum(samples, balls, enclosure);
}

void tied_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& layers = model.net().layers;
    Surd const factor = data.squared_factor() * data.squared_factor();
    std::size_t const samples = data.samples();
    require_few_for_slopes(samples);
    auto const moments = [=] {
        return crelu_target_moments(enclosed_inputs(data.set, bits_of_balls),
                                    enclosed_targets(data.set, bits_of_balls));
    };
    if (!has_exact_sums(layers)) {
        out.slope = CurveNumber::product(factor, in_double(layers, moments(), [](auto const& net, auto const& m) {
                                             return crelu_squared_slope(net, m);
                                         }));
        return;
    }
    KernelNumber slope;
    slope.balls = [=] { return crelu_squared_slope(layers, moments()) * factor; };
    slope.exact = [=]() -> std::optional<KernelSum> {
        auto const targets = data.rational_targets();
        if (!targets) return std::nullopt;
        return crelu_squared_slope(layers, crelu_target_moments(data.grams(), *targets)) * factor;
    };
    slope.enclosure = [=](unsigned bits) {
        auto const grams = data.grams();
        // The targets enter as gradients do.
        Rows<Rational> const none(samples, std::vector<Rational>(data.set.output_width(), Rational(0)));
        KernelSum const inputs = crelu_squared_slope(layers, crelu_target_moments(grams, none));
        auto const targets = crelu_gradient_moments(grams, converted<Enclosed>(enclosed_targets(data.set, bits)), bits);
        return enclose(factor, bits) * (inputs.enclose(bits) + enclose(Surd(4), bits) * crelu_slope(layers, targets));
    };
    out.slope = slope.of(samples);
}

}  // namespace isserlis
