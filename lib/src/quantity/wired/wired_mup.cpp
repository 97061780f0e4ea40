// SPDX-License-Identifier: MIT
#include "quantity/wired/wired_mup.hpp"

#include <array>
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/tidy.hpp>
#include <set>
#include <type_traits>
#include <vector>

#include "quantity/limit_scale.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/unmoved.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/node_step.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* of_chains = "a term of the recursion of fully connected (vanilla) ReLU networks";

bool is_endless_count(std::uint64_t) { return false; }
bool is_endless_count(Exponent const& count) { return !count.is_constant(); }

/// The last one of weights or sums, from the end of these stages on.
template <class R, class Count>
std::optional<WiredNode<R>> last_node(std::vector<GraphStage<R, Count>> const& stages) {
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
        for (auto node = stage->nodes.rbegin(); node != stage->nodes.rend(); ++node) {
            if (node->kind == GraphNode<R>::Kind::concatenation) continue;
            return WiredNode<R>{
                .name = name_in_last_copy(*stage, *node), .width = node->width, .gated = node->gate.has_value()};
        }
    }
    return std::nullopt;
}

template <class R, class Count>
RatedNode<R> rated(Graph<R, Count> const& graph, ModelText const& text) {
    auto stages = graph.stages;
    if (text.wiring == Wiring::residual && !text.projections) {
        auto const node = *last_node(stages);
        std::string const z = is_endless_count(stages.back().count) ? "z" : "z{" + node.name + "}";
        return {.node = node, .read = z, .what = node.name + ", the output"};
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

Value rate_of_change(Surd const& change, bool) { return over_root(1, change, rate_form); }
Value rate_of_change(ExpPolynomial const& change, bool endless) {
    return endless ? Value::over_root_of(to_string(change)) : over_root(1, change, rate_form);
}

/// What one step does to a node: means over its neurons.
template <class R>
struct RatedMeans {
    PrintedMean<R> a, b;
    std::optional<PrintedMean<R>> fourth;  ///< none where an input is too little known, which `why` then says
    std::string why;

    [[nodiscard]] PrintedMean<R> change() const { return a + b; }
};

template <class R, class Count>
RatedMeans<R> rated_means(NodeQueries const& of, R const& width, Model<R, Count> const& model) {
    auto const mean = [&](std::string const& query) { return exact_mean_by_powers(query, model) * R(R(1) / width); };
    RatedMeans<R> out{.a = mean(of.a), .b = mean(of.b), .fourth = {}, .why = ""};
    try {
        out.fourth = mean(of.fourth);
    } catch (DomainError const& e) {
        out.why = reason(e);
    }
    return out;
}

/// Beside sampled networks, of which there are none of symbols: of the change, of a, of b and of the fourth powers.
using RatedChecks = std::array<std::optional<Check>, 4>;

std::vector<RatedChecks> rated_checks(std::vector<WiredNode<Surd>> const& nodes,
                                      std::vector<NodeQueries> const& queries,
                                      std::vector<RatedMeans<Surd>> const& means, NumericModel const& model,
                                      Session const& session, Answer& answer) {
    std::vector<AskedMean> asked;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        auto const ask = [&](std::string const& query, Surd const& exact) {
            asked.push_back(
                {.query = query, .exact = to_double(Surd(exact * nodes[k].width)), .factor = Surd(1) / nodes[k].width});
        };
        ask(queries[k].change_square, means[k].change());
        ask(queries[k].a, means[k].a);
        ask(queries[k].b, means[k].b);
        if (means[k].fourth) ask(queries[k].fourth, *means[k].fourth);
    }
    auto const checks = observable_checks(asked, model, session, answer);
    std::vector<RatedChecks> out(nodes.size());
    std::size_t next = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k)
        for (std::size_t i = 0; i < (means[k].fourth ? 4U : 3U); ++i) out[k][i] = checks[next++];
    return out;
}

template <class R, class Count>
void add_mup_rows(Model<R, Count> const& model, ModelText const& text, Session const& session, Answer& answer) {
    constexpr bool numeric = std::is_same_v<R, Surd>;
    bool const endless = has_endless_stage(model);
    auto const last = rated_node(model, text);
    if (endless && session.layer)
        throw UnsupportedError("`layer`: nodes have names at a depth in numbers; drop it for " + last.what, "layer");
    auto const nodes = endless ? std::vector{last.node} : listed_nodes(model.graph(), session, answer);
    if constexpr (numeric) {
        if (session.samples) monte_carlo::require_no_ties(sampling_graph(model).flat_graph());
    }
    answer.expect(4 * nodes.size() + 4);
    state(text, last.what, answer);
    std::vector<NodeQueries> queries;
    std::vector<RatedMeans<R>> means;
    std::optional<PrintedMean<R>> rated_change;
    for (auto const& node : nodes) {
        queries.emplace_back(endless ? last.read : "z{" + node.name + "}");
        means.push_back(rated_means(queries.back(), node.width, model));
        if (node.name == last.node.name) rated_change = means.back().change();
    }
    std::vector<RatedChecks> checks(nodes.size());
    if constexpr (numeric) checks = rated_checks(nodes, queries, means, model, session, answer);
    std::string const unchecked = numeric ? "" : not_numeric;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        std::vector<std::string> const index{nodes[k].name};
        auto const& x = means[k];
        answer.add("mup_change_squared", index, tidy(x.change()), checks[k][0], unchecked);
        answer.add("mup_a", index, tidy(x.a), checks[k][1], unchecked);
        answer.add("mup_b", index, tidy(x.b), checks[k][2], unchecked);
        answer.add("preactivation_fourth_mean", index, x.fourth ? tidy(*x.fourth) : Value::absent(x.why), checks[k][3],
                   numeric && !x.fourth ? "no exact value to check" : unchecked);
    }
    add_of_chains(answer);
    if (endless) answer.warn("at symbolic depth one node is printed: " + last.what);
    if (!rated_change) rated_change = rated_means(NodeQueries(last.read), last.node.width, model).change();
    answer.add("mup_learning_rate", {},
               is_certainly_zero(*rated_change) ? unmoved() : rate_of_change(*rated_change, endless), {},
               numeric ? "a function of mup_change_squared" : not_numeric);
    if constexpr (!numeric) {
        if (!endless || is_certainly_zero(*rated_change)) return;
        if (auto const width = width_symbol(model.graph())) add_limits(*rated_change, *width, answer);
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
    add_mup_rows(model, text, session, answer);
}

void add_wired_mup(SymbolicModel const& model, ModelText const& text, Session const& session, Answer& answer) {
    add_mup_rows(model, text, session, answer);
}

}  // namespace isserlis::quantity
