// SPDX-License-Identifier: MIT
#include <isserlis/data/built_in.hpp>
#include <isserlis/loss_curve/numbers.hpp>
#include <isserlis/network/scheme.hpp>

#include <iostream>

using namespace isserlis;

int main() {
    Numeric net;
    net.activation.kind = ActivationKind::linear;
    net.layers = layers_between<Surd, std::uint64_t>(
        {{.width = 2, .count = 1}, {.width = 10, .count = 3}, {.width = 1, .count = 1}});
    for (auto& run : net.layers)
        run.variance = weight_variance(Scheme::xavier, net.activation, run.fan_in, run.fan_out, false);

    // Gradients of the loss at the network's own outputs; nothing is sampled.
    CurveData data;
    data.set = cosine_data(16);
    LossCurveNumbers const curve = loss_curve_numbers(model_of(net), data, {});
    std::cout << "loss:        " << *curve.loss.value().exact() << '\n'
              << "slope:       " << *curve.slope.value().exact() << '\n'
              << "curvature:   " << *curve.curvature.value().decimal(17) << '\n'
              << "vertex rate: " << *curve.vertex_rate.value().exact() << '\n';
}
