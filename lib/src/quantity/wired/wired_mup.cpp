// SPDX-License-Identifier: MIT
#include "quantity/wired/wired_mup.hpp"

#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/tidy.hpp>
#include <set>
#include <vector>

#include "quantity/endless_depth.hpp"
#include "quantity/limit_scale.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/node_step.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* of_chains = "a term of the recursion of fully connected (vanilla) ReLU networks";

std::string number_text(std::uint64_t number) { return std::to_string(number); }
std::string number_text(Exponent const& number) { return to_string(number); }
bool is_endless_count(std::uint64_t) { return false; }
bool is_endless_count(Exponent const& count) { return !count.is_constant(); }

template <class R, class Count>
std::string name_in(GraphStage<R, Count> const& stage, GraphNode<R> const& node) {
    return (stage.numbered ? number_text(stage.first + stage.count - Count(1)) : "") + node.name;
}

/// The last one of weights or sums, from the end of these stages on.
template <class R, class Count>
std::optional<WiredNode<R>> last_node(std::vector<GraphStage<R, Count>> const& stages) {
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
        for (auto node = stage->nodes.rbegin(); node != stage->nodes.rend(); ++node) {
            if (node->kind == GraphNode<R>::Kind::concatenation) continue;
            return WiredNode<R>{.name = name_in(*stage, *node), .width = node->width, .gated = node->gate.has_value()};
        }
    }
    return std::nullopt;
}

template <class R, class Count>
RatedNode<R> rated(Graph<R, Count> const& graph, ModelText const& text) {
    auto stages = graph.stages;
    if (text.wiring == Wiring::residual && !text.projections) {
        auto node = *last_node(stages);
        bool const endless = is_endless_count(stages.back().count);
        std::string const z = endless ? "z" : "z{" + node.name + "}";
        if (endless) node.name = "output";
        return {.node = node, .read = z, .what = (endless ? "" : node.name + ", ") + std::string("the output")};
    }
    if (stages.back().nodes.size() == 1 && stages.back().count == Count(1)) {
        stages.pop_back();
    } else if (stages.back().count == Count(1)) {
        stages.back().nodes.pop_back();
    } else {
        stages.back().count = stages.back().count - Count(1);
    }
    auto const node = last_node(stages);
    if (!node)
        throw UnsupportedError(
            std::string(text.wiring == Wiring::file ? "`network`" : "`widths`") +
                ": there is no node below the output whose change could be asked for; isserlis coord-check has that of "
                "the output",
            text.wiring == Wiring::file ? "network" : "widths");
    return {.node = *node,
            .read = "z{" + node->name + "}",
            .what = node->name + (text.wiring == Wiring::residual ? ", the last residual layer"
                                                                  : ", the last node below the output")};
}

/// Where nothing else than one width has a symbol, but for the depth.
std::optional<std::string> width_symbol(Graph<RationalFunction, Exponent> const& graph) {
    std::set<std::string> widths;
    auto const gather = [&](RationalFunction const& width) {
        for (auto const& symbol : width.symbols()) widths.insert(symbol);
    };
    gather(graph.input_width);
    for (auto const& stage : graph.stages) {
        for (auto const& node : stage.nodes) gather(node.width);
        for (auto const& [symbol, factor] : stage.count.symbols()) {
            if (widths.count(symbol) != 0) return std::nullopt;
        }
    }
    if (widths.size() != 1) return std::nullopt;
    return *widths.begin();
}

/// Of the mean square change, over a depth in numbers or symbols.
void add_formulas_of_rate(ExpPolynomial const& change, bool endless, Answer& answer) {
    if (change.terms().empty()) {
        answer.add("mup_learning_rate", {}, Value::absent("no rate changes anything"), {}, not_numeric);
        return;
    }
    answer.add(
        "mup_learning_rate", {},
        endless ? Value::expression("1/sqrt(" + to_string(change) + ")") : over_root(1, change.formula(), rate_form),
        {}, not_numeric);
}

/// As the width goes to infinity, the depth where it is.
void add_limits(ExpPolynomial const& change, std::string const& width, Answer& answer) {
    ExpQuotient const x(change);
    add_limit_of(x, {.width = width, .depth = ""}, {.limit = "mup_wide_limit", .leading = "mup_wide_leading"}, {},
                 answer);
    answer.assume("mup_wide_limit as " + width + " goes to infinity at fixed depth");
    try {
        auto const limit = tendency_of(x, width);
        if (limit.course != JointLimit::Course::finite || limit.leading.exact().value_or("0") == "0") return;
        answer.add_limit("mup_rate_limit", {}, Value::expression("1/sqrt(" + *limit.leading.exact() + ")"), {width},
                         not_numeric);
        answer.assume("mup_rate_limit as " + width + " goes to infinity at fixed depth");
    } catch (UnsupportedError const& e) {
        answer.add("mup_rate_limit", {}, Value::absent(reason(e)), {}, not_numeric);
    }
}

void state(ModelText const& text, std::string const& what, Answer& answer) {
    answer.assume(
        "means over the neurons of a node; E (Delta z_i)^2 = mup_a + mup_b, the parts of the outputs and of the "
        "targets");
    state_trained(text, answer);
    answer.assume("mup_learning_rate multiplies the rates given (default 1): then E (Delta z_i)^2 = 1 at " + what);
}

void add_of_chains(Answer& answer) {
    for (char const* name : {"mup_b_tilde", "mup_c", "mup_c_tilde"})
        answer.add(name, {}, Value::absent(of_chains), {}, "no exact value to check");
}

