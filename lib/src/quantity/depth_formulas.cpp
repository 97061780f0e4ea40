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

struct DepthMean {
    char const* name;
    std::string query;
    LimitNames limits;
};
std::array<DepthMean, 2> means_at(std::string const& depth) {
    return {DepthMean{.name = "depth_square",
                      .query = depth_square_query(depth),
                      .limits = {.limit = "depth_square_limit", .leading = "depth_square_leading"}},
            DepthMean{.name = "depth_change_squared",
                      .query = depth_change_query(depth),
                      .limits = {.limit = "depth_change_limit", .leading = "depth_change_leading"}}};
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

void add_limits_without_branches(SymbolicModel const& model, std::string const& depth, Answer& answer) {
    auto const plain = without_branches(model);
    for (auto const& mean : means_at("0"))
        answer.add_limit(mean.limits.limit, {depth_rules.back().name},
                         (exact_mean_by_powers(mean.query, plain) * one_neuron(model)).formula(), {depth}, not_drawn);
}

/// The same rows at samples.
void add_rule_at_samples(SymbolicModel const& deep, std::vector<std::string> const& index,
                         StepSamples<RationalFunction> const& samples, Answer& answer) {
    try {
        auto const last = last_layer_at_samples(deep, index[0], samples);
        answer.add("depth_square", index, tidy(last.square), {}, not_numeric);
        answer.add("depth_change_squared", index, tidy(last.change_square), {}, not_numeric);
        answer.add("depth_learning_rate", index,
                   last.change_square.is_zero() ? unmoved() : over_root(1, last.change_square, depth_rate_form), {},
                   not_numeric);
    } catch (UnsupportedError const& e) {
        for (char const* name : {"depth_square", "depth_change_squared", "depth_learning_rate"})
            answer.add(name, index, Value::absent(reason(e)), {}, not_numeric);
    }
}

/// The means of a rule; none where the strand engine refuses, which their rows say.
void add_rule(SymbolicModel const& model, RationalFunction const& multiplier, Exponent const& depth,
              DepthRule const& rule, bool with_values, Answer& answer) {
    auto const deep = at_depth(model, depth, multiplier, rule);
    bool const with_limit = !depth.is_constant();
    std::vector<std::string> const index{to_string(depth), rule.name};
    for (auto const& mean : means_at(index[0])) {
        bool const has_rate = mean.name == std::string("depth_change_squared");
        try {
            auto const x = exact_mean_by_powers(mean.query, deep) * one_neuron(model);
            if (with_values) answer.add(mean.name, index, tidy(x), {}, not_numeric);
            if (with_values && has_rate)
                answer.add("depth_learning_rate", index, x.terms().empty() ? unmoved() : rate_of(x, depth), {},
                           not_numeric);
            if (with_limit) add_limit(x, mean, rule, index[0], answer);
        } catch (UnsupportedError const& e) {
            if (with_values) answer.add(mean.name, index, Value::absent(reason(e)), {}, not_numeric);
            if (with_values && has_rate)
                answer.add("depth_learning_rate", index, Value::absent(reason(e)), {}, not_numeric);
            if (with_limit && !drops_out(rule))
                answer.add(mean.limits.limit, {rule.name}, Value::absent(reason(e)), {}, not_drawn);
        }
    }
}

}  // namespace

std::string depth_square_query(std::string const& depth) { return "z{" + depth + "}[i]^2"; }
std::string depth_change_query(std::string const& depth) { return "(z{" + depth + "}[i;m] D[m] loss)^2"; }

void add_depth_limits(SymbolicModel const& model, RationalFunction const& multiplier, std::string const& depth,
                      Answer& answer) {
    for (auto const& rule : depth_rules) {
        if (!drops_out(rule)) add_rule(model, multiplier, Exponent::symbol(depth), rule, false, answer);
    }
    add_limits_without_branches(model, depth, answer);
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
            if (samples != nullptr)
                add_rule_at_samples(at_depth(model, depth, multiplier, rule), {text, rule.name}, *samples, answer);
            else
                add_rule(model, multiplier, depth, rule, true, answer);
        }
        answer.add("depth_multiplier", {text, fixed_depth_rule},
                   Value::absent(has_fixed_rule ? "a root of an equation without a closed form; numbers, by "
                                                  "`set`, have its digits"
                                                : no_fixed_rule),
                   {}, not_numeric);
        if (!depth.is_constant() && samples == nullptr) add_limits_without_branches(model, text, answer);
    }
}

}  // namespace isserlis::quantity
