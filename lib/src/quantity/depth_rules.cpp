// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/formula/depth_step.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/members.hpp>

#include <algorithm>
#include <memory>

#include "quantity/commands.hpp"
#include "quantity/depth_formulas.hpp"
#include "quantity/last_residual_layer.hpp"
#include "quantity/log_slope.hpp"
#include "quantity/mup/mup_sweep.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/mup/step_samples.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "question/model_statement.hpp"
#include "question/requirements.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr ModelParameters depth_rule_parameters{
    .wiring = true, .target = true, .activation = true, .variance = true, .bias = true, .input = true};
constexpr std::uint64_t most_depth = 100'000;
constexpr std::uint64_t most_exact_depth = 300;  ///< beyond it digits of enclosures are printed

constexpr auto const& rules = depth_rules;
constexpr char const* fixed_rule = fixed_depth_rule;

/// Numbers of blocks, or a symbol for any of them.
struct DepthList {
    std::vector<std::uint64_t> numbers{4, 16, 64, 256};
    std::optional<std::string> symbol = std::nullopt;
    bool given = false;
};

/// The depth of formulas that no list was given for.
constexpr char const* default_symbol = "L";

DepthList read_depths(std::string const& list, std::string const& parameter) {
    bool const is_symbol = !list.empty() && (std::isalpha(static_cast<unsigned char>(list.front())) != 0);
    if (!is_symbol) return {.numbers = different_widths(list, parameter, most_depth), .symbol = {}, .given = true};
    check_symbol(list, parameter);
    return {.numbers = {}, .symbol = list, .given = true};
}

std::uint64_t depth_at(Rational const& value) { return parse_count(to_string(value), "depths", 1, most_depth); }

/// What `depth-rules` is asked.
struct DepthRequest {
    ModelText model;
    DepthList depths;
    std::optional<Expression> multiplier;
    SamplesText samples;  ///< in place of one input
    BatchText batch;      ///< of them in the gradient
};

void complete_depth_rules(DepthRequest& request, Session const& session) {
    auto const& words = session.question.words;
    if (words.empty() || parse_widths(words.front()).size() != 3)
        throw ParseError(
            "`widths`: the input, the width of all y^k and the outputs are required, such as isserlis depth-rules "
            "8,64,1",
            "widths");
    auto& text = request.model;
    if (session.question.parameters.count("network") == 0) {
        text.wiring = Wiring::residual;
        text.wiring_text = "resnet:2";
        text.branch_matrices = 2;
    }
    if (text.wiring != Wiring::residual)
        throw UnsupportedError("`network`: the rules are of residual networks, resnet:M", "network");
    text.projections = true;
    text = read_network(text, words.front(), session, true);
    for (auto const& item : text.widths) {
        if (item.count.is_symbol || item.count.text != "1")
            throw ParseError("`widths`: the depths are those of `depths`; write each width once", "widths");
    }
    // One block between y^0 and y^1.
    text.widths[1].count.text = "2";
    auto symbols = text.symbols();
    if (request.multiplier) symbols.merge(request.multiplier->symbols());
    std::string const depth = request.depths.symbol.value_or(request.depths.given ? "" : default_symbol);
    if (symbols.count(depth) != 0)
        throw DomainError("`depths`: " + depth +
                              " counts the blocks and stands for nothing else; give the other "
                              "symbol another name",
                          "depths");
    if (!depth.empty()) symbols.insert(depth);
    if (request.samples.are_given()) {
        complete_samples(request.samples, session);
        symbols.merge(request.samples.symbols());
    }
    check_bindings(symbols, session);
}

/// A network that is asked, at any depth.
struct DepthQuestion {
    NumericModel model;  ///< of one block and no multiplier
    SteppedNetwork<Rational> net;
    Rational multiplier_squared;
    std::shared_ptr<DepthStep const> step;  ///< none with biases, other laws and samples, which it does not know
    std::optional<StepSamples<Surd>> samples = std::nullopt;
};

