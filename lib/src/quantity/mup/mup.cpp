// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/formula/rescaled_step.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/ring/members.hpp>
#include <map>
#include <set>

#include "quantity/chain_models.hpp"
#include "quantity/commands.hpp"
#include "quantity/endless_depth.hpp"
#include "quantity/known_answer.hpp"
#include "quantity/mup/batch_step.hpp"
#include "quantity/mup/gated_samples.hpp"
#include "quantity/mup/mup_deep.hpp"
#include "quantity/mup/mup_optimiser.hpp"
#include "quantity/mup/mup_samples.hpp"
#include "quantity/mup/mup_sweep.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/optimiser_sweep.hpp"
#include "quantity/mup/unmoved.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired_mup.hpp"
#include "question/model_statement.hpp"
#include "question/spelling.hpp"
#include "question/weight_layers.hpp"

namespace isserlis::quantity {
namespace {

constexpr double most_formula_work = 3e9;  ///< a minute or two
constexpr ModelParameters mup_parameters{.wiring = true,
                                         .target = true,
                                         .activation = true,
                                         .parametrisation = true,
                                         .bias = true,
                                         .input = true,
                                         .precision = true};

/// Rates are listed for the hidden layers; the output layer's does not enter.
void complete_rates(ModelText& text) {
    std::size_t const rates = text.label_factors.size();
    if (rates < 2 || text.wiring != Wiring::vanilla) return;
    auto const layers = weight_layers(text);
    if (layers == Integer(rates))
        text.idle.push_back("`eta`: rate " + std::to_string(rates) +
                            ", that of the output layer, has no effect: the change is that of hidden layers");
    if (layers == Integer(rates) + 1) text.label_factors.push_back(text.label_factors.back());
}

template <class R>
using LayersByNumber = std::map<std::uint64_t, MupLayer<R>>;

/// These layers: many in one sweep, two by two products of their own.
template <class R>
LayersByNumber<R> steps_of_mup(FullyConnected<R, std::uint64_t> const& net, R const& square, R const& target_second,
                               std::set<std::uint64_t> const& which) {
    LayersByNumber<R> out;
    if (which.size() <= 2) {
        for (auto const l : which) out.emplace(l, mup_step_of_layer(net, square, target_second, l));
        return out;
    }
    auto const all = mup_step(net, square, target_second);
    for (auto const l : which) out.emplace(l, all[l - 1]);
    return out;
}

/// The same of a network of other variances, by the muP network that it is a rescaling of.
template <class R>
LayersByNumber<R> mup_steps(FullyConnected<R, std::uint64_t> const& net, R const& square, R const& target_second,
                            std::set<std::uint64_t> const& which) {
    RescaledStep<R> const step(net, target_second);
    if (step.is_mup()) return steps_of_mup(net, square, target_second, which);
    auto out = steps_of_mup(step.net(), square, step.target_second(), which);
    for (auto& [l, x] : out) x = step.layer(l, x);
    return out;
}

LayersByNumber<Surd> layers_of(NumericModel const& model, std::uint64_t layers, std::set<std::uint64_t> const& which) {
    require_moderate_digits(model.graph());
    Numeric const net = which.size() <= 2 ? model.net() : *layer_by_layer(model.net(), layers);
    return mup_steps(net, model.squared_norm, model.target_second, which);
}
/// By one sweep: polynomials gain nothing by balanced products.
LayersByNumber<RationalFunction> layers_of(SymbolicModel const& model, std::uint64_t layers,
                                           std::set<std::uint64_t> const& which) {
    require_moderate_formulas(model.graph(), {.count = layers}, most_formula_work);
    RescaledStep<RationalFunction> const step(*layer_by_layer(model.net(), layers), model.target_second);
    auto const all = mup_step(step.net(), model.squared_norm, step.target_second());
    LayersByNumber<RationalFunction> out;
    for (auto const l : which) out.emplace(l, step.is_mup() ? all[l - 1] : step.layer(l, all[l - 1]));
    return out;
}

Surd width_of_layer(Numeric const& net, std::uint64_t l) { return first_layers(net, l).output_width(); }
RationalFunction width_of_layer(Symbolic const& net, std::uint64_t l) {
    return layer_by_layer(net, most_layers_in_symbols)->layers[l - 1].fan_out;
}

/// What observables of layer l are called, and what their means are multiplied by.
template <class R>
struct StepQueries {
    std::string a, b, fourth;
    R a_factor, b_factor;
};

template <class R, class Count>
StepQueries<R> step_queries(Model<R, Count> const& model, std::uint64_t l) {
    R const width = width_of_layer(model.net(), l);
    std::string const z = "z{" + std::to_string(l) + "}";
    return {.a = z + "[i;m] z[j;m] z[j] " + z + "[i;n] z[k;n] z[k]",
            .b = z + "[i;m] z[j;m] " + z + "[i;n] z[j;n]",
            .fourth = z + "[1]^4",
            .a_factor = R(1) / width,
            .b_factor = R(model.target_second / (width * model.net().output_width()))};
}

/// The same where there are biases or other units than ReLU, which the closed forms do not know. A row of W^(L+1) and its bias may change sign
/// together: terms odd in y vanish here too, and E (Delta z_i)^2 = A + B.
template <class R, class Count>
LayersByNumber<R> layers_by_strands(Model<R, Count> const& model, std::set<std::uint64_t> const& which) {
    LayersByNumber<R> out;
    for (auto const l : which) {
        auto const queries = step_queries(model, l);
        MupLayer<R> x;
        x.a = exact_mean(queries.a, model) * queries.a_factor;
        x.b = exact_mean(queries.b, model) * queries.b_factor;
        x.fourth_power = exact_mean(queries.fourth, model);
        out.emplace(l, std::move(x));
    }
    return out;
}

struct LayerChecks {
    std::optional<Check> a;
    std::optional<Check> b;
    std::optional<Check> fourth;
};

std::vector<LayerChecks> checks_of(SymbolicModel const&, std::vector<std::uint64_t> const& listed,
                                   LayersByNumber<RationalFunction> const&, Session const&, Answer&) {
    return std::vector<LayerChecks>(listed.size());
}
std::vector<LayerChecks> checks_of(NumericModel const& model, std::vector<std::uint64_t> const& listed,
                                   LayersByNumber<Surd> const& known, Session const& session, Answer& answer) {
    std::vector<AskedMean> asked;
    for (auto const l : listed) {
        auto const& x = known.at(l);
        auto const queries = step_queries(model, l);
        auto const ask = [&](std::string const& query, Surd const& exact, Surd const& factor) {
            asked.push_back({query, factor.is_zero() ? 0 : to_double(Surd(exact / factor)), factor});
        };
        ask(queries.a, x.a, queries.a_factor);
        ask(queries.b, x.b, queries.b_factor);
        ask(queries.fourth, x.fourth_power, Surd(1));
    }
    auto const checks = observable_checks(asked, model, session, answer);
    std::vector<LayerChecks> out;
    for (std::size_t k = 0; k < listed.size(); ++k)
        out.push_back({.a = checks[3 * k], .b = checks[3 * k + 1], .fourth = checks[3 * k + 2]});
    return out;
}

/// Change and covariance of each hidden layer: means over its neurons.
void emit_step_test(NumericModel const& model, std::uint64_t layers, Session const& session, Answer& answer) {
    if (!session.test) return;
    auto const net = layer_by_layer(model.net(), most_listed_layers);
    if (!net) {
        throw UnsupportedError("`emit_test`: " + std::to_string(layers) + " layers; a test of every layer is written " +
                                   "for up to " + std::to_string(most_listed_layers),
                               "emit_test");
    }
    std::vector<KnownQuery> queries;
    auto const exact = rescaled_moments(*net, model.squared_norm, model.target_second);
    for (std::size_t l = 1; l < exact.size(); ++l) {
        std::string const z = "z{" + std::to_string(l) + "}";
        std::string const change = z + "[i;m] (z[j;m] z[j] - z[j;m] y[j])";
        std::string const mean = "/" + to_string(net->layers[l - 1].fan_out);
        std::string const index = "[" + std::to_string(l) + "]";
        queries.push_back({"mup_change_squared" + index, "(" + change + ")^2" + mean, exact[l - 1].change_square, l});
        queries.push_back({"change_covariance" + index, "-" + z + "[i] " + change + mean, exact[l - 1].covariance, {}});
    }
    emit_test(KnownAnswer::Kind::mup, model, queries, session, answer);
}
void emit_step_test(SymbolicModel const&, std::uint64_t, Session const& session, Answer&) {
    refuse_symbols_in_test(session);
}

template <class R, class Count>
void add_step(Model<R, Count> const& model, ModelText const& text, Session const& session, Answer& answer) {
    require_rates(model);
    bool const by_strands = has_biases(model.graph()) || !model.net().activation.is_relu();
    if (by_strands) begin_wired(model, text, session, answer);
    if constexpr (std::is_same_v<R, RationalFunction>) {
        if (is_endless(model)) {
            refuse_symbols_in_test(session);
            add_deep_step(model, session, answer);
            return;
        }
    }
    std::uint64_t const layers = checked_depth(model.net(), "mup");
    require_hidden_layer(layers);
    require_sampled_depth(session, layers);
    std::uint64_t const hidden = layers - 1;
    auto const listed = listed_layers(session, hidden, 1, "hidden layers only the last one is", answer);
    std::set<std::uint64_t> which(listed.begin(), listed.end());
    which.insert(hidden);  // the rate is about that one
    if (by_strands && which.size() > most_layers_by_strands) {
        char const* const parameter = has_biases(model.graph()) ? "bias_variance" : "activation";
        throw UnsupportedError(named(parameter) + ": " + std::to_string(which.size()) +
                                   " layers; with biases or other units than ReLU up to " +
                                   std::to_string(most_layers_by_strands) + " are listed, and `layer` K one of more",
                               parameter);
    }
    auto const known = by_strands ? layers_by_strands(model, which) : layers_of(model, layers, which);
    auto const all_checks = checks_of(model, listed, known, session, answer);
    for (std::size_t k = 0; k < listed.size(); ++k) {
        auto const l = listed[k];
        auto const& x = known.at(l);
        auto const& checks = all_checks[k];
        bool const numeric = std::is_same_v<R, Surd>;
        std::string const by_parts = numeric ? "computed from mup_a and mup_b" : not_numeric;
        std::string const letter = numeric ? "a term of the recursion of mup_b, which is checked" : not_numeric;
        std::vector<std::string> const index{std::to_string(l)};
        answer.add("mup_change_squared", index, tidy(x.change_squared()), {}, by_parts);
        answer.add("mup_a", index, tidy(x.a), checks.a, not_numeric);
        answer.add("mup_b", index, tidy(x.b), checks.b, numeric ? "E|y|^2 is 0" : not_numeric);
        if (!model.derivatives.parametrisation && !by_strands) {
            answer.add("mup_b_tilde", index, tidy(x.b_tilde), {}, letter);
            answer.add("mup_c", index, tidy(x.c), {}, letter);
            answer.add("mup_c_tilde", index, tidy(x.c_tilde), {}, letter);
        }
        answer.add("preactivation_fourth_mean", index, tidy(x.fourth_power), checks.fourth, not_numeric);
    }
    R const change = known.at(hidden).change_squared();
    std::string const unchecked = "a function of mup_change_squared";
    if (change == R(0)) {
        answer.add("mup_learning_rate", {}, unmoved(), {}, unchecked);
    } else {
        answer.add("mup_learning_rate", {}, over_root(1, change, rate_form), {}, unchecked);
    }
    answer.assume(
        "mup_learning_rate multiplies the rates given (default 1): then E (Delta z_i^(L))^2 = 1 at the last "
        "hidden layer");
    emit_step_test(model, layers, session, answer);
}

/// What `mup` is asked: of one network, or of many by width and depth.
struct MupRequest {
    ModelText model;
    MupSweepText sweep;
    std::optional<InputRows> inputs;  ///< several, of a file
    SamplesText samples;              ///< with targets, in place of inputs
    BatchText batch;                  ///< of them in the gradient
};

/// A file of several inputs is a batch.
void read_batch(MupRequest& request, Session const& session) {
    if (request.model.input_file.empty() || session.question.words.empty()) return;
    request.inputs = several_inputs(request.model.input_file, session.question.words[0]);
    if (!request.inputs) return;
    if (request.model.wiring != Wiring::vanilla)
        throw UnsupportedError(
            "`network` " + request.model.wiring_text +
                ": several inputs by `input` are served through one hidden layer of fully connected "
                "(vanilla) networks; linear units of any wiring have samples with targets, by `data` or `with`",
            "network");
    for (char const* other :
         {"layer", "emit_test", "emit_samples", "emit_tolerance", "input_squared_norm", "input_fourth"}) {
        if (session.question.parameters.count(other) != 0)
            throw ParseError(
                named(other) + " is for one input; `input` lists " + std::to_string(request.inputs->size()), other);
    }
    if (session.question.parameters.count("bias_variance") != 0)
        throw UnsupportedError("`bias_variance`: several inputs are served without biases; leave it out",
                               "bias_variance");
    if (request.model.activation != ActivationKind::relu)
        throw UnsupportedError(
            "`activation`: several inputs by `input` are served for ReLU; linear and leaky units have samples with "
            "targets, by `data` or `with`",
            "activation");
    request.model.input.reset();
}

/// Errors  UnsupportedError for several samples or inputs.
void require_one_sample(MupRequest const& request, Session const& session) {
    auto const& model = request.model;
    auto const& widths = session.question.words;
    bool const chain = model.wiring == Wiring::vanilla && !widths.empty();
    bool const inputs = !model.input_file.empty() && chain && several_inputs(model.input_file, widths[0]);
    if (inputs || request.samples.are_given() || request.batch.is_given())
        throw UnsupportedError("`optimiser`: first steps of other rules than sgd are of one sample; leave it out",
                               "optimiser");
}

/// Is there an output layer, whose variance is muP's? A file says its own.
bool has_plain_output(ModelText const& text) {
    return text.wiring == Wiring::vanilla || text.wiring == Wiring::dense || text.projections;
}

void complete_mup(MupRequest& request, Session const& session) {
    auto const& widths = session.question.words;
    if (request.sweep.is_asked()) {
        if (!widths.empty())
            throw ParseError("`widths`: `depths` and `width_list` say which networks; leave `widths` out", "widths");
        if (request.model.wiring != Wiring::vanilla)
            throw UnsupportedError(
                "`network`: `depths` and `width_list` are of fully connected (vanilla) networks; isserlis depth-rules "
                "has rates of residual ones at several depths",
                "network");
        complete_sweep(request.sweep, request.model, session);
        return;
    }
    if (widths.empty() && request.model.wiring != Wiring::file)
        throw ParseError("`widths` is missing; list the layers from the input on, such as isserlis mup 8,8:3,1",
                         "widths");
    bool const other = request.sweep.optimiser.rule != StepRule::descent;
    if (other) require_one_sample(request, session);
    if (request.samples.are_given()) {
        complete_samples(request.samples, session);
        (void)batch_of(request.batch, request.samples.size());  // refuses one that is too large
    }
    if (!other) read_batch(request, session);
    request.model = read_network(request.model, widths.empty() ? "" : widths[0], session, true);
    if (!request.model.parametrisation && has_plain_output(request.model)) request.model.scheme = Scheme::mean_field;
    check_optimiser(request.sweep.optimiser, {}, request.model, session);
    if (!other) complete_rates(request.model);
    auto symbols = request.model.symbols();
    symbols.merge(request.samples.symbols());
    check_bindings(symbols, session);
}

template <class R, class Count>
void evaluate_samples(Model<R, Count> const& model, MupRequest const& request, Session const& session,
                      Bindings const& bindings, Answer& answer) {
    auto const& text = request.model;
    if (request.samples.with) declare_grams(*request.samples.with, model, bindings, answer);
    auto const samples = step_samples(request.samples, request.batch, model, bindings);
    if (!gates_meet_samples(text)) {
        add_step_on_samples(model, text, samples, session, answer);
        return;
    }
    require_rates(model);
    add_step_through_gates(model, samples, products_of_targets<R>(request.samples, bindings), session, answer);
}

void evaluate_mup(MupRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    if (request.sweep.is_asked()) {
        bool const other = request.sweep.optimiser.rule != StepRule::descent;
        other ? add_optimiser_sweep(request.sweep, session, answer) : add_mup_sweep(request.sweep, session, answer);
        return;
    }
    auto const& text = request.model;
    if (request.inputs) {
        state_batch(text, request.inputs->size(), answer);
        state_symbols(text.symbols(), text, bindings, answer);
        with_model(text, bindings, [&](auto const& model) {
            require_rates(model);
            add_batch_step(model, *request.inputs, session, answer);
        });
        return;
    }
    if (request.samples.are_given()) {
        state_assumptions(text, {.activation = true, .variance = true, .law = true}, answer);
        state_step_samples(request.samples, request.batch, answer);
        state_rates(text, answer);
        if (text.has_biases()) answer.assume(biases_stay);
        auto symbols = text.symbols();
        symbols.merge(request.samples.symbols());
        state_symbols(symbols, text, bindings, answer);
        with_model(symbols, text, bindings,
                   [&](auto const& model) { evaluate_samples(model, request, session, bindings, answer); });
        return;
    }
    state_mup(text, answer);
    if (text.has_biases()) answer.assume(biases_stay);
    state_symbols(text.symbols(), text, bindings, answer);
    if (request.sweep.optimiser.rule != StepRule::descent) {
        add_mup_optimiser(request.sweep.optimiser, text, bindings, session, answer);
        return;
    }
    with_model(text, bindings, [&](auto const& model) {
        if (text.wiring == Wiring::vanilla) {
            add_step(model, text, session, answer);
        } else {
            require_rates(model);
            begin_wired(model, text, session, answer);
            add_wired_mup(model, text, session, answer);
        }
    });
}

}  // namespace

Command mup_command() {
    CommandOf<MupRequest> out;
    out.text = {
        .name = "mup",
        .summary =
            "What one gradient step changes in each layer, of muP by default, and the learning rate that follows",
        .positional = "`widths`",
        .positional_help = "n_0,..,n_(L+1); numbers or symbols, 10:3 repeats",
        .parameters = emit_parameters({{{"layer"}, "{}: `emit_test` tests every hidden layer; leave it out"}}),
    };
    auto of_model = with_linear_head(model_parameters(mup_parameters));
    of_model.at("input").text.help += "; a FILE with several, one a line, is a batch";
    auto const branches = branch_parameters();
    for (auto const& row : branches.rows()) of_model.add(row);
    out.parameters.add(&MupRequest::model, of_model);
    out.parameters.add(&MupRequest::model, ParameterSet<ModelText>{label_factor_parameter(
                                               "eta", "LIST",
                                               "Rates: one for all layers, or one for each hidden layer, since that of "
                                               "the last one does not enter; of other wirings, and with `optimiser`, "
                                               "for each matrix as in coord-check",
                                               More{.usual = "1"})});
    out.parameters.add(&MupRequest::samples, samples_parameters(WithUse::samples));
    out.parameters.add(&MupRequest::batch, batch_parameters());
    out.parameters.add(&MupRequest::sweep, sweep_parameters());
    out.complete = complete_mup;
    out.evaluate = evaluate_mup;
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
