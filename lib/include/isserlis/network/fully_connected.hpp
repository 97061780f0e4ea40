// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/activation.hpp>
#include <isserlis/network/bias.hpp>
#include <isserlis/network/weight_law.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// `count` equal weight layers in a row, each fan_out x fan_in.
/// R is the number type of widths and variances, Count that of repeats (a machine integer, or linear in symbols).
template <class R, class Count>
struct LayerRun {
    R fan_in;
    R fan_out;
    Count count;
    R variance{};        ///< of each entry
    WeightLaw<R> law{};  ///< of each entry
    /// Multiplies a summed pair of derivatives by these weights; in a gradient step the layer's rate. The variance
    /// itself gives derivatives by parameters of variance 1, the NTK parametrisation.
    R label_factor = R(1);
    std::optional<Bias<R>> bias{};  ///< what each of the layers adds to W h; none is 0
    static constexpr auto members =
        std::tuple{&LayerRun::fan_in, &LayerRun::fan_out,      &LayerRun::count, &LayerRun::variance,
                   &LayerRun::law,    &LayerRun::label_factor, &LayerRun::bias};
};

/// A fully connected network, described and not sampled: z^l = W^l h^(l-1) + b^l, h^l = phi(z^l), h^0 = x.
/// Repeated layers stay runs, so that a million equal layers or L of them cost the same.
template <class R, class Count>
struct FullyConnected {
    std::vector<LayerRun<R, Count>> layers;  ///< input side first; every run has at least one layer
    Activation<R> activation;
    bool gated_head = false;  ///< whether the activation acts on the output layer too
    static constexpr auto members =
        std::tuple{&FullyConnected::layers, &FullyConnected::activation, &FullyConnected::gated_head};

    [[nodiscard]] R const& input_width() const { return layers.front().fan_in; }
    [[nodiscard]] R const& output_width() const { return layers.back().fan_out; }
};

/// The network of the first `most` layers, whose output is that of layer `most`; 1 <= most.
template <class R>
[[nodiscard]] FullyConnected<R, std::uint64_t> first_layers(FullyConnected<R, std::uint64_t> const& net,
                                                            std::uint64_t most) {
    FullyConnected<R, std::uint64_t> out{.layers = {}, .activation = net.activation, .gated_head = net.gated_head};
    for (auto run : net.layers) {
        if (most == 0) break;
        run.count = std::min(run.count, most);
        most -= run.count;
        out.layers.push_back(std::move(run));
    }
    return out;
}

/// Weight layers, all runs together.
template <class R>
[[nodiscard]] std::uint64_t depth(FullyConnected<R, std::uint64_t> const& net) {
    std::uint64_t out = 0;
    for (auto const& run : net.layers) out += run.count;
    return out;
}

/// The same layers with weights of variance 1 and without label factors: their shapes and laws, which have no roots.
template <class R, class Count>
[[nodiscard]] std::vector<LayerRun<R, Count>> of_unit_variance(std::vector<LayerRun<R, Count>> layers) {
    for (auto& run : layers) run.variance = run.label_factor = R(1);
    return layers;
}

/// `count` equal widths in a row.
template <class R, class Count>
struct WidthRun {
    R width;
    Count count;
};

/// Weight layers between consecutive widths. A run of c equal widths has c - 1 layers inside it and one that leads in.
template <class R, class Count>
[[nodiscard]] std::vector<LayerRun<R, Count>> layers_between(std::vector<WidthRun<R, Count>> const& widths) {
    std::vector<LayerRun<R, Count>> out;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        auto const& [width, count] = widths[i];
        if (i > 0) out.push_back({.fan_in = widths[i - 1].width, .fan_out = width, .count = Count(1)});
        Count const inside = count - Count(1);
        if (!(inside == Count(0))) out.push_back({.fan_in = width, .fan_out = width, .count = inside});
    }
    return out;
}

}  // namespace isserlis