template <class R, class Count>
void require_rates(Graph<R, Count> const& graph, std::string const& rates) {
    for (auto const& stage : graph.stages) {
        for (auto const& edge : stage.edges) {
            if (edge.kind == GraphEdge<R>::Kind::weight && sign_of(edge.label_factor).value_or(0) < 0)
                throw DomainError(
                    named(rates) + ": a rate of " + printable(to_string(edge.label_factor)) + "; it is at least 0",
                    rates);
        }
    }
}

SteppedNetwork<Rational> stepped(Graph<Surd, std::uint64_t> const& graph, ModelText const& text) {
    std::string const variances = text.variances.empty() ? "scheme" : "variance";
    SteppedNetwork<Rational> out{.input_width = rational_of(graph.input_width, "widths"),
                                 .stages = {},
                                 .gate = Gate<Rational>::open()};  // linear nodes have none
    for (auto const& stage : graph.stages) {
        SteppedStage<Rational> stretch{.matrices = {}, .skip = false};
        for (auto const& edge : stage.edges) {
            if (edge.kind == GraphEdge<Surd>::Kind::skip) {
                stretch.skip = true;
                continue;
            }
            auto const& node = stage.nodes[edge.to - 1];
            if (node.gate)
                out.gate = converted<Rational>(*node.gate, [](Surd const& x) { return rational_of(x, "activation"); });
            stretch.matrices.push_back({.width = rational_of(node.width, "widths"),
                                        .variance = rational_of(edge.variance, variances),
                                        .label_factor = rational_of(edge.label_factor, text.label_factor_parameter)});
        }
        out.stages.push_back(std::move(stretch));
    }
    return out;
}

Rational scale_of(Rational const& multiplier_squared, DepthRule const& rule, std::uint64_t depth) {
    return multiplier_squared / Rational(power(Integer(depth), rule.halves));
}

/// The network at a depth, as it is drawn: entries of variance 1 with their scales, in the branches m among them, and the
/// rates of these entries.
NumericModel drawn(DepthQuestion const& of, std::uint64_t depth, Rational const& s) {
    NumericModel out = of.model;
    out.derivatives = {.unit_parameters = true, .over_fan_in = false, .factors = {}};
    auto graph = of.model.graph();
    for (auto const& stage : graph.stages) {
        for (auto const& edge : stage.edges) {
            if (edge.kind == GraphEdge<Surd>::Kind::weight)
                out.derivatives.factors.push_back(edge.label_factor / edge.variance);
        }
    }
    out.network = graph_at_depth(std::move(graph), depth, Surd(s));
    return out;
}

/// E (y_i^L)^2 and E (Delta y_i^L)^2.
struct LastLayer {
    TargetForm square;
    TargetForm change_square;
};

/// By the closed form or, with samples, biases and other laws, by strands.
LastLayer last_layer(DepthQuestion const& of, std::uint64_t depth, Rational const& s) {
    if (of.samples) {
        auto const model = drawn(of, depth, s);
        std::string const name = std::to_string(depth);
        return {.square = square_at_samples(model, name, *of.samples),
                .change_square = change_at_samples(model, name, *of.samples)};
    }
    if (of.step) {
        auto const exact = of.step->at(depth, s);
        return {.square = Surd(exact.square), .change_square = Surd(exact.change_square)};
    }
    auto const model = drawn(of, depth, s);
    Surd const one_neuron(Rational(1) / of.net.stages[0].matrices.front().width);
    std::string const name = std::to_string(depth);
    return {.square = exact_mean(depth_square_query(name), model) * one_neuron,
            .change_square = exact_mean(depth_change_query(name), model) * one_neuron};
}

/// E (Delta y_i^L)^2 in enclosures, which take no more time at great depth.
Value::Enclosure change_enclosure(DepthQuestion const& of, std::uint64_t depth, Rational const& s) {
    if (of.step) return [step = of.step, depth, s](unsigned bits) { return step->change_square(depth, s, bits); };
    return [change = last_layer(of, depth, s).change_square](unsigned bits) { return change.enclose(bits); };
}

