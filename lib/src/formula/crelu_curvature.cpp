// SPDX-License-Identifier: MIT
#include "formula/crelu_curvature.hpp"

#include "gram_inputs.hpp"
#include "pair_means.hpp"

namespace isserlis {
double crelu_curvature_of_two_layers(std::vector<LayerRun<double, std::uint64_t>> const& layers,
                                     Rows<double> const& inputs, Rows<double> const& gradients,
                                     std::vector<Rows<double>> const& hessians) {
    loss_curve_detail::require_samples("inputs", inputs.size(), inputs.size());
    loss_curve_detail::require_columns("input", inputs, inputs.front().size());
    require_two_layers(layers, "crelu", inputs.size(), gradients, hessians);
    auto const net = layer_factors<double>(layers, [](double x) { return x; });
    DoubleRows const samples(inputs);
    return crelu_curvature(PairedSamples<double, DoubleRows>(samples, gradients, hessians), net);
}

Interval crelu_curvature_of_two_layers(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                       InputGrams const& inputs, Rows<Enclosed> const& gradients,
                                       std::vector<Rows<Enclosed>> const& hessians, unsigned bits) {
    require_grams(inputs, "gradients", gradients.size());
    require_two_layers(layers, "crelu", inputs.inner.size(), gradients, hessians);
    IntervalKernels const kernels{bits + guard_bits};
    auto const net = layer_factors<Enclosed>(layers, [&](Surd const& x) { return enclose(x, kernels.bits); });
    GramInputs const samples(inputs.inner, inputs.rectified, kernels);
    return crelu_curvature(PairedSamples<Enclosed, GramInputs>(samples, gradients, hessians), net)
        .enclose(kernels.bits);
}

}  // namespace isserlis
