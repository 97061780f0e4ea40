// SPDX-License-Identifier: MIT
#include <isserlis/formula/two_layer_curvature.hpp>

#include "gate_curvature.hpp"
#include "gram_inputs.hpp"
#include "pair_means.hpp"

namespace isserlis {

double two_layer_curvature(std::vector<LayerRun<double, std::uint64_t>> const& layers,
                           Activation<double> const& activation, Rows<double> const& inputs,
                           Rows<double> const& gradients, std::vector<Rows<double>> const& hessians) {
    loss_curve_detail::require_samples("inputs", inputs.size(), inputs.size());
    loss_curve_detail::require_columns("input", inputs, inputs.front().size());
    require_two_gated_layers(layers, activation, inputs.size(), gradients, hessians);
    auto const net = layer_factors<double>(layers, [](double x) { return x; });
    DoubleRows const samples(inputs);
    return gate_curvature(PairedSamples<double, DoubleRows>(samples, gradients, hessians), net,
                          activation.gate().negative);
}

Interval two_layer_curvature(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                             Activation<Surd> const& activation, Rows<Rational> const& inner,
                             Rows<Enclosed> const& gradients, std::vector<Rows<Enclosed>> const& hessians,
                             unsigned bits) {
    loss_curve_detail::require_samples("inputs", inner.size(), inner.size());
    loss_curve_detail::require_columns("row of inner products", inner, inner.size());
    require_two_gated_layers(layers, activation, inner.size(), gradients, hessians);
    IntervalKernels const kernels{bits + guard_bits};
    auto const of = [&](Surd const& x) { return enclosed(x, kernels.bits); };
    auto const net = layer_factors<Enclosed>(layers, of);
    GramInputs const samples(inner, inner, kernels);
    return gate_curvature(PairedSamples<Enclosed, GramInputs>(samples, gradients, hessians), net,
                          of(activation.gate().negative))
        .enclose(kernels.bits);
}

}  // namespace isserlis
