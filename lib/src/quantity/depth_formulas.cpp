// SPDX-License-Identifier: MIT
#include "quantity/depth_formulas.hpp"

#include <isserlis/error.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/tidy.hpp>

#include "quantity/last_residual_layer.hpp"
#include "quantity/limit_scale.hpp"
#include "quantity/mup/unmoved.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* not_drawn = "a limit, with nothing to sample";

SymbolicModel at_depth(SymbolicModel const& model, Exponent const& depth, RationalFunction const& multiplier,
                       DepthRule const& rule) {
    RationalFunction const s =
        multiplier * multiplier / power(RationalFunction(depth), static_cast<std::uint64_t>(rule.halves));
    SymbolicModel out = model;
    out.network = graph_at_depth(model.graph(), depth, s);
    return out;
}

RationalFunction one_neuron(SymbolicModel const& model) {
    return RationalFunction(1) / model.graph().stages[0].nodes.back().width;
}

/// 1/sqrt of a sum of powers: one root where there is no depth in it.
Value rate_of(ExpPolynomial const& change, Exponent const& depth) {
    if (depth.is_constant()) return over_root(1, change, depth_rate_form);
    return Value::over_root_of(to_string(change));
}

using Samples = StepSamples<RationalFunction>;

struct DepthMean {
    char const* name;
    std::string (*query)(std::string const& node);
    ExpPolynomial (*at_samples)(SymbolicModel const& model, std::string const& node, Samples const& samples);
    LimitNames limits;
    bool has_rate;
};
std::array<DepthMean, 2> const means{{{.name = "depth_square",
                                       .query = depth_square_query,
                                       .at_samples = square_at_samples,
                                       .limits = {.limit = "depth_square_limit", .leading = "depth_square_leading"},
                                       .has_rate = false},
                                      {.name = "depth_change_squared",
                                       .query = depth_change_query,
                                       .at_samples = change_at_samples,
                                       .limits = {.limit = "depth_change_limit", .leading = "depth_change_leading"},
                                       .has_rate = true}}};

/// At one input, or over samples.
ExpPolynomial value_of(DepthMean const& mean, SymbolicModel const& model, std::string const& node,
                       Samples const* samples) {
    if (samples != nullptr) return mean.at_samples(model, node, *samples);
    return exact_mean_by_powers(mean.query(node), model) * one_neuron(model);
}

/// Without branches, which drop out under 1/L.
SymbolicModel without_branches(SymbolicModel const& model) {
    SymbolicModel out = model;
    auto graph = model.graph();
    graph.stages.erase(graph.stages.begin() + 1);
    out.network = std::move(graph);
    return out;
}

bool drops_out(DepthRule const& rule) { return rule.halves == 2; }

void add_limit(ExpPolynomial const& x, DepthMean const& mean, DepthRule const& rule, std::string const& depth,
               Answer& answer) {
    if (!drops_out(rule))
        add_limit_of(ExpQuotient(x), {.width = "", .depth = depth}, mean.limits, {rule.name}, answer, not_drawn);
}

void add_limits_without_branches(SymbolicModel const& model, std::string const& depth, Samples const* samples,
                                 Answer& answer) {
    auto const plain = without_branches(model);
    for (auto const& mean : means)
        answer.add_limit(mean.limits.limit, {depth_rules.back().name}, value_of(mean, plain, "0", samples).formula(),
                         {depth}, not_drawn);
}

/// The means of a rule; none where the strand engine refuses, which their rows say.
void add_rule(SymbolicModel const& model, RationalFunction const& multiplier, Exponent const& depth,
              DepthRule const& rule, Samples const* samples, bool with_values, Answer& answer) {
    auto const deep = at_depth(model, depth, multiplier, rule);
    bool const with_limit = !depth.is_constant();
    std::vector<std::string> const index{to_string(depth), rule.name};
    for (auto const& mean : means) {
        try {
            auto const x = value_of(mean, deep, index[0], samples);
            if (with_values) answer.add(mean.name, index, tidy(x), {}, not_numeric);
            if (with_values && mean.has_rate)
                answer.add("depth_learning_rate", index, x.terms().empty() ? unmoved() : rate_of(x, depth), {},
                           not_numeric);
            if (with_limit) add_limit(x, mean, rule, index[0], answer);
        } catch (UnsupportedError const& e) {
            Value const none = Value::absent(reason(e));
            if (with_values) answer.add(mean.name, index, none, {}, not_numeric);
            if (with_values && mean.has_rate) answer.add("depth_learning_rate", index, none, {}, not_numeric);
            if (with_limit && !drops_out(rule)) answer.add(mean.limits.limit, {rule.name}, none, {}, not_drawn);
        }
    }
}

}  // namespace

std::string depth_square_query(std::string const& depth) { return "z{" + depth + "}[i]^2"; }
std::string depth_change_query(std::string const& depth) { return "(z{" + depth + "}[i;m] D[m] loss)^2"; }

void add_depth_limits(SymbolicModel const& model, RationalFunction const& multiplier, std::string const& depth,
                      StepSamples<RationalFunction> const* samples, Answer& answer) {
    for (auto const& rule : depth_rules) {
        if (!drops_out(rule)) add_rule(model, multiplier, Exponent::symbol(depth), rule, samples, false, answer);
    }
    add_limits_without_branches(model, depth, samples, answer);
}

void add_depth_formulas(SymbolicModel const& model, RationalFunction const& multiplier,
                        std::vector<Exponent> const& depths, StepSamples<RationalFunction> const* samples,
                        bool has_fixed_rule, Answer& answer) {
    for (auto const& depth : depths) {
        std::string const text = to_string(depth);
        for (auto const& rule : depth_rules) {
            RationalFunction const root =
                power(RationalFunction(depth), Exponent(ratio(static_cast<int>(rule.halves), 2)));
            answer.add("depth_multiplier", {text, rule.name}, multiplier / root, {}, not_numeric);
            add_rule(model, multiplier, depth, rule, samples, true, answer);
        }
        answer.add("depth_multiplier", {text, fixed_depth_rule},
                   Value::absent(has_fixed_rule ? "a root of an equation without a closed form; numbers, by "
                                                  "`set`, have its digits"
                                                : no_fixed_rule),
                   {}, not_numeric);
        if (!depth.is_constant()) add_limits_without_branches(model, text, samples, answer);
    }
}

}  // namespace isserlis::quantity