/// The mean of the query over the neurons of a node; none where an input is too little known, which `why` then says.
template <class Mean>
std::optional<Mean> known_fourth(auto const& mean, std::string& why) {
    try {
        return mean();
    } catch (DomainError const& e) {
        why = reason(e);
        return std::nullopt;
    }
}

}  // namespace

RatedNode<Surd> rated_node(NumericModel const& model, ModelText const& text) { return rated(model.graph(), text); }
RatedNode<RationalFunction> rated_node(SymbolicModel const& model, ModelText const& text) {
    return rated(model.graph(), text);
}

bool has_endless_stage(SymbolicModel const& model) {
    for (auto const& stage : model.graph().stages) {
        if (!stage.count.is_constant()) return true;
    }
    return false;
}

void state_trained(ModelText const& text, Answer& answer) {
    std::string const w = text.parametrisation ? "w" : "W";
    answer.assume("every weight matrix is trained, the last one too: " + w +
                  " moves by minus its rate times the gradient by " + w);
}

void add_wired_mup(NumericModel const& model, ModelText const& text, Session const& session, Answer& answer) {
    auto const nodes = listed_nodes(model.graph(), session, answer);
    auto const last = rated_node(model, text);
    if (session.samples) monte_carlo::require_no_ties(sampling_graph(model).flat_graph());
    answer.expect(4 * nodes.size() + 4);
    state(text, last.what, answer);
    struct NodeMeans {
        Surd a, b;
        std::optional<Surd> fourth;
        std::string why;
    };
    auto const means_of = [&](WiredNode<Surd> const& node) {
        NodeQueries const of("z{" + node.name + "}");
        auto const mean = [&](std::string const& query) { return Surd(exact_mean(query, model) / node.width); };
        NodeMeans out{.a = mean(of.a), .b = mean(of.b), .fourth = {}, .why = ""};
        out.fourth = known_fourth<Surd>([&] { return mean(of.fourth); }, out.why);
        return out;
    };
    std::vector<NodeMeans> means;
    std::vector<AskedMean> asked;
    std::optional<Surd> rated_change;
    for (auto const& node : nodes) {
        NodeQueries const of("z{" + node.name + "}");
        means.push_back(means_of(node));
        auto const& x = means.back();
        auto const ask = [&](std::string const& query, Surd const& exact) {
            asked.push_back(
                {.query = query, .exact = to_double(Surd(exact * node.width)), .factor = Surd(1) / node.width});
        };
        ask(of.change_square, x.a + x.b);
        ask(of.a, x.a);
        ask(of.b, x.b);
        if (x.fourth) ask(of.fourth, *x.fourth);
        if (node.name == last.node.name) rated_change = x.a + x.b;
    }
    auto const checks = observable_checks(asked, model, session, answer);
    std::size_t next = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        std::vector<std::string> const index{nodes[k].name};
        auto const& x = means[k];
        answer.add("mup_change_squared", index, Surd(x.a + x.b), checks[next]);
        answer.add("mup_a", index, x.a, checks[next + 1]);
        answer.add("mup_b", index, x.b, checks[next + 2]);
        next += 3;
        if (x.fourth) {
            answer.add("preactivation_fourth_mean", index, *x.fourth, checks[next++]);
        } else {
            answer.add("preactivation_fourth_mean", index, Value::absent(x.why), {}, "no exact value to check");
        }
    }
    add_of_chains(answer);
    if (!rated_change) {
        auto const x = means_of(last.node);
        rated_change = x.a + x.b;
    }
    answer.add(
        "mup_learning_rate", {},
        rated_change->is_zero() ? Value::absent("no rate changes anything") : over_root(1, *rated_change, rate_form),
        {}, "a function of mup_change_squared");
}

void add_wired_mup(SymbolicModel const& model, ModelText const& text, Session const& session, Answer& answer) {
    bool const endless = has_endless_stage(model);
    auto const last = rated_node(model, text);
    if (endless && session.layer)
        throw UnsupportedError("`layer`: nodes have names at a depth in numbers; drop it for " + last.what, "layer");
    auto const nodes = endless ? std::vector{last.node} : listed_nodes(model.graph(), session, answer);
    answer.expect(4 * nodes.size() + 4);
    state(text, last.what, answer);
    std::optional<ExpPolynomial> rated_change;
    auto const mean = [&](std::string const& query, RationalFunction const& width) {
        return exact_mean_by_powers(query, model) * (RationalFunction(1) / width);
    };
    for (auto const& node : nodes) {
        NodeQueries const of(endless ? last.read : "z{" + node.name + "}");
        std::vector<std::string> const index{node.name};
        auto const a = mean(of.a, node.width);
        auto const b = mean(of.b, node.width);
        auto const change = a + b;
        answer.add("mup_change_squared", index, formula_of_depth(change), {}, not_numeric);
        answer.add("mup_a", index, formula_of_depth(a), {}, not_numeric);
        answer.add("mup_b", index, formula_of_depth(b), {}, not_numeric);
        std::string why;
        auto const fourth = known_fourth<ExpPolynomial>([&] { return mean(of.fourth, node.width); }, why);
        answer.add("preactivation_fourth_mean", index, fourth ? formula_of_depth(*fourth) : Value::absent(why), {},
                   not_numeric);
        if (node.name == last.node.name) rated_change = change;
    }
    add_of_chains(answer);
    if (endless) answer.warn("at symbolic depth one node is printed: " + last.what);
    if (!rated_change) {
        NodeQueries const of(last.read);
        rated_change = mean(of.a, last.node.width) + mean(of.b, last.node.width);
    }
    add_formulas_of_rate(*rated_change, endless, answer);
    if (!endless || rated_change->terms().empty()) return;
    if (auto const width = width_symbol(model.graph())) add_limits(*rated_change, *width, answer);
}

}  // namespace isserlis::quantity
