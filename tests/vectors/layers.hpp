// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/scheme.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace vectors {

using Count = std::uint64_t;

/// The weight layers between the widths of a vector, variances still to be given.
template <class R>
std::vector<isserlis::LayerRun<R, Count>> layers_of(nlohmann::json const& widths) {
    std::vector<isserlis::LayerRun<R, Count>> out;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        out.push_back(
            {.fan_in = R(widths[q - 1].template get<int>()), .fan_out = R(widths[q].template get<int>()), .count = 1});
    }
    return out;
}

/// The same with the variances of the proportional scheme.
template <class R>
std::vector<isserlis::LayerRun<R, Count>> proportional_layers(nlohmann::json const& widths) {
    auto out = layers_of<R>(widths);
    isserlis::Activation<R> const linear{.kind = isserlis::ActivationKind::linear};
    for (auto& run : out)
        run.variance =
            isserlis::weight_variance(isserlis::Scheme::proportional, linear, run.fan_in, run.fan_out, false);
    return out;
}

}  // namespace vectors