Value certified_root(Value::Enclosure const& square, bool inverse, char const* form) {
    return Value::certified(
        [=](unsigned bits) {
            Interval const root = sqrt(square(bits + guard_bits));
            return inverse ? Interval(1L, bits + guard_bits) / root : root;
        },
        form);
}

void add_rule(DepthQuestion const& of, DepthRule const& rule, std::uint64_t depth, Session const& session,
              Answer& answer) {
    Rational const s = scale_of(of.multiplier_squared, rule, depth);
    std::vector<std::string> const index{std::to_string(depth), rule.name};
    answer.add("depth_multiplier", index, root(Surd(s), "m"), {}, "a function of the depth, with nothing to sample");
    std::vector<std::optional<Check>> checks(2);
    std::string unchecked;
    std::string const name = std::to_string(depth);
    if (depth <= most_exact_depth || !of.step) {
        auto const exact = last_layer(of, depth, s);
        if (session.samples && of.samples) {
            auto const seen = sampled_batch_steps(drawn(of, depth, s), *of.samples, session).at(name);
            auto const compared = [](TargetForm const& value, monte_carlo::Estimate const& x) {
                return compare_sampled(to_double(value), x.mean, x.std_error, x.samples);
            };
            checks = {compared(exact.square, seen.square), compared(exact.change_square, seen.change_square)};
        } else if (session.samples) {
            Surd const one_neuron(Rational(1) / of.net.stages[0].matrices.front().width);
            Surd const width(of.net.stages[0].matrices.front().width);
            try {
                checks = observable_checks({{.query = depth_square_query(name),
                                             .exact = to_double(width * exact.square),
                                             .factor = one_neuron},
                                            {.query = depth_change_query(name),
                                             .exact = to_double(width * exact.change_square),
                                             .factor = one_neuron}},
                                           drawn(of, depth, s), session, answer);
            } catch (UnsupportedError const& e) {
                if (e.argument() != "query") throw;
                unchecked = "sampled networks leave the range of double at some depths";
            }
        }
        answer.add("depth_square", index, tidy(exact.square), checks[0], unchecked);
        answer.add("depth_change_squared", index, tidy(exact.change_square), checks[1], unchecked);
        answer.add("depth_learning_rate", index, over_root(1, exact.change_square, depth_rate_form), {},
                   "a function of depth_change_squared, which is checked");
        return;
    }
    char const* const deep = "networks of up to 300 blocks are sampled here";
    auto const change =
        remembered([=, step = of.step](unsigned bits) { return step->change_square(depth, s, bits + guard_bits); });
    answer.add(
        "depth_square", index,
        Value::certified([=, step = of.step](unsigned bits) { return step->square(depth, s, bits + guard_bits); },
                         "an exact number of many digits"),
        {}, deep);
    answer.add("depth_change_squared", index, Value::certified(change, "an exact number of many digits"), {}, deep);
    answer.add("depth_learning_rate", index, certified_root(change, true, depth_rate_form), {}, deep);
}

void add_slopes(DepthQuestion const& of, std::vector<std::uint64_t> const& depths, Answer& answer) {
    for (std::size_t k = 0; k + 1 < depths.size(); ++k) {
        for (auto const& rule : rules) {
            auto const change = [&](std::uint64_t depth) {
                return change_enclosure(of, depth, scale_of(of.multiplier_squared, rule, depth));
            };
            answer.add("depth_rate_exponent", {std::to_string(depths[k]), rule.name},
                       local_exponent(change(depths[k]), change(depths[k + 1]),
                                      ratio(Integer(depths[k + 1]), Integer(depths[k])), ratio(-1, 2),
                                      "log(rate(L')/rate(L))/log(L'/L), L' the next depth"),
                       {}, "a function of depth_change_squared, which is checked");
        }
    }
}

/// Exponential functions of C^2: beyond what MPFR's exponents hold there is no row.
void add_exponential(Answer& answer, char const* name, DepthRule const& rule, Value::Enclosure const& enclosure,
                     std::string const& form, char const* why) {
    constexpr unsigned few_bits = 64;
    bool const is_held = mpfr_number_p(enclosure(few_bits).upper()) != 0;
    answer.add(
        name, {rule.name},
        is_held ? Value::certified(enclosure, form) : Value::absent("too large a power of 10 at this multiplier"), {},
        why);
}

