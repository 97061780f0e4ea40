// SPDX-License-Identifier: MIT
#include "query_axes.hpp"

#include <algorithm>
#include <cstdint>
#include <isserlis/error.hpp>

namespace isserlis::monte_carlo::detail {

void QueryAxes::measure(ScopedSum const& sum, std::vector<LabelRestriction> const& restrictions) {
    labels_.restrict(restrictions);
    sets_.clear();
    axes_.clear();
    widths_.clear();
    measure(sum);
}

LabelSets::Set QueryAxes::label(std::string const& name) const {
    auto const found = sets_.find(name);
    return found == sets_.end() ? nullptr : found->second;
}

std::string QueryAxes::range(std::string const& name) const {
    auto const* const set = label(name);
    return set == nullptr ? "n" + std::to_string(widths_.at(name).first)
                          : "l" + std::to_string(reinterpret_cast<std::uintptr_t>(set));
}

void QueryAxes::measure(ScopedSum const& sum) {
    for (auto const& term : sum.terms)
        for (auto const& factor : term.factors) {
            if (factor.bracket) measure(*factor.bracket);
            for (std::size_t p = 0; p < factor.places.size(); ++p) measure(factor, p);
            for (auto const& label : factor.labels) {
                if (sets_.count(label) != 0) continue;
                sets_[label] = labels_.of(written(label));
                axes_[label] = program_.add_axis(sets_[label]->size);
            }
        }
}

std::size_t QueryAxes::node_of(ScopedFactor const& factor) const {
    auto const& nodes = layout_.nodes();
    bool const named = factor.kind == ScopedFactor::Kind::output || factor.kind == ScopedFactor::Kind::entry;
    if (!named || factor.name.empty()) return layout_.output();
    auto const found =
        std::find_if(nodes.begin(), nodes.end(), [&](auto const& node) { return node.name == factor.name; });
    if (found == nodes.end()) refuse_query("there is no node '" + printable(factor.name) + "'");
    return static_cast<std::size_t>(found - nodes.begin());
}

std::size_t QueryAxes::edge_of(ScopedFactor const& factor) const {
    auto const& edges = layout_.edges();
    if (layout_.concatenated()) refuse_query("entries of P and N are not sampled");
    std::vector<std::size_t> found;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges[e].weighted && names_edge(factor.name, edges[e].name, layout_.nodes()[edges[e].to].name))
            found.push_back(e);
    }
    if (found.size() != 1) refuse_query("there is no one matrix called '" + printable(factor.name) + "'");
    return found.front();
}

std::string QueryAxes::described(ScopedFactor const& factor) const {
    if (factor.kind == ScopedFactor::Kind::constant) return printable(factor.name);
    if (factor.kind == ScopedFactor::Kind::target) return "y";
    if (factor.kind == ScopedFactor::Kind::entry)
        return (factor.matrix ? "W{" : "J{") + (factor.name.empty() ? "" : printable(factor.name)) + "}";
    std::string const letter = factor.activated ? "h" : "z";
    return factor.name.empty() ? letter : letter + "{" + printable(factor.name) + "}";
}

std::size_t QueryAxes::width_of(ScopedFactor const& factor, std::size_t place) const {
    if (factor.kind == ScopedFactor::Kind::entry) {
        auto const& nodes = layout_.nodes();
        if (!factor.matrix) return nodes[place == 0 ? node_of(factor) : 0].width;
        auto const& edge = layout_.edges()[edge_of(factor)];
        return nodes[place == 0 ? edge.to : edge.from].width;
    }
    if (factor.kind != ScopedFactor::Kind::constant) return layout_.nodes()[node_of(factor)].width;
    bool const vector = factor.places.size() == 1;
    auto const v = settings_.vectors.find(factor.name);
    auto const m = settings_.matrices.find(factor.name);
    if (vector && v != settings_.vectors.end()) return v->second.size();
    if (!vector && m != settings_.matrices.end()) return m->second.size();
    refuse_query("the " + std::string(vector ? "vector " : "matrix ") + printable(factor.name) + " is not given");
}

void QueryAxes::measure(ScopedFactor const& factor, std::size_t which) {
    Place const& place = factor.places[which];
    std::size_t const width = width_of(factor, which);
    if (place.axis.empty()) {
        if (place.fixed > width)
            refuse_query(described(factor) + " has " + std::to_string(width) + " neurons, so there is no neuron " +
                         std::to_string(place.fixed));
        if (place.fixed == 0 && width != 1)
            refuse_query(described(factor) + " has " + std::to_string(width) +
                         " neurons; say which, by a letter or a number");
        return;
    }
    auto const [found, is_new] = axes_.emplace(place.axis, 0);
    if (is_new) {
        found->second = program_.add_axis(width);
        widths_[place.axis] = {width, described(factor)};
        return;
    }
    auto const& [size, where] = widths_[place.axis];
    if (size != width)
        refuse_query("'" + printable(written(place.axis)) + "' runs over " + std::to_string(size) + " neurons of " +
                     where + " and over " + std::to_string(width) + " of " + described(factor));
}

}  // namespace isserlis::monte_carlo::detail
