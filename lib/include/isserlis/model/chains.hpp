// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace isserlis {

/// Only rationals occur in the network.
[[nodiscard]] bool is_rational(NumericModel const& model);

/// A network over the rationals and the numbers that its moments are multiples of.
struct RationalChain {
    FullyConnected<Rational, std::uint64_t> net;
    Rational squared_norm;
    Rational target_second;
};
[[nodiscard]] RationalChain over_rationals(NumericModel const& model);

/// The same with other layers, such as those of `layer_by_layer`.
[[nodiscard]] RationalChain over_rationals(NumericModel const& model, Numeric const& layers);

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