void add_limits(DepthQuestion const& of, Answer& answer) {
    auto const step = of.step;
    Rational const t = of.multiplier_squared;
    std::string const unbounded = "no limit: from block to block it grows, in the end by a factor of " +
                                  to_string(Surd(step->growth(t))).substr(0, 60);
    char const* const known = "a limit, with nothing to sample";
    auto const exact = step->at(0, Rational(0));
    auto const change = [=](unsigned bits) { return step->change_square_limit(t, bits + guard_bits); };
    answer.add("depth_square_limit", {rules[0].name}, Value::absent("no limit: it goes to infinity"), {}, known);
    add_exponential(
        answer, "depth_square_limit", rules[1], [=](unsigned bits) { return step->square_limit(t, bits + guard_bits); },
        "E (y_i^0)^2 exp(C^2 mu), mu = " + to_string(Surd(step->gain())), known);
    answer.add("depth_square_limit", {rules[2].name}, Surd(exact.square), {}, known);
    answer.add("depth_change_limit", {rules[0].name}, Value::absent(unbounded), {}, known);
    add_exponential(answer, "depth_change_limit", rules[1], change, "exponential functions of C^2", known);
    answer.add("depth_change_limit", {rules[2].name}, Surd(exact.change_square), {}, known);
}

/// The multiplier that keeps E (Delta y_i^L)^2 what it is at the first depth under 1/sqrt(L).
void add_fixed(DepthQuestion const& of, std::vector<std::uint64_t> const& depths, Answer& answer) {
    auto const step = of.step;
    char const* const why = "a solution of exact equations; depth_change_squared is checked";
    Rational const first = scale_of(of.multiplier_squared, rules[1], depths.front());
    Rational const change = step->at(depths.front(), first).change_square;
    std::vector<Value::Enclosure> scales;
    for (auto const depth : depths) {
        if (depth == depths.front()) {
            scales.emplace_back([=](unsigned bits) { return Interval(first, bits + guard_bits); });
        } else {
            scales.push_back(remembered(
                [=](unsigned bits) { return step->scale_of_change(depth, change, first, bits + guard_bits); }));
        }
        answer.add("depth_multiplier", {std::to_string(depth), fixed_rule},
                   certified_root(scales.back(), false, "m that holds the change of the last layer"), {}, why);
    }
    for (std::size_t k = 0; k + 1 < depths.size(); ++k)
        answer.add("depth_fixed_exponent", {std::to_string(depths[k])},
                   local_exponent(scales[k], scales[k + 1], ratio(Integer(depths[k + 1]), Integer(depths[k])),
                                  ratio(-1, 2), "log(m(L)/m(L'))/log(L'/L), L' the next depth"),
                   {}, why);
}

/// No closed form has samples, biases or weights of another kurtosis than 3.
bool is_by_strands(DepthRequest const& request, auto const& graph) {
    return has_biases(graph) || !request.model.has_kurtosis_three() || request.samples.are_given();
}

/// Errors  UnsupportedError for gates and for weights that are not Gaussian; those of `step_samples`.
template <class R, class Count>
StepSamples<R> samples_of_step(DepthRequest const& request, Model<R, Count> const& model, Bindings const& bindings,
                               Answer& answer) {
    require_linear_between_matrices(model.graph(),
                                    "`activation`: a step on several samples is served for linear units, "
                                    "`activation` linear; with gates one sample has it, by `input`");
    require_gaussian_step(model.graph());
    if (request.samples.with) declare_grams(*request.samples.with, model, bindings, answer);
    return step_samples(request.samples, request.batch, model, bindings);
}

