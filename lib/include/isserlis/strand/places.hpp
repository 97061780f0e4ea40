// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/graph.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/strand/bundle.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

namespace place_detail {

/// "2.1" is number 2 and suffix ".1"; at symbolic depth the number may be a formula such as L - 1.
template <class Count>
std::optional<std::pair<Count, std::string>> numbered_name(std::string const& text) {
    std::size_t const dot = text.find('.');
    std::string const number = text.substr(0, dot);
    std::string const suffix = dot == std::string::npos ? "" : text.substr(dot);
    try {
        if constexpr (std::is_same_v<Count, Exponent>) {
            return std::pair(as_exponent(parse_rational_function(number, "query")), suffix);
        } else {
            return std::pair(checked_count(parse_integer(number, "query")), suffix);
        }
    } catch (Error const&) {
        return std::nullopt;
    }
}

/// Is the count at least 0, for depths that are large enough? A letter that is no depth stands for a layer, from 1 to below a
/// depth.
inline bool is_natural(std::uint64_t, std::set<std::string> const&) { return true; }
inline bool is_natural(Exponent const& e, std::set<std::string> const& depths) {
    if (e.is_constant()) return denominator_of(e.constant()) == 1 && e.constant() >= 0;
    for (auto const& [symbol, times] : e.symbols())
        if (depths.count(symbol) != 0) return times > 0;
    return e.leading_sign() > 0;
}
inline bool is_at_least(std::uint64_t a, std::uint64_t b, std::set<std::string> const&) { return a >= b; }
inline bool is_at_least(Exponent const& a, Exponent const& b, std::set<std::string> const& depths) {
    return is_natural(a - b, depths);
}

/// The symbols of a number of stages.
inline void gather_depths(std::uint64_t, std::set<std::string>&) {}
inline void gather_depths(Exponent const& count, std::set<std::string>& out) {
    for (auto const& [symbol, times] : count.symbols()) out.insert(symbol);
}

template <class Count>
std::string count_text(Count const& c) {
    using std::to_string;
    return to_string(c);
}

/// Names for a message, which ends with dots where they are more than it has room for.
class NameList {
public:
    void add(std::string const& name) {
        if (text_.size() >= room) {
            more_ = true;
        } else {
            text_ += (text_.empty() ? "" : ", ") + name;
        }
    }
    [[nodiscard]] std::string text() const { return more_ ? text_ + ", .." : text_; }

private:
    static constexpr std::size_t room = 200;  ///< characters, after which no name begins
    std::string text_;
    bool more_ = false;
};

}  // namespace place_detail

/// A network with the names of its nodes and edges, cut so that whatever a query names stands alone.
template <class R, class Count>
class NamedNetwork {
public:
    explicit NamedNetwork(Graph<R, Count> graph) : graph_(std::move(graph)) {
        for (auto const& stage : graph_.stages) place_detail::gather_depths(stage.count, depths_);
        // The output stands alone.
        auto& last = graph_.stages.back();
        if (last.numbered && !(last.count == Count(1))) split_before(Count(last.first + last.count) - Count(1));
    }

    [[nodiscard]] Graph<R, Count> const& graph() const { return graph_; }
    [[nodiscard]] NodePlace output() const {
        return {.stage = graph_.stages.size() - 1, .node = graph_.stages.back().nodes.size()};
    }

    /// Cuts the network where the query names something in the middle of a run of equal stages. To be called before
    /// `node` and `edges`.
    /// Errors  none: names that do not exist are reported when they are asked for.
    void prepare(Query const& query) {
        prepare_nodes(query.observable);
        for (auto const& r : query.restrictions) {
            if (auto const a = place_detail::numbered_name<Count>(r.first)) split_before(a->first);
            if (auto const b = place_detail::numbered_name<Count>(r.last)) split_before(b->first + Count(1));
        }
    }

