// SPDX-License-Identifier: MIT
#include "label_sets.hpp"

#include <algorithm>
#include <isserlis/error.hpp>

namespace isserlis::monte_carlo::detail {
namespace {

/// 1 for every weight edge at the place.
std::vector<char> edges_at(mlp::GraphLayout const& layout, std::string const& place) {
    std::vector<char> out;
    for (auto const& edge : layout.edges())
        out.push_back(edge.weighted && names_edge(place, edge.name, layout.nodes()[edge.to].name) ? 1 : 0);
    if (std::count(out.begin(), out.end(), 1) == 0) refuse_query("there are no weights at '" + printable(place) + "'");
    return out;
}

}  // namespace

void refuse_query(std::string const& why) { throw DomainError("`query`: " + why, "query"); }

LabelSets::LabelSets(mlp::GraphLayout const& layout, bool p_alone)
    : layout_(&layout), p_alone_(p_alone), all_(add(std::vector<char>(layout.edges().size(), 1))) {}

void LabelSets::restrict(std::vector<LabelRestriction> const& restrictions) {
    restricted_.clear();
    for (auto const& r : restrictions) {
        if (restricted_.count(r.label) != 0) refuse_query("'" + printable(r.label) + "' is restricted twice");
        std::vector<char> edges = edges_at(*layout_, r.first);
        if (r.first != r.last) {
            auto const last = edges_at(*layout_, r.last);
            auto const begin = std::find(edges.begin(), edges.end(), 1);
            auto const end = edges.begin() + (last.rend() - std::find(last.rbegin(), last.rend(), 1));
            if (begin >= end) refuse_query("the range " + printable(r.first) + ".." + printable(r.last) + " is empty");
            std::fill(begin, end, 1);
            std::fill(end, edges.end(), 0);
        }
        restricted_[r.label] = add(std::move(edges));
    }
}

LabelSets::Set LabelSets::of(std::string const& label) const {
    auto const found = restricted_.find(label);
    return found == restricted_.end() ? all_ : found->second;
}

LabelSets::Set LabelSets::add(std::vector<char> edges) {
    LabelSet out;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        auto const& edge = layout_->edges()[e];
        if (!edge.weighted) edges[e] = 0;
        if (edges[e] != 0) out.size += layout_->entries(edge) * (layout_->concatenated() && !p_alone_ ? 2 : 1);
    }
    // Equal sets are one set, so that equal derivatives are taken once.
    auto const found = std::find_if(sets_.begin(), sets_.end(), [&](LabelSet const& s) { return s.edges == edges; });
    if (found != sets_.end()) return &*found;
    out.edges = std::move(edges);
    return &sets_.emplace_back(std::move(out));
}

std::vector<std::size_t> const& LabelSets::weights(Set set) {
    auto& own = *std::find_if(sets_.begin(), sets_.end(), [&](LabelSet const& s) { return &s == set; });
    if (!own.weights.empty()) return own.weights;
    own.weights.reserve(own.size);
    auto const& all = layout_->weights();
    for (std::size_t w = 0; w < all.size(); ++w) {
        auto const& weight = all[w];
        if (own.edges[weight.edge] != 0 && !(p_alone_ && weight.negative)) own.weights.push_back(w);
    }
    return own.weights;
}

bool LabelSets::runs_over_biases(Set set, Graph<double, std::uint64_t> const& flat) const {
    auto const& nodes = flat.stages.front().nodes;
    return set == all_ && std::any_of(nodes.begin(), nodes.end(),
                                      [](auto const& node) { return node.bias && node.bias->label_factor != 0; });
}

EdgeFactors LabelSets::factors(Set set, Graph<double, std::uint64_t> const& flat) const {
    EdgeFactors out{.edges = {}, .biased_nodes = {}, .positive_side_alone = p_alone_};
    for (std::size_t e = 0; e < set->edges.size(); ++e) {
        double const factor = flat.stages.front().edges[e].label_factor;
        if (set->edges[e] != 0 && factor != 0) out.edges.emplace_back(e, factor);
    }
    if (!runs_over_biases(set, flat)) return out;
    auto const& nodes = flat.stages.front().nodes;
    for (std::size_t v = 1; v <= nodes.size(); ++v) {
        auto const& bias = nodes[v - 1].bias;
        if (bias && bias->label_factor != 0) out.biased_nodes.emplace_back(v, bias->label_factor);
    }
    return out;
}

}  // namespace isserlis::monte_carlo::detail
