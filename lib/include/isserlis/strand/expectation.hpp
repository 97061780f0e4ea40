// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/check_graph.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/strand/expansion.hpp>
#include <isserlis/strand/recursion.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

namespace expectation_detail {

/// The coefficient of a bundle in the ring: E y_i^2 is E|y|^2 over the number of outputs.
template <class R>
R value_of(Coefficient const& c, R const& outputs, ObservableSetting<R> const& setting) {
    R out(c.number);
    for (auto const& [name, times] : c.parameters) {
        auto const at = setting.parameters.find(name);
        if (at == setting.parameters.end())
            throw DomainError("`query`: the parameter '" + name + "' has no value", "query");
        out = out * power(at->second, times);
    }
    if (c.second > 0) out = out * power(setting.target_second, c.second);
    if (c.fourth > 0) {
        if (!setting.target_fourth) {
            throw DomainError("`target_fourth_moment`: the query needs the fourth moment of the targets, sum_i E y_i^4",
                              "target_fourth_moment");
        }
        out = out * power(*setting.target_fourth, c.fourth);
    }
    if (c.outputs > 0) out = out * power(outputs, static_cast<unsigned>(c.outputs));
    if (c.outputs < 0) out = out / power(outputs, static_cast<unsigned>(-c.outputs));
    return out;
}

template <class R>
std::optional<Integer> whole_number(R const& x) {
    if constexpr (std::is_same_v<R, double>) {
        return Integer(x);  // whole, as check_graph has seen
    } else if constexpr (std::is_same_v<R, Rational>) {
        return numerator_of(x);
    } else if constexpr (std::is_same_v<R, Surd>) {
        return numerator_of(x.to_rational());
    } else {
        if (!x.is_numeric()) return std::nullopt;
        return numerator_of(x.evaluate({}).to_rational());
    }
}

template <class R, class Count>
ExpansionContext context_of(NamedNetwork<R, Count> const& network, ObservableSetting<R> const& setting) {
    // -z has the law of z where the output is a linear layer on weights alone.
    auto const& last = network.graph().blocks.back();
    bool const symmetric =
        !last.nodes.back().gate && std::none_of(last.edges.begin(), last.edges.end(), [&](auto const& e) {
            return e.to == last.nodes.size() && e.kind == GraphEdge<R>::Kind::skip;
        });
    return {.output = network.output(),
            .node = [&](std::string const& name) { return network.node(name); },
            .width = [&](NodePlace at) { return whole_number(network.width(at)); },
            .inputs = setting.inputs.names,
            .targets_vanish = setting.target_second == R(0),
            .odd_outputs_vanish = symmetric};
}

/// Constants have to be given; a letter has to run over neurons of one number, and those of constants over the outputs.
template <class R, class Count>
void check_letters(Query const& query, Bundle const& bundle, NamedNetwork<R, Count> const& network,
                   ObservableSetting<R> const& setting) {
    for (auto const& c : bundle.constants) {
        auto const at = setting.constants.find(c.name);
        if (at == setting.constants.end())
            throw DomainError("`query`: the constant '" + c.name + "' has no value", "query");
        bool const is_matrix = at->second.size() > 1 || (at->second.front().size() == 1 && c.letters.size() == 2);
        if (is_matrix != (c.letters.size() == 2)) {
            throw DomainError("`query`: the constant '" + c.name + "' is a " + (is_matrix ? "matrix" : "vector") +
                                  " and takes " + (is_matrix ? "two indices" : "one index"),
                              "query");
        }
    }
    std::vector<Strand const*> first(bundle.letters.size(), nullptr);
    for (auto const& s : bundle.strands) {
        auto& other = first[s.letter];
        if (bundle.letters[s.letter] != 0) {
            // A fixed neuron has its number in each layer.
        } else if (other == nullptr) {
            other = &s;
        } else if (other->start != s.start && !(network.width(other->start) == network.width(s.start))) {
            throw DomainError("`query`: a letter of " + to_string(query) + " runs over node " + network.name(s.start) +
                                  " and node " + network.name(other->start) + ", which have different widths",
                              "query");
        }
        for (auto const& c : bundle.constants) {
            bool const shared = std::find(c.letters.begin(), c.letters.end(), s.letter) != c.letters.end();
            if (shared && s.start != network.output())
                throw UnsupportedError("`query`: the constant '" + c.name + "' meets node " + network.name(s.start) +
                                           "; constants are served at outputs",
                                       "query");
        }
    }
}

/// Constants that meet no output: their letters are summed on their own.
template <class R, class Count>
R constant_value(Bundle const& bundle, NamedNetwork<R, Count> const& network, ObservableSetting<R> const& setting) {
    NodeFactor::Groups groups;
    for (std::size_t l = 0; l < bundle.letters.size(); ++l) groups.push_back(static_cast<std::uint8_t>(l));
    std::vector<GraphEdge<R>> const none;
    NodeValues<R> values(network.width(network.output()), GraphNode<R>{}, none, bundle, setting.constants);
    return values.value({.edges = {}, .summed = {}, .fixed = {}, .letters = groups});
}

/// What the setting gives has to fit the network: an input has as many coordinates as the network reads, and moments
/// are not negative.
template <class R, class Count>
void check_setting(ObservableSetting<R> const& setting, Graph<R, Count> const& graph) {
    auto const require = [](bool good, std::string const& what) {
        if (!good) throw DomainError("setting: " + what, "setting");
    };
    auto const& inputs = setting.inputs;
    std::size_t const named = std::max<std::size_t>(1, inputs.names.size());
    require(inputs.vectors.empty() || inputs.vectors.size() >= named, "an input vector is missing");
    auto const width = whole_number(graph.input_width);
    for (auto const& x : inputs.vectors) {
        require(x.size() == inputs.vectors.front().size() && (!width || *width == x.size()),
                "an input vector has " + std::to_string(x.size()) + " coordinates for an input width of " +
                    shown(graph.input_width));
    }
    require(inputs.gram.empty() || inputs.gram.size() >= named, "the Gram matrix has too few rows");
    for (auto const& row : inputs.gram) require(row.size() == inputs.gram.size(), "the Gram matrix is not square");
    auto const moment = [&](R const& x, std::string const& name) {
        require(may_be_at_least_zero(x), name + " = " + shown(x) + "; a moment of even order is at least 0");
    };
    if (inputs.squared_norm) moment(*inputs.squared_norm, "squared_norm");
    if (inputs.fourth) moment(*inputs.fourth, "fourth");
    moment(setting.target_second, "target_second");
    if (setting.target_fourth) moment(*setting.target_fourth, "target_fourth");
}

/// Calls f(term, value) for each bundle of the query.
template <class C, class Count, class F>
void for_each_bundle(Query const& query, Graph<typename C::Value, Count> const& graph,
                     ObservableSetting<typename C::Value> const& setting, RecursionOptions const& options, F const& f) {
    using R = typename C::Value;
    check_graph(graph);
    check_setting(setting, graph);
    NamedNetwork<R, Count> network(graph);
    network.prepare(query);
    std::vector<std::set<EdgePlace>> restrictions;
    for (auto const& r : query.restrictions) restrictions.push_back(network.edges(r));
    ExpansionContext const context = context_of(network, setting);
    for (auto const& term : expand(query, context)) {
        R const coefficient = value_of(term.coefficient, network.width(network.output()), setting);
        check_letters(query, term.bundle, network, setting);
        if (term.bundle.strands.empty()) {
            using Total = typename Recursion<C, Count>::Result;
            f(term, coefficient,
              Total(term.bundle.constants.empty() ? R(1) : constant_value(term.bundle, network, setting)));
            continue;
        }
        f(term, coefficient, Recursion<C, Count>(network, term.bundle, restrictions, setting, options).value());
    }
}

}  // namespace expectation_detail