    /// Errors  DomainError for a name that the network does not have.
    [[nodiscard]] NodePlace node(std::string const& name) const {
        if (name == graph_.input_name) return {.stage = 0, .node = 0};
        auto const wanted = place_detail::numbered_name<Count>(name);
        for (std::size_t b = 0; b < graph_.stages.size(); ++b) {
            auto const& stage = graph_.stages[b];
            for (std::size_t v = 0; v < stage.nodes.size(); ++v) {
                bool const here = stage.numbered ? wanted && stage.count == Count(1) && stage.first == wanted->first &&
                                                       stage.nodes[v].name == wanted->second
                                                 : stage.nodes[v].name == name;
                if (here) return {.stage = b, .node = v + 1};
            }
        }
        throw DomainError("`query`: the network has no node '" + name + "'; its nodes are " + node_names(), "query");
    }

    /// The weight edges from the first that `restriction.first` names to the last that `restriction.last` names.
    [[nodiscard]] std::set<EdgePlace> edges(LabelRestriction const& restriction) const {
        auto const all = weight_edges();
        auto const from = named(all, restriction.first);
        auto const to = named(all, restriction.last);
        if (to.back() < from.front()) {
            throw DomainError("`query`: the range " + restriction.first + ".." + restriction.last + " runs downwards",
                              "query");
        }
        if (restriction.first == restriction.last) return {from.begin(), from.end()};
        std::set<EdgePlace> out;
        for (auto const& e : all) {
            if (from.front() <= e && e <= to.back()) out.insert(e);
        }
        return out;
    }

    /// The one matrix of that name.
    /// Errors  DomainError for a name that the network does not have, or that several matrices have.
    [[nodiscard]] MatrixPlace matrix(std::string const& name) const {
        auto const found = named(weight_edges(), name);
        if (found.size() > 1 || !(graph_.stages[found.front().stage].count == Count(1))) {
            throw DomainError("`query`: several matrices are called '" + name + "'; they are " + edge_names(), "query");
        }
        auto const at = found.front();
        return {.edge = at,
                .from = source(at),
                .to = {.stage = at.stage, .node = graph_.stages[at.stage].edges[at.edge].to}};
    }
    /// The node that an edge comes from.
    [[nodiscard]] NodePlace source(EdgePlace at) const {
        std::size_t const from = graph_.stages[at.stage].edges[at.edge].from;
        return from == 0 && at.stage > 0 ? below(at.stage) : NodePlace{.stage = at.stage, .node = from};
    }

    /// The name of a node, for messages; the first of a run stands for all.
    [[nodiscard]] std::string name(NodePlace at) const {
        if (at.node == 0) return at.stage == 0 ? graph_.input_name : name(below(at.stage));
        auto const& stage = graph_.stages[at.stage];
        std::string const& own = stage.nodes[at.node - 1].name;
        return stage.numbered ? place_detail::count_text(stage.first) + own : own;
    }

    [[nodiscard]] R const& width(NodePlace at) const {
        if (at.node > 0) return graph_.stages[at.stage].nodes[at.node - 1].width;
        return at.stage == 0 ? graph_.input_width : width(below(at.stage));
    }

private:
    [[nodiscard]] bool is_at_least(Count const& a, Count const& b) const {
        return place_detail::is_at_least(a, b, depths_);
    }
    [[nodiscard]] NodePlace below(std::size_t stage) const {
        return {.stage = stage - 1, .node = graph_.stages[stage - 1].nodes.size()};
    }

    void prepare_nodes(Observable const& o) {
        bool const entry = o.kind == Observable::Kind::entry;
        if ((entry || o.kind == Observable::Kind::output) && !o.node.empty()) {
            // Below each stage of a run is the output of the one before; the input is below the first alone.
            auto const& lowest = graph_.stages.front();
            if (o.node == graph_.input_name && lowest.numbered) split_before(Count(lowest.first) + Count(1));
            if (auto const at = place_detail::numbered_name<Count>(o.node)) {
                split_before(at->first);
                split_before(at->first + Count(1));
            }
        }
        for (auto const& operand : o.operands) prepare_nodes(operand);
    }

