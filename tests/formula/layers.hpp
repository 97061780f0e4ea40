// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/network/fully_connected.hpp>
#include <utility>
#include <vector>

namespace isserlis::testing {

/// One run of layers.
template <class R, class Count>
[[nodiscard]] LayerRun<R, Count> layer(R const& fan_in, R const& fan_out, Count const& count,
                                       R const& variance = R(1)) {
    return {.fan_in = fan_in, .fan_out = fan_out, .count = count, .variance = variance};
}

template <class R, class Count>
[[nodiscard]] LayerRun<R, Count> layer(R const& fan_in, R const& fan_out, Count const& count, R const& variance,
                                       LawKind law, R const& kurtosis = R(0)) {
    return {.fan_in = fan_in,
            .fan_out = fan_out,
            .count = count,
            .variance = variance,
            .law = {.kind = law, .kurtosis_value = kurtosis}};
}

/// Runs with an activation.
template <class R, class Count>
[[nodiscard]] FullyConnected<R, Count> network(std::vector<LayerRun<R, Count>> layers, ActivationKind kind,
                                               R const& slope = R(0)) {
    return {.layers = std::move(layers), .activation = {.kind = kind, .slope = slope}};
}

/// Consecutive widths, one run per layer, all of unit variance.
template <class R>
[[nodiscard]] FullyConnected<R, std::uint64_t> network_of_widths(std::vector<R> const& widths, ActivationKind kind,
                                                                 R const& slope = R(0)) {
    std::vector<LayerRun<R, std::uint64_t>> layers;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
        layers.push_back(layer(widths[i], widths[i + 1], std::uint64_t{1}));
    }
    return network(std::move(layers), kind, slope);
}

}  // namespace isserlis::testing
