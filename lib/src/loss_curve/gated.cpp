// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/data/signed_parts.hpp>
#include <isserlis/error.hpp>
#include <isserlis/formula/one_layer_curve.hpp>
#include <isserlis/formula/two_layer_curvature.hpp>
#include <isserlis/formula/two_layer_slope.hpp>
#include <isserlis/formula/two_layer_squared_slope.hpp>
#include <isserlis/ring/members.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

constexpr char const* of_targets = "an exact function of the targets";

/// What the weights multiply: both parts of each input where the ReLU is concatenated.
CurveData with_features(NumericModel const& model, CurveData data) {
    if (model.net().activation.is_concatenated()) data.set = signed_parts(std::move(data.set));
    return data;
}

/// The parabola of one layer over a ring that has these inputs and sums over targets.
template <class R>
SquaredLossCurve<R> one_layer_curve(NumericModel const& model, Rows<R> const& inputs, Rows<R> const& features,
                                    Rows<R> const& products, R const& squares, R const& factor,
                                    std::function<R(Surd const&)> const& of) {
    // P = N makes outputs of the inputs themselves.
    bool const tied = model.net().activation.is_tied();
    auto const& layer = model.net().layers.front();
    auto curve = one_layer_squared_curve(of(layer.variance), of(layer.fan_out), tied ? inputs : features, features,
                                         products, squares)
                     .scaled(factor);
    R const h = of(layer.label_factor);  // the step of the weights is h times their gradient
    curve.slope = h * curve.slope;
    curve.curvature_chi = h * h * curve.curvature_chi;
    return curve;
}

SquaredLossCurve<Enclosed> enclosed_one_layer_curve(NumericModel const& model, CurveData const& data,
                                                    CurveData const& features, unsigned bits) {
    auto const inputs = converted<Enclosed>(enclosed_inputs(data.set, bits));
    auto const rows = converted<Enclosed>(enclosed_inputs(features.set, bits));
    auto const targets = converted<Enclosed>(enclosed_targets(data.set, bits));
    std::function<Enclosed(Surd const&)> const of = [bits](Surd const& x) { return Enclosed(enclose(x, bits)); };
    // The targets' squares are part of the loss alone, which is known otherwise.
    return one_layer_curve<Enclosed>(model, inputs, rows, loss_curve_detail::outer_sum(targets, rows), Enclosed(0),
                                     of(data.squared_factor()), of);
}

}  // namespace

void one_layer_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    // Nothing is random: no law matters.
    Layers layers = model.net().layers;
    for (auto& run : layers) run.law = {};
    linear_fixed(layers, with_features(model, data), out);
}

void one_layer_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    CurveData const features = with_features(model, data);
    out.curvature_gamma = Surd(0);
    if (auto const sums = exact_target_sums(features.set)) {
        try {
            auto const curve =
                one_layer_curve<Surd>(model, exact_inputs(data.set), exact_inputs(features.set), sums->products,
                                      sums->squares, data.squared_factor(), [](Surd const& x) { return x; });
            out.slope = curve.slope;
            out.curvature = out.curvature_chi = curve.curvature_chi;
            return;
        } catch (UnsupportedError const&) {
            // too many roots: digits are certain all the same
        }
    }
    out.slope = CurveNumber::enclosed(
        [=](unsigned bits) { return enclosed_one_layer_curve(model, data, features, bits).slope; }, of_targets);
    out.curvature = out.curvature_chi = CurveNumber::enclosed(
        [=](unsigned bits) { return enclosed_one_layer_curve(model, data, features, bits).curvature_chi; }, of_targets);
}

void two_layers_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& layers = model.net().layers;
    auto const& activation = model.net().activation;
    auto const factors = two_layer_slope_factors(layers, activation);  // throws where there is no closed form
    CurveData const features = with_features(model, data);
    std::size_t const samples = data.samples();
    require_few_for_slopes(samples);
    KernelNumber slope;
    slope.balls = [=] {
        auto const moments =
            gate_moments(enclosed_inputs(features.set, bits_of_balls), data.gradient_intervals(bits_of_balls));
        return two_layer_slope(layers, activation, moments);
    };
    slope.exact = [=]() -> std::optional<KernelSum> {
        auto const gradients = data.rational_gradients();
        if (!gradients) return std::nullopt;
        return two_layer_slope(layers, activation, gate_moments(gram(features.set), *gradients));
    };
    slope.enclosure = [=](unsigned bits) {
        auto const gradients = enclosed_gradients(data.set, *data.at, bits);
        return two_layer_slope(layers, activation, gate_moments(gram(features.set), gradients, bits));
    };
    out.slope = slope.of(samples);

    bool const gaussian =
        std::all_of(layers.begin(), layers.end(), [](auto const& run) { return run.law.kind == LawKind::gaussian; });
    if (activation.is_concatenated() || !gaussian || !out.curvature.is_absent()) return;
    auto const balls = [=] {
        return two_layer_curvature(layers, activation, enclosed_inputs(data.set, bits_of_balls),
                                   enclosed_gradients(data.set, *data.at, bits_of_balls),
                                   enclosed_hessians(*data.at, bits_of_balls));
    };
    auto const enclosure = [=](unsigned bits) {
        return two_layer_curvature(layers, activation, gram(data.set), enclosed_gradients(data.set, *data.at, bits),
                                   enclosed_hessians(*data.at, bits), bits);
    };
    out.curvature = out.curvature_chi = triple_sum(samples, balls, enclosure);
}

void two_layers_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& layers = model.net().layers;
    auto const& activation = model.net().activation;
    (void)two_layer_squared_slope_factors(layers, activation);  // throws where there is no closed form
    CurveData const features = with_features(model, data);
    Surd const factor = data.squared_factor() * data.squared_factor();
    std::size_t const samples = data.samples();
    require_few_for_slopes(samples);
    KernelNumber slope;
    slope.balls = [=] {
        auto const moments = squared_gate_moments(enclosed_inputs(features.set, bits_of_balls),
                                                  enclosed_targets(data.set, bits_of_balls));
        return two_layer_squared_slope(layers, activation, moments) * factor;
    };
    slope.exact = []() -> std::optional<KernelSum> { return std::nullopt; };  // of products of kernels
    slope.enclosure = [=](unsigned bits) {
        auto const targets = converted<Enclosed>(enclosed_targets(data.set, bits));
        return two_layer_squared_slope(layers, activation, squared_gate_moments(gram(features.set), targets, bits)) *
               factor;
    };
    out.slope = slope.of(samples);
}

}  // namespace isserlis
