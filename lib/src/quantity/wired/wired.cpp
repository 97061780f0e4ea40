// SPDX-License-Identifier: MIT
#include "quantity/wired/wired.hpp"

#include <isserlis/error.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <set>

#include "question/model_statement.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

template <class R, class Count>
void begin(Model<R, Count> const& model, ModelText const& text, Session const& session, Answer& answer) {
    if (session.test)
        throw UnsupportedError(
            "`emit_test`: tests of fully connected (vanilla) networks of independent weights of kurtosis 3 without "
            "biases "
            "are written, of ReLU networks where the command is coord-check or mup",
            "emit_test");
    // Of a residual network and of a file the head is what it is.
    if (text.gated_head && text.wiring != Wiring::residual)
        throw UnsupportedError("`head`: a linear head is required here; isserlis expect serves h[i] of a gated one",
                               "head");
    for (auto const& stage : model.graph().stages) {
        for (auto const& edge : stage.edges) {
            if (edge.kind != GraphEdge<R>::Kind::weight || sign_of(edge.label_factor).value_or(0) >= 0) continue;
            std::string const what = text.wiring == Wiring::file
                                         ? "`network`: the label factor of edge \"" + printable(edge.name) + "\""
                                         : text.label_factor_parameter;
            throw DomainError(named(what) + " = " + printable(to_string(edge.label_factor)) +
                                  "; it multiplies a square: at least 0 is required",
                              what);
        }
    }
    state_gated_output(text, answer);
    answer.assume("source: the strand recursion, docs/strands.md; no closed form is used");
}

std::optional<std::uint64_t> known_count(std::uint64_t count) { return count; }
std::optional<std::uint64_t> known_count(Exponent const& count) {
    if (!count.is_constant()) return std::nullopt;
    return checked_count(numerator_of(count.constant()));
}

constexpr std::size_t most_listed_nodes = 40;  ///< each is an expectation of up to six strands
constexpr std::uint64_t most_nodes = 100'000;

/// None at a depth in symbols.
template <class R, class Count>
std::optional<std::vector<WiredNode<R>>> nodes_of(Graph<R, Count> const& graph) {
    std::vector<WiredNode<R>> out;
    for (auto const& stage : graph.stages) {
        auto const count = known_count(stage.count);
        if (!count) return std::nullopt;
        if (out.size() + *count * stage.nodes.size() > most_nodes)
            throw UnsupportedError("`network`: more than " + std::to_string(most_nodes) +
                                       " nodes; a check of each goes from one to the next",
                                   "network");
        auto const first = known_count(stage.first);
        for (std::uint64_t copy = 0; copy < *count; ++copy) {
            for (auto const& node : stage.nodes) {
                if (node.kind == GraphNode<R>::Kind::concatenation) continue;
                out.push_back({.name = (stage.numbered ? std::to_string(*first + copy) : "") + node.name,
                               .width = node.width,
                               .gated = node.gate.has_value()});
            }
        }
    }
    return out;
}

template <class R, class Count>
std::vector<WiredNode<R>> chosen_nodes(Graph<R, Count> const& graph, Session const& session, Answer& answer) {
    auto const all = nodes_of(graph);
    if (!all) {
        if (session.layer)
            throw UnsupportedError("`layer`: nodes have names at a depth in numbers; drop it for the output", "layer");
        auto const& last = graph.stages.back().nodes.back();
        std::string const name = name_in_last_copy(graph.stages.back(), last);
        answer.warn("at a depth in symbols only the output is printed, node " + name);
        return {{.name = name, .width = last.width, .gated = last.gate.has_value(), .is_unnamed = true}};
    }
    if (session.layer) {
        for (auto const& node : *all) {
            if (node.name == *session.layer) return {node};
        }
        throw DomainError("`layer` " + printable(*session.layer) + ": there is no such node; the first is '" +
                              printable(all->front().name) + "', the last '" + printable(all->back().name) + "'",
                          "layer");
    }
    if (all->size() <= most_listed_nodes) return *all;
    answer.warn("of " + std::to_string(all->size()) +
                " nodes only the last three are printed; `layer` NAME prints another one");
    return {all->end() - 3, all->end()};
}

template <class R, class Count>
std::optional<std::vector<std::string>> names_of(Graph<R, Count> const& graph, std::size_t most) {
    std::vector<std::string> out;
    for (auto const& stage : graph.stages) {
        auto const count = known_count(stage.count);
        if (!count || *count > most) return std::nullopt;
        auto const first = known_count(stage.first);
        for (std::uint64_t copy = 0; copy < *count; ++copy) {
            for (auto const& edge : stage.edges) {
                if (edge.kind != GraphEdge<R>::Kind::weight) continue;
                out.push_back(stage.numbered ? std::to_string(*first + copy) + edge.name : edge.name);
                if (out.size() > most) return std::nullopt;
            }
        }
    }
    return out;
}

}  // namespace

void begin_wired(NumericModel const& model, ModelText const& text, Session const& session, Answer& answer) {
    require_moderate_digits(model.graph());
    begin(model, text, session, answer);
}

void begin_wired(SymbolicModel const& model, ModelText const& text, Session const& session, Answer& answer) {
    constexpr double most_work = 1e5;  // as for closed forms: a minute or two
    require_moderate_formulas(model.graph(), {}, most_work);
    begin(model, text, session, answer);
}

void declare_orthogonal(SymbolicModel const& model, std::size_t pairs, Answer& answer) {
    std::set<std::string> stated;
    for (auto const& stage : model.graph().stages) {
        for (auto const& edge : stage.edges) {
            if (pairs < 2 || !edge.orthogonal || edge.orthogonal->is_numeric()) continue;
            std::string const side = to_string(*edge.orthogonal);
            if (!stated.insert(side).second) continue;
            std::string const least = std::to_string(pairs);
            answer.assume("the formula holds for " + side + " >= " + least +
                          "; smaller numbers are served as numbers, where the entries asked for are there");
            answer.declare({.symbol = side, .least = least}, SymbolRole::width);
        }
    }
}

std::vector<WiredNode<Surd>> listed_nodes(Graph<Surd, std::uint64_t> const& graph, Session const& session,
                                          Answer& answer) {
    return chosen_nodes(graph, session, answer);
}
std::vector<WiredNode<RationalFunction>> listed_nodes(Graph<RationalFunction, Exponent> const& graph,
                                                      Session const& session, Answer& answer) {
    return chosen_nodes(graph, session, answer);
}

std::optional<std::vector<std::string>> weight_names(Graph<Surd, std::uint64_t> const& graph, std::size_t most) {
    return names_of(graph, most);
}
std::optional<std::vector<std::string>> weight_names(Graph<RationalFunction, Exponent> const& graph, std::size_t most) {
    return names_of(graph, most);
}

}  // namespace isserlis::quantity
