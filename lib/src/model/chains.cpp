// SPDX-License-Identifier: MIT
#include <isserlis/model/chains.hpp>

#include <algorithm>
#include <isserlis/ring/members.hpp>

namespace isserlis {
namespace {

template <class R>
std::vector<LayerRun<R, std::uint64_t>> one_by_one(LayerRun<R, std::uint64_t> run) {
    auto const count = run.count;
    run.count = 1;
    return std::vector<LayerRun<R, std::uint64_t>>(count, run);
}

}  // namespace

std::optional<Numeric> layer_by_layer(Numeric const& net, std::uint64_t most) {
    std::uint64_t layers = 0;
    for (auto const& run : net.layers) layers += run.count;
    if (layers > most) return std::nullopt;
    Numeric out = net;
    out.layers.clear();
    for (auto const& run : net.layers) {
        for (auto const& layer : one_by_one(run)) out.layers.push_back(layer);
    }
    return out;
}

std::optional<FullyConnected<RationalFunction, std::uint64_t>> layer_by_layer(Symbolic const& net, std::uint64_t most) {
    FullyConnected<RationalFunction, std::uint64_t> out;
    out.activation = net.activation;
    out.gated_head = net.gated_head;
    for (auto const& run : net.layers) {
        if (!run.count.is_constant()) return std::nullopt;
        auto const same = replaced<Exponent, std::uint64_t>(
            run, [](Exponent const& count) { return checked_count(numerator_of(count.constant())); });
        if (out.layers.size() + same.count > most) return std::nullopt;
        for (auto const& layer : one_by_one(same)) out.layers.push_back(layer);
    }
    return out;
}

std::optional<DepthSymbols> depth_symbols(Symbolic const& net) {
    std::optional<DepthSymbols> out;
    for (auto const& run : net.layers) {
        if (run.count.is_constant()) continue;
        auto const widths = run.fan_out.symbols();
        auto const counts = run.count.symbols();
        if (out || widths.size() != 1 || counts.size() != 1) return std::nullopt;
        out = {.width = widths.front(), .depth = counts.front().first};
    }
    return out;
}

}  // namespace isserlis
