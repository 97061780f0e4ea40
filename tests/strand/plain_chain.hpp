// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/ring/concept.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "partition.hpp"

/// The strand recursion in its plainest form, for chains of layers: all set partitions, no symmetries, no shared code
/// with the library. What the library reduces is compared with it.
namespace plain {

using namespace isserlis;

/// One weight layer as the strands see it, with the node that it leads into.
template <Ring R>
struct StrandLayer {
    R width;                        ///< n_v of the node above the weights
    R variance;                     ///< c of the entries
    std::vector<R> cumulants{};     ///< even cumulants k4, k6, .. of the entries; none for Gaussian weights
    R label_factor = R(1);          ///< what replaces a moment where a label is placed
    bool gated = false;             ///< does the node above gate its strands?
    std::vector<R> gate_moments{};  ///< E g^k, k = 0, 1, ..; needed up to the number of strands when gated
};

/// A derivative with respect to a weight, summed over all weights: the strands that carry it.
struct StrandLabel {
    std::vector<unsigned> strands;
    std::optional<std::size_t> layer{};  ///< only this weight layer (0 = the first), or any
};

/// A product of output coordinates and their weight derivatives, expanded into paths that run side by side.
template <Ring R>
struct Bundle {
    enum class Outputs {
        summed,
        fixed
    };                  ///< is each part of `outputs` summed over the neurons, or one fixed neuron of its own?
    Partition outputs;  ///< strands of equal output index
    Outputs output_indices = Outputs::summed;
    std::vector<StrandLabel> labels{};
    /// gram[a][b] = <x^a, x^b> of the inputs of strands a and b; power_sums[B] = sum_j prod_(a in B) x^a_j for larger
    /// B.
    std::vector<std::vector<R>> gram;
    std::map<std::vector<unsigned>, R> power_sums{};
};

namespace strand_detail {

/// n (n-1) .. (n-k+1).
template <Ring R>
R falling(R const& n, unsigned k) {
    R out(1);
    for (unsigned i = 0; i < k; ++i) out = out * (n - R(static_cast<int>(i)));
    return out;
}

/// Sum over the neurons of a node: `tied` are the strands forced together by what comes from above and below.
template <Ring R>
R index_sum(StrandLayer<R> const& layer, Partition const& tied) {
    if (!layer.gated) {
        R out(1);
        for (unsigned i = 0; i < tied.block_count(); ++i) out = out * layer.width;
        return out;
    }
    // Parts may share a neuron, and then its gate: sum over the partitions of the parts into distinct neurons.
    R sum(0);
    auto const parts = tied.parts();
    for (auto const& grouping : all_partitions(tied.block_count())) {
        R term = falling(layer.width, grouping.block_count());
        for (auto const& group : grouping.parts()) {
            std::size_t strands = 0;
            for (unsigned const b : group) strands += parts[b].size();
            term = term * layer.gate_moments.at(strands);
        }
        sum = sum + term;
    }
    return sum;
}

/// What one weight layer can do: a partition of the strands into parts of equal weights, the labels placed, the
/// factor.
template <Ring R>
struct LayerChoice {
    Partition rows;
    unsigned placed;
    R factor;
};

template <Ring R>
std::vector<LayerChoice<R>> choices(StrandLayer<R> const& layer, std::size_t index, unsigned strands,
                                    std::vector<StrandLabel> const& labels) {
    std::vector<LayerChoice<R>> out;
    for (unsigned placed = 0; placed < (1U << labels.size()); ++placed) {
        // A label removes this layer's weight from its strands; no strand passes the layer twice.
        std::vector<int> carrier(strands, -1);
        bool possible = true;
        R factor(1);
        for (std::size_t l = 0; l < labels.size(); ++l) {
            if ((placed >> l & 1U) == 0) continue;
            possible = possible && (!labels[l].layer || *labels[l].layer == index);
            factor = factor * layer.label_factor;
            for (unsigned const s : labels[l].strands) {
                possible = possible && carrier[s] < 0;
                carrier[s] = static_cast<int>(l);
            }
        }
        if (!possible) continue;
        for (auto const& rows : all_partitions(strands)) {
            R weight = factor;
            bool allowed = true;
            for (auto const& part : rows.parts()) {
                int const label = carrier[part.front()];
                for (unsigned const s : part) allowed = allowed && carrier[s] == label;
                if (label >= 0) {
                    allowed = allowed && part.size() == labels[static_cast<std::size_t>(label)].strands.size();
                } else if (part.size() == 2) {
                    weight = weight * layer.variance;
                } else {
                    std::size_t const k = part.size() / 2;
                    allowed = allowed && part.size() % 2 == 0 && k - 2 < layer.cumulants.size();
                    if (allowed) weight = weight * layer.cumulants[k - 2];
                }
                if (!allowed) break;
            }
            if (allowed) out.push_back({.rows = rows, .placed = placed, .factor = weight});
        }
    }
    return out;
}

}  // namespace strand_detail

/// Expectation of a bundle of strands through a chain of random weight layers, exactly at every width and depth.
///
/// Law     weights independent, symmetric, with the variances and even cumulants given; gates are fair coins (symmetric
///         weights without ties), one input where a gate is on the way.
/// Shape   `layers` from the input side up; the last one leads into the outputs.
/// Errors  UnsupportedError when a gated row is visited an odd number of times (its expectation is not rational), or
///         several inputs meet a gate; DomainError for a power sum of the inputs that is missing.
/// Source  the transfer recursion of docs/strands.md, section "The recursion"; knows no published formula.
template <Ring R>
[[nodiscard]] R expectation(Bundle<R> const& bundle, std::vector<StrandLayer<R>> const& layers) {
    using namespace strand_detail;
    unsigned const strands = bundle.outputs.size();
    for (auto const& label : bundle.labels) {
        if (label.strands.size() % 2 == 0) continue;
        throw UnsupportedError("expectation: a label sits on " + std::to_string(label.strands.size()) +
                               " strands; an odd number leaves a weight without a partner");
    }
    if (layers.back().gated) {
        for (auto const& part : bundle.outputs.parts()) {
            if (part.size() % 2 == 0) continue;
            throw UnsupportedError("expectation: a gated output is visited by " + std::to_string(part.size()) +
                                   " strands; an odd number brings in absolute moments, which are not rational");
        }
    }
    using State = std::pair<Partition, unsigned>;  // where the strands are tied, and the labels placed so far
    std::map<State, R> states{{{bundle.outputs, 0U}, R(1)}};
    for (std::size_t index = layers.size(); index-- > 0;) {
        auto const& layer = layers[index];
        bool const output = index + 1 == layers.size();
        auto const options = choices(layer, index, strands, bundle.labels);
        std::map<State, R> below;
        for (auto const& [state, value] : states) {
            auto const& [above, placed] = state;
            for (auto const& option : options) {
                if ((option.placed & placed) != 0) continue;
                R sum(1);
                if (output && bundle.output_indices == Bundle<R>::Outputs::fixed) {
                    // Fixed distinct neurons: weights of different rows are never equal.
                    if (!option.rows.refines(above)) continue;
                    for (auto const& part : above.parts()) {
                        if (layer.gated) sum = sum * layer.gate_moments.at(part.size());
                    }
                } else {
                    sum = index_sum(layer, join(above, option.rows));
                }
                R const term = value * option.factor * sum;
                auto const [at, fresh] = below.try_emplace({option.rows, placed | option.placed}, term);
                if (!fresh) at->second = at->second + term;
            }
        }
        states = std::move(below);
    }
    R total(0);
    unsigned const all = (1U << bundle.labels.size()) - 1;
    for (auto const& [state, value] : states) {
        if (state.second != all) continue;
        R product = value;
        for (auto const& part : state.first.parts()) {
            if (part.size() == 2) {
                product = product * bundle.gram[part[0]][part[1]];
                continue;
            }
            auto const at = bundle.power_sums.find(part);
            if (at == bundle.power_sums.end()) {
                throw DomainError("expectation: the sum of x_j^" + std::to_string(part.size()) +
                                  " over the input is needed");
            }
            product = product * at->second;
        }
        total = total + product;
    }
    return total;
}

}  // namespace plain
