// SPDX-License-Identifier: MIT
#include <isserlis/strand/expectation.hpp>

#include <isserlis/network/check_graph.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/strand/expansion.hpp>
#include <isserlis/strand/places.hpp>
#include <isserlis/strand/query_terms.hpp>
#include <isserlis/strand/target_shift.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "strand/chain_words.hpp"
#include "strand/cost.hpp"
#include "strand/node_values.hpp"
#include "strand/recursion.hpp"
#include "strand/target_mean.hpp"

namespace isserlis {

namespace {

/// Sums over the outputs of the moments of y_i - E y_i.
template <class R>
class CentralMoments {
public:
    CentralMoments(ObservableSetting<R> const& setting, R const& outputs)
        : setting_(setting), shift_{.mean = setting.target_mean, .outputs = outputs} {}

    [[nodiscard]] R second() const {
        R const& about_zero = setting_.target_second;
        return setting_.targets_have_mean() ? shift_.second_about_mean(about_zero) : about_zero;
    }
    [[nodiscard]] R third() const {
        bool const shifted = setting_.targets_have_mean();
        if (!setting_.target_third) refuse_missing_third(shifted);
        R const& about_zero = *setting_.target_third;
        return shifted ? R(about_zero - shift_.third_of_even(setting_.target_second)) : about_zero;
    }
    [[nodiscard]] R fourth() const {
        if (!setting_.target_fourth)
            throw DomainError("`target_fourth_moment`: the query needs the fourth moment of the targets, sum_i E y_i^4",
                              "target_fourth_moment");
        R const& about_zero = *setting_.target_fourth;
        return setting_.targets_have_mean() ? R(about_zero - shift_.fourth_beyond(second(), third())) : about_zero;
    }

private:
    ObservableSetting<R> const& setting_;
    TargetShift<R> shift_;
};

/// The third moment that is missing may leave no trace: sum_i E y_i^4 about 0 has it among the moments about the mean.
template <class R>
bool third_may_cancel(ObservableSetting<R> const& setting) {
    return !std::is_same_v<R, double> && setting.targets_have_mean() && !setting.target_third;
}

template <class R>
bool are_same(R const& a, R const& b) {
    return a == b;
}
bool are_same(ExpPolynomial const& a, ExpPolynomial const& b) { return (a + b * RationalFunction(-1)).terms().empty(); }

}  // namespace

template <class R>
R coefficient_value(Coefficient const& c, R const& outputs, ObservableSetting<R> const& setting) {
    R out(c.number);
    CentralMoments<R> const targets(setting, outputs);
    for (auto const& [name, times] : c.parameters) {
        auto const at = setting.parameters.find(name);
        if (at == setting.parameters.end())
            throw DomainError("`query`: the parameter '" + name + "' has no value", "query");
        out = out * power(at->second, times);
    }
    if (c.first > 0) out = out * power(setting.target_mean, c.first);
    if (c.second > 0) out = out * power(targets.second(), c.second);
    if (c.third > 0) out = out * power(targets.third(), c.third);
    if (c.fourth > 0) out = out * power(targets.fourth(), c.fourth);
    if (c.outputs > 0) out = out * power(outputs, static_cast<unsigned>(c.outputs));
    if (c.outputs < 0) out = out / power(outputs, static_cast<unsigned>(-c.outputs));
    return out;
}

namespace {

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
    auto const& last = network.graph().stages.back();
    bool const symmetric =
        !last.nodes.back().gate && std::none_of(last.edges.begin(), last.edges.end(), [&](auto const& e) {
            return e.to == last.nodes.size() && e.kind == GraphEdge<R>::Kind::skip;
        });
    return {.output = network.output(),
            .node = [&](std::string const& name) { return network.node(name); },
            .width = [&](NodePlace at) { return whole_number(network.width(at)); },
            .matrix =
                [&](std::string const& name) {
                    if (network.graph().sides != WeightSides::one) {
                        throw UnsupportedError(
                            "`query`: W" + name +
                                " is P or N, as its input is positive or negative, in a concatenated ReLU; entries of "
                                "matrices are served with one matrix a layer",
                            "query");
                    }
                    return network.matrix(name);
                },
            .inputs = setting.inputs.names,
            .targets_have_mean = setting.targets_have_mean(),
            .targets_vanish = CentralMoments<R>(setting, network.width(network.output())).second() == R(0),
            .third_is_known = setting.target_third.has_value() || third_may_cancel(setting),
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
    std::vector<std::optional<NodePlace>> first(bundle.letters.size());
    auto const runs_over = [&](unsigned letter, NodePlace at) {
        auto& other = first[letter];
        if (bundle.letters[letter] != 0) return;  // a fixed neuron has its number in each layer
        if (!other) other = at;
        if (*other == at || network.width(*other) == network.width(at)) return;
        throw DomainError("`query`: a letter of " + to_string(query) + " runs over node " + network.name(at) +
                              " and node " + network.name(*other) + ", which have different widths",
                          "query");
    };
    for (auto const& s : bundle.strands) {
        runs_over(s.letter, s.start);
        if (s.end_letter) {
            runs_over(*s.end_letter, s.matrix ? network.source(*s.matrix) : NodePlace{});
            for (auto const& c : bundle.constants) {
                if (std::find(c.letters.begin(), c.letters.end(), *s.end_letter) == c.letters.end()) continue;
                throw UnsupportedError("`query`: the constant '" + c.name +
                                           "' meets the lower end of a matrix; constants are served at outputs",
                                       "query");
            }
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
    NodeValues<R> const values(network.width(network.output()), GraphNode<R>{}, {}, bundle, setting.constants);
    return values.contraction(groups);
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
    require(may_be_at_least_zero(R(CentralMoments<R>(setting, graph.output_width()).second())),
            "target_second = " + shown(setting.target_second) + " is below the square of the mean, over all outputs");
    if (setting.target_fourth) moment(*setting.target_fourth, "target_fourth");
}

/// The edges into the node that strands leave in the most ways.
template <class R, class Count>
Sources most_sources(Graph<R, Count> const& graph) {
    Sources out;
    for (auto const& stage : graph.stages) {
        std::vector<Sources> into(stage.nodes.size() + 1, Sources{.weights = 0});
        for (std::size_t v = 0; v < stage.nodes.size(); ++v) into[v + 1].weights = stage.nodes[v].bias ? 1 : 0;
        for (auto const& edge : stage.edges)
            ++(edge.kind == GraphEdge<R>::Kind::skip ? into[edge.to].skips : into[edge.to].weights);
        auto const ways = [](Sources const& node) { return ways_through_node(max_strands, node); };
        out = std::ranges::max({out, std::ranges::max(into, {}, ways)}, {}, ways);
    }
    return out;
}

constexpr double most_states = 1e6;  ///< of one bundle in a layer, before symmetries

/// The cost is told before it is paid; terms that are known cost nothing.
template <class R>
void require_affordable(std::vector<BundleTerm> const& terms, std::vector<std::optional<R>> const& known,
                        Sources const& sources, double most_steps) {
    double steps = 0;
    BundleTerm const* dearest = nullptr;
    double highest = 0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
        if (known[k]) continue;
        double const states = states_of_layer(terms[k].bundle);
        if (states > most_states) {
            std::ostringstream text;
            text << "a term has " << terms[k].bundle.strands.size()
                 << " strands that end where others begin, and about " << std::setprecision(2) << states
                 << " states in a layer; up to " << most_states << " are served";
            throw UnsupportedError("`query`: " + text.str(), "query");
        }
        double const own = steps_through_layer(terms[k].bundle, sources);
        steps += own;
        if (own > highest) dearest = &terms[k];
        highest = std::max(highest, own);
    }
    if (steps <= most_steps || dearest == nullptr) return;
    std::size_t const strands = dearest->bundle.strands.size();
    std::ostringstream text;
    text << "a term has " << strands << " strands and needs about " << std::setprecision(2) << steps
         << " steps a layer; up to " << most_steps << " are served";
    throw UnsupportedError("`query`: " + text.str(), "query");
}

/// The sum over the bundles of the query, with numbers carried as F says.
template <class F, class Count>
Expected<typename F::Value, Count> sum_over_bundles(Query const& query, Graph<typename F::Value, Count> const& graph,
                                                    ObservableSetting<typename F::Value> const& setting,
                                                    RecursionOptions const& options) {
    using R = typename F::Value;
    using Total = Expected<R, Count>;
    check_graph(graph);
    check_setting(setting, graph);
    NamedNetwork<R, Count> network(graph);
    network.prepare(query);
    std::vector<std::set<EdgePlace>> restrictions;
    for (auto const& r : query.restrictions) restrictions.push_back(network.edges(r));
    ExpansionContext const context = context_of(network, setting);
    Total sum(R(0));
    auto terms = expand(query, context);
    R const outputs = network.width(network.output());
    if (setting.target_third && CentralMoments<R>(setting, outputs).third() == R(0))
        std::erase_if(terms, [](BundleTerm const& t) { return t.coefficient.third > 0; });
    Sources const sources = most_sources(graph);
    std::vector<std::optional<R>> by_words(terms.size());
    for (std::size_t k = 0; k < terms.size() && !options.explain; ++k) {
        if (steps_through_layer(terms[k].bundle, sources) < options.least_word_steps) continue;
        check_letters(query, terms[k].bundle, network, setting);
        by_words[k] = value_by_words(network, terms[k].bundle);
    }
    require_affordable(terms, by_words, sources, options.most_steps);
    PathBudget budget(options.most_paths);
    for (std::size_t k = 0; k < terms.size(); ++k) {
        auto const& term = terms[k];
        R const coefficient = coefficient_value(term.coefficient, outputs, setting);
        check_letters(query, term.bundle, network, setting);
        if (by_words[k]) {
            sum = sum + Total(*by_words[k]) * coefficient;
            continue;
        }
        if (term.bundle.strands.empty()) {
            R const value = term.bundle.constants.empty() ? R(1) : constant_value(term.bundle, network, setting);
            sum = sum + Total(value) * coefficient;
            continue;
        }
        sum = sum +
              Recursion<F, Count>(network, term.bundle, restrictions, setting, options, budget).value() * coefficient;
    }
    return sum;
}

}  // namespace

template <class R, class Count>
Expected<R, Count> expectation(Query const& query, Graph<R, Count> const& graph, ObservableSetting<R> const& setting,
                               RecursionOptions const& options) {
    if (third_may_cancel(setting)) {
        auto with = setting;
        with.target_third = TargetShift<R>{.mean = setting.target_mean, .outputs = graph.output_width()}.third_of_even(
            setting.target_second);
        auto const even = expectation(query, graph, with, options);
        auto const terms = query_terms(query, graph, setting);
        // An expectation is of first degree in it, so that two values of it settle whether it enters.
        with.target_third = R(*with.target_third + R(1));
        if (std::any_of(terms.begin(), terms.end(),
                        [](BundleTerm const& t) { return t.coefficient.third > 0 || t.coefficient.fourth > 0; }) &&
            !are_same(even, expectation(query, graph, with, options)))
            refuse_missing_third(true);
        return even;
    }
    if constexpr (std::is_same_v<R, Surd>) {
        auto const is_rational = [](Surd const& x) { return x.is_rational(); };
        if (all_numbers(graph, is_rational) && all_numbers(setting, is_rational)) {
            auto const to_rational = [](Surd const& x) { return x.to_rational(); };
            return Surd(expectation(query, converted<Rational>(graph, to_rational),
                                    converted<Rational>(setting, to_rational), options));
        }
    }
    if constexpr (std::is_same_v<R, RationalFunction>) {
        auto const is_fraction = [](R const& x) { return x.is_fraction(); };
        if (!all_numbers(graph, is_fraction) || !all_numbers(setting, is_fraction))
            return sum_over_bundles<PlainFractions<R>>(query, graph, setting, options);
    }
    return sum_over_bundles<Fractions<R>>(query, graph, setting, options);
}

template <class R, class Count>
std::vector<BundleTerm> query_terms(Query const& query, Graph<R, Count> const& graph,
                                    ObservableSetting<R> const& setting) {
    NamedNetwork<R, Count> network(graph);
    network.prepare(query);
    return expand(query, context_of(network, setting));
}

template std::vector<BundleTerm> query_terms(Query const&, Graph<Surd, std::uint64_t> const&,
                                             ObservableSetting<Surd> const&);
template std::vector<BundleTerm> query_terms(Query const&, Graph<RationalFunction, Exponent> const&,
                                             ObservableSetting<RationalFunction> const&);
template Surd coefficient_value(Coefficient const&, Surd const&, ObservableSetting<Surd> const&);
template RationalFunction coefficient_value(Coefficient const&, RationalFunction const&,
                                            ObservableSetting<RationalFunction> const&);
template Rational expectation(Query const&, Graph<Rational, std::uint64_t> const&, ObservableSetting<Rational> const&,
                              RecursionOptions const&);
template Surd expectation(Query const&, Graph<Surd, std::uint64_t> const&, ObservableSetting<Surd> const&,
                          RecursionOptions const&);
template double expectation(Query const&, Graph<double, std::uint64_t> const&, ObservableSetting<double> const&,
                            RecursionOptions const&);
template RationalFunction expectation(Query const&, Graph<RationalFunction, std::uint64_t> const&,
                                      ObservableSetting<RationalFunction> const&, RecursionOptions const&);
template ExpPolynomial expectation(Query const&, Graph<RationalFunction, Exponent> const&,
                                   ObservableSetting<RationalFunction> const&, RecursionOptions const&);

}  // namespace isserlis
