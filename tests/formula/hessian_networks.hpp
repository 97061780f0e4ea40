// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/zoo.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/strand/expectation.hpp>

#include <string>
#include <vector>

#include "layers.hpp"

/// Networks for formulas with label factors, and what the strand engine says about them.
namespace isserlis::testing {

using Count = std::uint64_t;

/// He variances 2/fan_in and label factors eta^2/fan_in with eta = 1.
template <class R>
[[nodiscard]] FullyConnected<R, Count> effective_network(std::vector<R> const& widths) {
    auto net = network_of_widths(widths, ActivationKind::relu);
    for (auto& run : net.layers) {
        run.variance = R(2) / run.fan_in;
        run.label_factor = R(1) / run.fan_in;
    }
    return net;
}

/// Variances and label factors without a pattern; they repeat after a while, so that their denominators stay few.
[[nodiscard]] inline FullyConnected<Rational, Count> raw_network(std::vector<int> const& widths,
                                                                 Rational const& slope) {
    auto net = network_of_widths(std::vector<Rational>(widths.begin(), widths.end()), ActivationKind::leaky, slope);
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        int const k = static_cast<int>(l % 5);
        net.layers[l].variance = ratio(k + 2, 3);
        net.layers[l].label_factor = ratio(2 * k + 1, k + 2);
    }
    return net;
}

template <class R>
[[nodiscard]] FullyConnected<R, Count> over(FullyConnected<Rational, Count> const& net) {
    auto convert = [](Rational const& x) {
        if constexpr (std::is_floating_point_v<R>) {
            return x.convert_to<R>();
        } else {
            return R(x);
        }
    };
    FullyConnected<R, Count> out;
    out.activation = {.kind = net.activation.kind, .slope = convert(net.activation.slope)};
    for (auto const& run : net.layers) {
        out.layers.push_back({.fan_in = convert(run.fan_in),
                              .fan_out = convert(run.fan_out),
                              .count = run.count,
                              .variance = convert(run.variance),
                              .label_factor = convert(run.label_factor)});
    }
    return out;
}

/// The expectation of a query by strands.
[[nodiscard]] inline Rational by_strands(FullyConnected<Rational, Count> const& net, std::string const& query,
                                         Rational const& square, Rational const& target_second = 1) {
    ObservableSetting<Rational> setting;
    setting.inputs.squared_norm = square;
    setting.target_second = target_second;
    return expectation(parse_query(query), chain_graph(net), setting, {});
}

}  // namespace isserlis::testing
