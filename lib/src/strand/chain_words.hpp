// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/strand/places.hpp>
#include <isserlis/words/trace_moments.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

/// The matrices of a chain without gates, by layer from the input on; none where it is another network, or a repeat
/// count a symbol.
template <class R, class Count>
class ChainMatrices {
public:
    struct Layer {
        std::size_t stage;
        R fan_in;
        R fan_out;
        R variance;
        bool alone;  ///< not one of several copies of a stage
    };

    [[nodiscard]] static std::optional<std::vector<Layer>> of(NamedNetwork<R, Count> const& network) {
        auto const& graph = network.graph();
        if (graph.sides != WeightSides::one) return std::nullopt;
        std::vector<Layer> out;
        R below = graph.input_width;
        for (std::size_t b = 0; b < graph.stages.size(); ++b) {
            auto const& stage = graph.stages[b];
            auto const copies = number_of(stage.count);
            if (!copies || stage.edges.size() != 1) return std::nullopt;  // each node has an edge into it
            auto const& node = stage.nodes.front();
            auto const& edge = stage.edges.front();
            bool const open = !node.gate || *node.gate == Gate<R>::open();
            if (!open || edge.kind != GraphEdge<R>::Kind::weight || edge.law.kind != LawKind::gaussian ||
                edge.orthogonal || out.size() + *copies > most_layers)
                return std::nullopt;
            for (std::uint64_t copy = 0; copy < *copies; ++copy) {
                out.push_back({.stage = b,
                               .fan_in = below,
                               .fan_out = node.width,
                               .variance = edge.variance,
                               .alone = *copies == 1});
                below = node.width;
            }
        }
        return out;
    }

    static constexpr std::size_t most_layers = 50;

private:
    static std::optional<std::uint64_t> number_of(std::uint64_t count) { return count; }
    static std::optional<std::uint64_t> number_of(Exponent const& count) {
        if (!count.is_constant() || numerator_of(count.constant()) > Integer(most_layers)) return std::nullopt;
        return checked_count(numerator_of(count.constant()));
    }
};

/// The traces that a bundle is a product of, if its strands are entries of Jacobians and matrices of the chain, tied in
/// rings by letters that are summed; letters of the top layer are least, so that it is worked out first.
template <class Layer>
[[nodiscard]] std::optional<words::TraceProduct> chain_traces(Bundle const& bundle, std::vector<Layer> const& layers) {
    if (!bundle.labels.empty() || !bundle.constants.empty()) return std::nullopt;
    // Each letter has two places: strand and end.
    std::vector<std::vector<std::pair<std::size_t, bool>>> places(bundle.letters.size());
    std::vector<words::Word> words_of;
    for (std::size_t s = 0; s < bundle.strands.size(); ++s) {
        auto const& strand = bundle.strands[s];
        if (!strand.end_letter) return std::nullopt;
        places[strand.letter].emplace_back(s, false);
        places[*strand.end_letter].emplace_back(s, true);
        auto const at = std::find_if(layers.begin(), layers.end(), [&](Layer const& l) {
            return l.alone && l.stage == strand.start.stage && strand.start.node == 1;
        });
        if (at == layers.end()) return std::nullopt;
        words::Word word;
        auto top = static_cast<std::size_t>(at - layers.begin()) + 1;
        for (std::size_t l = top; l > (strand.matrix ? top - 1 : 0); --l)
            word += words::letter(layers.size() - l, false, false);
        words_of.push_back(std::move(word));
    }
    for (std::size_t letter = 0; letter < places.size(); ++letter) {
        if (bundle.letters[letter] != 0 || places[letter].size() != 2) return std::nullopt;
    }
    words::TraceProduct out;
    std::vector<bool> seen(bundle.strands.size());
    for (std::size_t first = 0; first < seen.size(); ++first) {
        if (seen[first]) continue;
        words::Word ring;
        std::size_t s = first;
        bool backwards = false;  // from the end of the strand to its start
        do {
            seen[s] = true;
            ring += backwards ? words::transposed(words_of[s]) : words_of[s];
            unsigned const letter = backwards ? bundle.strands[s].letter : *bundle.strands[s].end_letter;
            auto const& both = places[letter];
            auto const& next = both[both[0] == std::pair(s, !backwards) ? 1 : 0];
            s = next.first;
            backwards = next.second;
        } while (s != first);
        out.push_back(words::canonical(ring));
    }
    words::sort_traces(out);
    return out;
}

/// The value of a bundle of a chain without gates that is a product of traces of words in its Gaussian matrices; none for
/// other bundles and networks, and past the limits of words.
///
/// Law     independent normal weights.
/// Errors  none.
/// Source  docs/random_matrices.md: a second way to what the strand recursion does, whose states a word may have too many of.
template <class R, class Count>
[[nodiscard]] std::optional<R> value_by_words(NamedNetwork<R, Count> const& network, Bundle const& bundle) {
    auto const layers = ChainMatrices<R, Count>::of(network);
    auto const traces = layers ? chain_traces(bundle, *layers) : std::nullopt;
    if (!traces) return std::nullopt;
    auto const dimension = [](R const& width) {
        if constexpr (std::is_same_v<R, RationalFunction>) {
            return width;
        } else if constexpr (std::is_same_v<R, Surd>) {
            return RationalFunction(width.to_rational());
        } else {
            return RationalFunction(Rational(width));
        }
    };
    std::vector<words::RandomMatrix> matrices;
    for (std::size_t l = layers->size(); l-- > 0;) {
        matrices.push_back({.name = "W" + std::to_string(l + 1),
                            .rows = dimension((*layers)[l].fan_out),
                            .columns = dimension((*layers)[l].fan_in)});
    }
    try {
        words::TraceMoments moments(matrices);
        RationalFunction const mean = moments.mean(*traces);
        R out(0);
        if constexpr (std::is_same_v<R, RationalFunction>) {
            out = mean;
        } else if constexpr (std::is_same_v<R, double>) {
            out = mean.evaluate({}).to_rational().convert_to<double>();
        } else {
            out = R(mean.evaluate({}).to_rational());
        }
        auto const times = words::letter_counts(*traces, layers->size());
        for (std::size_t k = 0; k < times.size(); ++k)
            out = out * power((*layers)[layers->size() - 1 - k].variance, std::uint64_t{times[k] / 2});
        return out;
    } catch (UnsupportedError const&) {
        return std::nullopt;
    }
}

}  // namespace isserlis
