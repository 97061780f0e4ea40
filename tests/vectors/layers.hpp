// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>

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

}  // namespace vectors