void add_numbers(DepthRequest const& request, std::vector<std::uint64_t> depths, Session const& session,
                 Bindings const& bindings, Answer& answer) {
    auto const& text = request.model;
    NumericModel const model = numeric_model(text, bindings);
    require_rates(model.graph(), text.label_factor_parameter);
    Rational const multiplier =
        request.multiplier ? rational_at(*request.multiplier, bindings, "multiplier") : Rational(1);
    if (multiplier <= 0)
        throw DomainError("`multiplier` = " + to_string(Surd(multiplier)) + "; it has to be positive", "multiplier");
    DepthQuestion of{.model = model,
                     .net = stepped(model.graph(), text),
                     .multiplier_squared = multiplier * multiplier,
                     .step = nullptr};
    if (request.samples.are_given()) {
        of.samples = samples_of_step(request, model, bindings, answer);
    }
    bool const by_strands = is_by_strands(request, model.graph());
    std::sort(depths.begin(), depths.end());
    if (by_strands && depths.back() > most_exact_depth)
        throw UnsupportedError("`depths`: " + std::to_string(depths.back()) +
                                   " blocks; with samples, biases, or weights that are not Gaussian, up to " +
                                   std::to_string(most_exact_depth) + " are served" +
                                   (of.samples ? "" : ", and a symbol for any number"),
                               "depths");
    if (!by_strands)
        of.step = std::make_shared<DepthStep const>(of.net, rational_of(model.squared_norm, "input_squared_norm"),
                                                    rational_of(model.target_second, "target_second_moment"));
    if (is_certainly_zero(last_layer(of, 1, of.multiplier_squared).change_square))
        throw DomainError(
            "`" + text.label_factor_parameter + "`: the rates up to the last block are 0, and y^L does not change",
            text.label_factor_parameter);
    answer.expect(depths.size() * 5 * rules.size());
    for (auto const depth : depths) {
        for (auto const& rule : rules) add_rule(of, rule, depth, session, answer);
    }
    if (by_strands) {
        for (auto const depth : depths)
            answer.add("depth_multiplier", {std::to_string(depth), fixed_rule}, Value::absent(no_fixed_rule));
        add_slopes(of, depths, answer);
        auto const open = symbolic_model(text, bindings);
        std::optional<StepSamples<RationalFunction>> samples;
        auto const& data = request.samples.data;
        if (data && request.batch.is_given() && !data->has_exact_targets()) {
            answer.warn(
                "no limits at infinite depth: the squares of these targets are no sums of square roots, which formulas "
                "ask for");
            return;
        }
        if (of.samples) samples = step_samples(request.samples, request.batch, open, bindings);
        add_depth_limits(open, RationalFunction(multiplier), default_symbol, samples ? &*samples : nullptr, answer);
        return;
    }
    add_fixed(of, depths, answer);
    add_slopes(of, depths, answer);
    add_limits(of, answer);
}

void add_symbols(DepthRequest const& request, DepthList const& list, Bindings const& bindings, Answer& answer) {
    auto const& text = request.model;
    auto symbols = text.symbols();
    symbols.merge(request.samples.symbols());
    state_symbols(symbols, text, bindings, answer);
    auto const model = symbolic_model(text, bindings);
    require_rates(model.graph(), text.label_factor_parameter);
    RationalFunction const multiplier = request.multiplier
                                            ? value_at<RationalFunction>(*request.multiplier, bindings, "multiplier")
                                            : RationalFunction(1);
    if (sign_of(multiplier).value_or(1) <= 0)
        throw DomainError("`multiplier` = " + to_string(multiplier) + "; it has to be positive", "multiplier");
    if (!sign_of(multiplier)) declare_requirements({{.value = multiplier, .strict = true}}, answer);
    std::vector<Exponent> depths;
    if (list.symbol) {
        answer.declare({.symbol = *list.symbol, .least = "1"}, SymbolRole::depth);
        depths.push_back(Exponent::symbol(*list.symbol));
    } else {
        for (auto const depth : list.numbers) depths.emplace_back(Rational(Integer(depth)));
    }
    bool const has_fixed_rule = !is_by_strands(request, model.graph());
    std::optional<StepSamples<RationalFunction>> samples;
    if (request.samples.are_given()) samples = samples_of_step(request, model, bindings, answer);
    add_depth_formulas(model, multiplier, depths, samples ? &*samples : nullptr, has_fixed_rule, answer);
}

