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

LabelSets::LabelSets(mlp::GraphLayout const& layout, std::vector<LabelRestriction> const& restrictions, bool p_alone)
    : p_alone_(p_alone), all_(add(layout, std::vector<char>(layout.edges().size(), 1))) {
    for (auto const& r : restrictions) {
        if (restricted_.count(r.label) != 0) refuse_query("'" + printable(r.label) + "' is restricted twice");
        std::vector<char> edges = edges_at(layout, r.first);
        if (r.first != r.last) {
            auto const last = edges_at(layout, r.last);
            auto const begin = std::find(edges.begin(), edges.end(), 1);
            auto const end = edges.begin() + (last.rend() - std::find(last.rbegin(), last.rend(), 1));
            if (begin >= end) refuse_query("the range " + printable(r.first) + ".." + printable(r.last) + " is empty");
            std::fill(begin, end, 1);
            std::fill(end, edges.end(), 0);
        }
        restricted_[r.label] = add(layout, edges);
    }
}

LabelSets::Set LabelSets::of(std::string const& label) const {
    auto const found = restricted_.find(label);
    return found == restricted_.end() ? all_ : found->second;
}

LabelSets::Set LabelSets::add(mlp::GraphLayout const& layout, std::vector<char> const& edges) {
    std::vector<std::size_t> weights;
    for (std::size_t w = 0; w < layout.weights().size(); ++w)
        if (edges[layout.weights()[w].edge] != 0 && !(p_alone_ && layout.weights()[w].negative)) weights.push_back(w);
    // Equal sets are one set, so that equal derivatives are taken once.
    auto const found = std::find(sets_.begin(), sets_.end(), weights);
    return found != sets_.end() ? &*found : &sets_.emplace_back(std::move(weights));
}

}  // namespace isserlis::monte_carlo::detail
