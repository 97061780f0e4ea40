// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace isserlis {

/// One run per layer; nothing at symbolic depth or above `most` layers.
[[nodiscard]] std::optional<Numeric> layer_by_layer(Numeric const& net, std::uint64_t most);
[[nodiscard]] std::optional<FullyConnected<RationalFunction, std::uint64_t>> layer_by_layer(Symbolic const& net,
                                                                                            std::uint64_t most);

/// The name of the symbol that counts the layers of the one repeated run, if the depth is symbolic, and its width.
struct DepthSymbols {
    std::string width;
    std::string depth;
};
[[nodiscard]] std::optional<DepthSymbols> depth_symbols(Symbolic const& net);

}  // namespace isserlis