void evaluate_depth_rules(DepthRequest const& request, Session const& session, Bindings const& bindings,
                          Answer& answer) {
    auto const& text = request.model;
    bool const several = request.samples.are_given();
    state_assumptions(text, {.wiring = true, .activation = true, .variance = true, .law = true, .input = !several},
                      answer);
    answer.assume("y^k = y^(k-1) + m F(y^(k-1)), k = 1 .. L, m = C L^-a with C = " +
                  (request.multiplier ? text.as_typed("multiplier") : std::string("1")) +
                  "; rates are those of the matrices, beside which m stands");
    if (several) {
        state_step_samples(request.samples, request.batch, answer);
        answer.assume("source: the strand recursion, docs/strands.md; means over the neurons and over all samples");
    } else {
        state_mup_step(text.target_second ? text.as_typed("target_second_moment") : "1", answer, mean_of_target(text));
    }
    if (text.has_biases())
        answer.assume(std::string(biases_stay) + "; m multiplies those of the branches' last matrices too");
    if (!text.label_factors.empty()) answer.assume("rates " + text.as_typed(text.label_factor_parameter));
    answer.assume("depth_learning_rate multiplies the rates given (default 1): then E (Delta y_i^L)^2 = 1");
    if (!several)
        answer.assume("rule fixed: m holds E (Delta y_i^L)^2 at its value of the first depth under m = C/sqrt(L)");
    auto symbols = text.symbols();
    if (request.multiplier) symbols.merge(request.multiplier->symbols());
    symbols.merge(request.samples.symbols());
    bool const free =
        std::any_of(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings.count(s) == 0; });
    auto depths = request.depths;
    if (!depths.given && (free || bindings.count(default_symbol) != 0)) depths.symbol = default_symbol;
    if (depths.symbol && bindings.count(*depths.symbol) != 0)
        depths = {.numbers = {depth_at(bindings.at(*depths.symbol))}};
    if (depths.symbol || free) {
        add_symbols(request, depths, bindings, answer);
    } else {
        add_numbers(request, depths.numbers, session, bindings, answer);
    }
}

}  // namespace

Command depth_rules_command() {
    CommandOf<DepthRequest> out;
    out.text = {
        .name = "depth-rules",
        .summary = "Branch multipliers C, C/sqrt(L), C/L of residual networks: sizes, changes, rates, side by side",
        .positional = "`widths`",
        .positional_help = "d_0,n,N: the input, the width of all y^k, the outputs",
        .refusals = {{{"layer"}, "{}: the rules are of the last residual layer; leave it out"}},
        .charted = "depth_learning_rate",
    };
    ParameterSet<ModelText> of_model = with_linear_head(model_parameters(depth_rule_parameters));
    auto& network = of_model.at("network");
    network.text.value = "resnet:M";
    network.text.help = "Branches of M matrices, gates between them";
    network.text.usual = "resnet:2";
    network.text.choices = {"resnet:1", "resnet:2", "resnet:3"};
    of_model.add({"branch_widths", "LIST", "Hidden widths of a branch: one for all or one for each",
                  &ModelText::branch_widths, formulas()});
    of_model.add(label_factor_parameter("eta", "LIST",
                                        "Rates: one for all matrices, or of the first, those of a branch, and the last",
                                        More{.usual = "1"}));
    out.parameters.add(&DepthRequest::model, of_model);
    out.parameters.add(&DepthRequest::samples, samples_parameters(WithUse::samples));
    out.parameters.add(&DepthRequest::batch, batch_parameters());
    out.parameters.add({"depths", "LIST|L", "Numbers of blocks L, or a symbol for any", &DepthRequest::depths,
                        Reader<DepthList>{read_depths}, More{.usual = "4,16,64,256; L in formulas"}});
    out.parameters.add({"multiplier", "C", "C of the multipliers C L^-a, a = 0, 1/2, 1", &DepthRequest::multiplier,
                        formula(), More{.usual = "1"}});
    out.complete = complete_depth_rules;
    out.evaluate = evaluate_depth_rules;
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
