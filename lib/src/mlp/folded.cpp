// SPDX-License-Identifier: MIT
#include <isserlis/mlp/folded.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <utility>

namespace isserlis::mlp {
namespace {

Architecture without_norm_and_dropout(Architecture const& architecture) {
    auto traits = architecture.traits();
    for (auto& t : traits) {
        t.bias = t.bias || t.batch_norm;
        t.batch_norm = false;
        t.keep = 1;
    }
    return {architecture.wiring(), std::move(traits)};
}

}  // namespace

template <class T>
FoldedNetwork<T> folded(Architecture const& architecture, std::vector<T> const& parameters, Moments<T> const& moments) {
    auto const& wiring = architecture.wiring();
    if (parameters.size() != architecture.parameters() || moments.mean.size() != architecture.normed_neurons() ||
        moments.deviation.size() != architecture.normed_neurons())
        throw DomainError("folded: " + std::to_string(parameters.size()) + " parameters and " +
                              std::to_string(moments.mean.size()) + " moments; " +
                              std::to_string(architecture.parameters()) + " and " +
                              std::to_string(architecture.normed_neurons()) + " are required",
                          "parameters");
    FoldedNetwork<T> out{without_norm_and_dropout(architecture), {}};
    out.parameters.resize(out.architecture.parameters());
    std::copy_n(parameters.begin(), wiring.size(), out.parameters.begin());
    for (std::size_t v = 0; v < wiring.nodes().size(); ++v) {
        auto const& node = wiring.nodes()[v];
        auto from = [&](ParameterKind kind) {
            auto const* range = architecture.range(v, kind);
            return range == nullptr ? nullptr : parameters.data() + range->first;
        };
        if (auto const* slope = out.architecture.range(v, ParameterKind::slope))
            out.parameters[slope->first] = *from(ParameterKind::slope);
        T const* const bias = from(ParameterKind::bias);
        auto const* const new_bias = out.architecture.range(v, ParameterKind::bias);
        if (new_bias == nullptr) continue;
        if (bias != nullptr) std::copy_n(bias, node.width, out.parameters.data() + new_bias->first);
        if (!architecture.traits()[v].batch_norm) continue;
        for (std::size_t i = 0; i < node.width; ++i) {
            std::size_t const place = architecture.first_normed(v) + i;
            T const deviation = moments.deviation[place];
            T const factor = from(ParameterKind::gain)[i] /
                             std::sqrt(deviation * deviation + static_cast<T>(architecture.traits()[v].epsilon));
            T& moved = out.parameters[new_bias->first + i];
            moved = factor * (moved - moments.mean[place]) + from(ParameterKind::shift)[i];
            for (std::size_t const e : node.incoming) {
                auto const& edge = wiring.edges()[e];
                if (!edge.weighted)
                    throw UnsupportedError("folded: node " + printable(node.name) +
                                               " has batch norm over a skip edge, which no matrix can take up",
                                           "architecture");
                std::size_t const fan_in = wiring.nodes()[edge.from].width;
                auto scale = [&](std::size_t first) {
                    for (std::size_t j = 0; j < fan_in; ++j) out.parameters[first + i * fan_in + j] *= factor;
                };
                scale(edge.first);
                if (wiring.concatenated()) scale(edge.negative);
            }
        }
    }
    return out;
}

template FoldedNetwork<float> folded(Architecture const&, std::vector<float> const&, Moments<float> const&);
template FoldedNetwork<double> folded(Architecture const&, std::vector<double> const&, Moments<double> const&);

}  // namespace isserlis::mlp