    /// Makes stage number `number` the first of its run.
    void split_before(Count const& number) {
        for (std::size_t b = 0; b < graph_.stages.size(); ++b) {
            auto& stage = graph_.stages[b];
            if (!stage.numbered) continue;
            // At least one stage below the cut and one above it.
            Count const end = stage.first + stage.count;
            if (!is_at_least(number, stage.first + Count(1)) || !is_at_least(end, number + Count(1))) continue;
            auto upper = stage;
            upper.first = number;
            upper.count = end - number;
            stage.count = number - stage.first;
            graph_.stages.insert(graph_.stages.begin() + static_cast<std::ptrdiff_t>(b) + 1, std::move(upper));
            return;
        }
    }

    [[nodiscard]] std::vector<EdgePlace> weight_edges() const {
        std::vector<EdgePlace> out;
        for (std::size_t b = 0; b < graph_.stages.size(); ++b) {
            auto const& edges = graph_.stages[b].edges;
            for (std::size_t e = 0; e < edges.size(); ++e) {
                if (edges[e].kind == GraphEdge<R>::Kind::weight) out.push_back({.stage = b, .edge = e});
            }
        }
        return out;
    }

    using NumberedName = std::optional<std::pair<Count, std::string>>;

    /// Is the number that of one of the stage's copies? A run is inside or outside as a whole: prepare has cut it.
    [[nodiscard]] bool is_inside(NumberedName const& wanted, GraphStage<R, Count> const& stage) const {
        return wanted && is_at_least(wanted->first, stage.first) &&
               is_at_least(stage.first + stage.count, wanted->first + Count(1));
    }

    [[nodiscard]] std::vector<EdgePlace> named(std::vector<EdgePlace> const& all, std::string const& place) const {
        NumberedName const wanted = place_detail::numbered_name<Count>(place);
        std::vector<EdgePlace> out;
        for (auto const& e : all) {
            auto const& stage = graph_.stages[e.stage];
            auto const& edge = stage.edges[e.edge];
            std::string const& target = stage.nodes[edge.to - 1].name;
            bool const here = stage.numbered
                                  ? is_inside(wanted, stage) &&
                                        (wanted->second.empty() || names_edge(wanted->second, edge.name, target))
                                  : names_edge(place, edge.name, target);
            if (here) out.push_back(e);
        }
        if (!out.empty()) return out;
        for (auto const& stage : graph_.stages) {
            for (auto const& edge : stage.edges) {
                bool const here =
                    stage.numbered ? is_inside(wanted, stage) && wanted->second == edge.name : edge.name == place;
                if (edge.kind == GraphEdge<R>::Kind::skip && here)
                    throw UnsupportedError("`query`: '" + place + "' is a skip edge; it has no weights for a label",
                                           "query");
            }
        }
        throw DomainError("`query`: the network has no weights called '" + place + "'; they are " + edge_names(),
                          "query");
    }

    /// The names of a stage's nodes or edges in all its copies, for messages.
    [[nodiscard]] static std::string in_all_copies(GraphStage<R, Count> const& stage, std::string const& own) {
        using place_detail::count_text;
        std::string const first = stage.numbered ? count_text(stage.first) + own : own;
        if (stage.count == Count(1)) return first;
        return first + " .. " + count_text(Count(stage.first + stage.count - Count(1))) + own;
    }

    [[nodiscard]] std::string node_names() const {
        place_detail::NameList out;
        out.add(graph_.input_name);
        for (auto const& stage : graph_.stages) {
            for (auto const& node : stage.nodes) out.add(in_all_copies(stage, node.name));
        }
        return out.text();
    }
    [[nodiscard]] std::string edge_names() const {
        place_detail::NameList out;
        for (auto const& stage : graph_.stages) {
            for (auto const& edge : stage.edges) {
                if (edge.kind != GraphEdge<R>::Kind::skip) out.add(in_all_copies(stage, edge.name));
            }
        }
        return out.text();
    }

    Graph<R, Count> graph_;
    std::set<std::string> depths_;  ///< symbols of its numbers of stages
};

}  // namespace isserlis
