// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "question/session.hpp"

namespace isserlis::quantity {

/// A layer of a network and how it is called: a number, or a formula such as "L + 1" at symbolic depth.
template <class Count>
struct LayerPlace {
    std::string label;
    std::size_t run;      ///< index into `layers`
    Count within;         ///< how many layers of that run are below it, itself included
    bool is_any = false;  ///< the label is a letter for any layer of that run
};

/// The network cut off above a layer; that layer becomes the last one.
template <class R, class Count>
[[nodiscard]] FullyConnected<R, Count> up_to(FullyConnected<R, Count> const& net, LayerPlace<Count> const& place) {
    FullyConnected<R, Count> out = net;
    out.layers.resize(place.run + 1);
    out.layers.back().count = place.within;
    return out;
}

/// Is it the last layer of the network?
template <class R, class Count>
[[nodiscard]] bool is_last_layer(FullyConnected<R, Count> const& net, LayerPlace<Count> const& place) {
    return place.run + 1 == net.layers.size() && place.within == net.layers.back().count;
}

/// The number of weight layers, as text: "4" or "L + 1".
[[nodiscard]] std::string depth_text(std::vector<LayerRun<Surd, std::uint64_t>> const& layers);
[[nodiscard]] std::string depth_text(std::vector<LayerRun<RationalFunction, Exponent>> const& layers);

/// The layers to print: all, or the one that `layer` names. At symbolic depth a repeated run has one generic layer l;
/// its range, and from which depth on layer K of `layer` is there, are declared to the answer. `layer` k, a letter that is
/// not the network's, is any layer of the one repeated run that there is.
/// Errors  DomainError for a layer that does not exist.
[[nodiscard]] std::vector<LayerPlace<std::uint64_t>> layer_places(
    std::vector<LayerRun<Surd, std::uint64_t>> const& layers, std::optional<std::string> const& only, Answer& answer);
[[nodiscard]] std::vector<LayerPlace<Exponent>> layer_places(
    std::vector<LayerRun<RationalFunction, Exponent>> const& layers, std::optional<std::string> const& only,
    Answer& answer);

}  // namespace isserlis::quantity
