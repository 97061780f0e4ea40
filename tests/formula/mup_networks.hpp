// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "layers.hpp"

namespace isserlis::testing {

/// muP variances, one rate for each layer; the last rate goes for those that are not listed.
template <class R>
[[nodiscard]] FullyConnected<R, std::uint64_t> mup_network(std::vector<R> const& widths, std::vector<R> const& rates) {
    auto net = network_of_widths(widths, ActivationKind::relu);
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        auto& run = net.layers[l];
        bool const head = l + 1 == net.layers.size();
        run.variance = head ? R(1) / (run.fan_in * run.fan_in) : R(2) / run.fan_in;
        run.label_factor = rates[l < rates.size() ? l : rates.size() - 1];
    }
    return net;
}

}  // namespace isserlis::testing