/// The expectation of an observable over the random weights (and targets) of a network, exactly at every width and
/// depth.
///
/// Law     weights independent and symmetric with the variances and laws of the graph; gates open by fair coins, which
/// is
///         exact when no pre-activation has an atom at 0; one input where a gate is on the way; targets independent of
///         the weights, of mean 0, equal and independent across outputs.
/// Shape   C is a Carrier of the ring of the graph: Carrier<Rational>, Carrier<Surd>, Carrier<double>,
///         Carrier<RationalFunction>, or PlainCarrier<RationalFunction> where variances have roots of symbols. With
///         Count = Exponent the value is an ExpPolynomial, a formula in the depth.
/// Errors  those of `check_graph`, of a setting that does not fit; ParseError, DomainError for names that do not exist
/// and
///         moments that are not given; UnsupportedError where
/// the
///         expectation is no finite sum of strands, says which strand and why, or is over a limit.
/// Source  the strand recursion, docs/strands.md
template <class C, class Count>
[[nodiscard]] typename Recursion<C, Count>::Result expectation(Query const& query,
                                                               Graph<typename C::Value, Count> const& graph,
                                                               ObservableSetting<typename C::Value> const& setting,
                                                               RecursionOptions const& options = {}) {
    using Total = typename Recursion<C, Count>::Result;
    using R = typename C::Value;
    Total sum(R(0));
    expectation_detail::for_each_bundle<C>(
        query, graph, setting, options,
        [&](BundleTerm const&, R const& coefficient, Total const& value) { sum = sum + value * coefficient; });
    return sum;
}

}  // namespace isserlis
