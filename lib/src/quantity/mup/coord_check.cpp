// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>

#include "quantity/commands.hpp"
#include "quantity/known_queries.hpp"
#include "quantity/mup/coordinate_layers.hpp"
#include "quantity/mup/coordinate_tables.hpp"
#include "quantity/mup/mup_sweep.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/optimiser_steps.hpp"
#include "quantity/mup/step_samples.hpp"
#include "quantity/mup/whole_steps.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/wired.hpp"
#include "question/measured_file.hpp"
#include "question/weight_layers.hpp"

namespace isserlis::quantity {
namespace {

constexpr ModelParameters coord_check_parameters{.wiring = true,
                                                 .target = true,
                                                 .activation = true,
                                                 .variance = true,
                                                 .parametrisation = true,
                                                 .bias = true,
                                                 .input = true,
                                                 .precision = true};
constexpr std::uint64_t most_widths = 1000;

/// Does it stand in a width of the network?
bool is_width(ModelText const& text, std::string const& symbol) {
    auto const has = [&](Expression const& width) { return width.symbols().count(symbol) != 0; };
    return std::any_of(text.widths.begin(), text.widths.end(),
                       [&](auto const& item) { return item.width.text == symbol; }) ||
           std::any_of(text.branch_widths.begin(), text.branch_widths.end(), has) ||
           std::any_of(text.file.nodes.begin(), text.file.nodes.end(),
                       [&](auto const& node) { return has(node.width); });
}

/// The symbol whose values are the widths; none where they have numbers only.
std::optional<std::string> swept_symbol(ModelText const& text, Bindings const& bindings) {
    std::vector<std::string> open;
    for (auto const& s : text.symbols()) {
        if (bindings.count(s) == 0) open.push_back(s);
    }
    if (open.empty()) return std::nullopt;
    if (open.size() == 1 && is_width(text, open.front())) return open.front();
    if (open.size() == 1)
        throw DomainError("`set`: the symbol " + open[0] + " has no value; give it one, as in `set` " + open[0] +
                              "=2; only a width takes a list, by `width_list`",
                          "set");
    throw DomainError("`widths`: " + open[0] + " and " + open[1] +
                          " have no value; `width_list` gives one symbol its values, "
                          "`set` the others",
                      "widths");
}

/// What `coord-check` is asked.
struct CoordCheckRequest {
    ModelText model;
    std::optional<Parametrisation> beside;             ///< whose table is to stand beside the first one
    std::optional<std::vector<std::uint64_t>> widths;  ///< `width_list`
    std::optional<std::string> measured;               ///< a file
    std::vector<MeasuredRow> rows;                     ///< its content
    Optimiser optimiser;
    std::optional<std::uint64_t> steps;     ///< whole ones, to be sampled
    std::optional<Expression> target_mean;  ///< of each output, of one sample
    std::string target_mean_text;
    SamplesText samples;  ///< in place of one
    BatchText batch;      ///< of them in the gradient
};

std::vector<std::uint64_t> widths_asked(CoordCheckRequest const& request) {
    if (request.widths) return *request.widths;
    std::set<std::uint64_t> out;
    for (auto const& row : request.rows) out.insert(row.width);
    return {out.begin(), out.end()};
}

/// Says what the step is of, in one of the parametrisations.
void state_step(CoordCheckRequest const& request, ModelText const& text, Answer& answer) {
    if (request.target_mean)
        return state_mup(
            text, answer,
            "mean " + request.target_mean_text +
                " in each output, independent of the others, of equal second moments; moments about 0, not "
                "about the mean");
    if (!request.samples.are_given()) return state_mup(text, answer, mean_of_target(text, true));
    state_assumptions(text, {.activation = true, .variance = true, .law = true}, answer);
    state_step_samples(request.samples, request.batch, answer);
    state_rates(text, answer);
}

/// Closed forms are of fully connected ReLU networks with hidden layers and without biases, at targets of mean 0; the
/// others go by strands.
bool is_wired(CoordCheckRequest const& request, ModelText const& text) {
    return request.target_mean || text.needs_strands() || text.activation != ActivationKind::relu ||
           weight_layers(text) == 1;
}

void complete_step_samples(CoordCheckRequest& request, Session const& session) {
    complete_samples(request.samples, session);
    auto const refuse = [](char const* parameter, std::string const& why) {
        throw UnsupportedError(named(parameter) + ": " + why, parameter);
    };
    if (request.optimiser.rule != StepRule::descent)
        refuse("optimiser", "first steps of other rules than sgd are of one sample; leave it out");
    if (request.steps) refuse("steps", "whole steps are of one sample; leave it out");
    if (request.measured) refuse("measured", "measured values are of one sample; leave it out");
    if (session.test) refuse("emit_test", "tests of a step on one sample are written; leave it out");
}

void complete_check(CoordCheckRequest& request, Session const& session) {
    auto const& widths = session.question.words;
    if (widths.empty() && request.model.wiring != Wiring::file)
        throw ParseError(
            "`widths` is missing; such as isserlis coord-check n,n:3,1 `input_squared_norm` n `width_list` 16,64,256",
            "widths");
    auto& text = request.model;
    text = read_network(text, widths.empty() ? "" : widths[0], session, true);
    if (request.samples.are_given()) complete_step_samples(request, session);
    check_optimiser(request.optimiser, request.steps, text, session);
    bool const usual = text.wiring == Wiring::vanilla && text.activation == ActivationKind::relu;
    if (!text.named_scheme && text.variances.empty() && !text.parametrisation && usual)
        text.scheme = Scheme::mean_field;
    if (is_wired(request, text) && request.measured)
        throw UnsupportedError(
            "`measured`: fully connected (vanilla) ReLU networks with hidden layers and without biases are "
            "served",
            "measured");
    auto symbols = text.symbols();
    symbols.merge(request.samples.symbols());
    if (request.target_mean) symbols.merge(request.target_mean->symbols());
    check_bindings(symbols, session);
    if (widths_asked(request).size() > most_widths)
        throw UnsupportedError("`width_list`: " + std::to_string(most_widths) + " widths are served", "width_list");
}

void evaluate_check(CoordCheckRequest const& request, Session const& session, Bindings const& bindings,
                    Answer& answer) {
    auto const& text = request.model;
    std::vector<ModelText> sides{text};
    if (request.beside) {
        sides.push_back(text);
        sides.back().parametrisation = request.beside;
    }
    for (auto const& side : sides) state_step(request, side, answer);
    bool const several = request.samples.are_given();
    if (text.has_unit_parameters())
        answer.assume("the step is one of theta: W moves by minus its rate times 1/fan_in times the gradient by W");
    answer.assume(text.wiring == Wiring::file ? "one rate, times the label_factor of each edge"
                                              : "one rate for each layer, the output layer too");
    if (text.has_biases()) answer.assume(biases_stay);
    bool const other = request.optimiser.rule != StepRule::descent;
    for (auto const& side : sides) state_optimiser(request.optimiser, side.parametrisation, answer);
    if (other) state_optimised_matrices(text, answer);
    if (!several && (other || !is_wired(request, text))) state_sampled_changes(session, answer);
    std::vector<CoordinateLayer> all;
    std::vector<std::pair<NumericModel, std::optional<Integer>>> whole;                ///< behind the exact rows
    std::vector<std::vector<std::pair<Integer, OptimisedModel>>> swept(sides.size());  ///< of another optimiser
    auto name_side = [&](std::string const& side) {
        if (sides.size() < 2) return;
        answer.set_index_prefix({side});
        answer.name_index_prefix("parametrisation");
    };
    auto add_network = [&](Bindings const& values, std::optional<Integer> const& width) {
        for (std::size_t k = 0; k < sides.size(); ++k) {
            auto const& side = sides[k];
            auto const model = numeric_model(side, values);
            if (several) {
                require_rates(model);
                require_gaussian_step(model.graph());
                begin_wired(model, side, session, answer);
                if (side.parametrisation) name_side(side.parametrisation->name);
                add_wired_batch_steps(model, step_samples(request.samples, request.batch, model, values), width,
                                      session, answer);
                continue;
            }
            if (other || is_wired(request, side)) {
                require_rates(model);
                if (other) {
                    if (side.parametrisation) name_side(side.parametrisation->name);
                    OptimisedModel const optimised(side, values, request.optimiser.rule);
                    (void)add_first_step(optimised, side, "", width, session, answer);
                    if (width && side.wiring == Wiring::vanilla) swept[k].emplace_back(*width, optimised);
                } else {
                    begin_wired(model, side, session, answer);
                    if (side.parametrisation) name_side(side.parametrisation->name);
                    std::optional<Surd> mean;
                    if (request.target_mean) mean = value_at<Surd>(*request.target_mean, values, "target_mean");
                    add_wired_steps(model, mean, width, session, answer);
                }
                if (request.steps) add_whole_steps(request.optimiser, *request.steps, model, width, session, answer);
                continue;
            }
            for (auto& x : layers_of(model, width, session, answer)) {
                if (sides.size() > 1) x.side = side.parametrisation->name;
                all.push_back(std::move(x));
            }
            emit_steps_test(model, session, answer);
            if (request.steps) whole.emplace_back(model, width);
        }
    };
    auto const symbol = swept_symbol(text, bindings);
    if (symbol) {
        auto const widths = widths_asked(request);
        if (widths.empty()) {
            throw DomainError("`widths`: the symbol " + *symbol + " has no value; `width_list` 16,64,256 gives it some",
                              "width_list");
        }
        for (auto const& width : widths) {
            Bindings values = bindings;
            values[*symbol] = Rational(Integer(width));
            add_network(values, Integer(width));
        }
    } else {
        if (request.widths) {
            throw ParseError(
                text.symbols().empty()
                    ? "`width_list`: `widths` has no symbol to give these values; write it with one, such as n,n:3,1"
                    : "`width_list`: the symbol of `widths` has its value from `set`; leave it out there",
                "width_list");
        }
        add_network(bindings, std::nullopt);
    }
    if (several) return;
    for (std::size_t k = 0; k < sides.size(); ++k) {
        if (other && sides[k].parametrisation) name_side(sides[k].parametrisation->name);
        add_unit_rate_exponents(swept[k], session, answer);
    }
    if (other || is_wired(request, text)) return;
    bool const csv = session.output.format == Format::csv;
    bool const is_table = csv && !session.samples && !request.measured;
    answer.warn(std::string("means and root mean squares are exact") +
                (is_table ? "; E |z| before the step, of certified digits, is not in this table, but in JSON"
                          : ", E |z| before the step has certified digits") +
                "; E |Delta z| and E |z + Delta z| are no polynomials" +
                (request.measured ? "" : " and are sampled, with `check`"));
    if (answer.document()) return;  // a test
    if (request.measured) {
        std::string table = add_measured(request.rows, *request.measured, all, session.output.digits, answer);
        answer.warn(
            "indices are layer, width and line of the file; a value is the mean of its samples, taken as "
            "independent");
        if (csv) answer.set_table(std::move(table));
    } else if (is_table) {
        answer.set_table(exact_table(all, session.output.digits));
    } else {
        answer.expect(13 * all.size());
        for (auto const& x : all) {
            name_side(x.side);
            add_layer(x, answer);
        }
        for (auto const& [model, width] : whole)
            add_whole_steps(request.optimiser, *request.steps, model, width, session, answer);
    }
}

}  // namespace

Command coord_check_command() {
    CommandOf<CoordCheckRequest> out;
    out.text = {
        .name = "coord-check",
        .summary = "Exact means and standard deviations of coordinates before and after one step",
        .positional = "`widths`",
        .positional_help = "n_0,..,n_(L+1); one symbol may stand for the widths of `width_list`",
        .parameters = emit_parameters(
            {{{"layer", "width_list", "measured"}, "{}: `emit_test` tests all layers of one network; leave it out"}}),
        .refusals = {{{"table"}, "{}: `width_list` gives the symbol its values here"}},
        .charted = "change_std",
    };
    ParameterSet<ModelText> of_model = with_linear_head(model_parameters(coord_check_parameters));
    of_model.at("scheme").text.usual = "mean-field, that of muP, for fully connected ReLU; else as in other commands";
    auto const branches = branch_parameters();
    for (auto const& row : branches.rows()) of_model.add(row);
    of_model.add(label_factor_parameter(
        "eta", "LIST", "Rates: one for all layers or one for each weight layer; symbols allowed", More{.usual = "1"}));
    out.parameters.add(&CoordCheckRequest::model, of_model);
    out.parameters.add(
        {"target_mean", "R", "E y_i of one sample, the same of each output; other moments are about 0",
         [](CoordCheckRequest& into, std::string const& typed) {
             into.target_mean = parse_formula(typed, "target_mean");
             into.target_mean_text = typed;
         },
         More{.usual = "0",
              .refusals = {{{"optimiser", "steps", "measured", "data", "with"},
                            "{}: `target_mean` is of the first step of sgd on one sample; leave it out"},
                           {{"emit_test"}, "{}: the targets of a test are random signs; leave `target_mean` out"}}}});
    out.parameters.add(&CoordCheckRequest::samples, samples_parameters(WithUse::samples));
    out.parameters.add(&CoordCheckRequest::batch, batch_parameters());
    out.parameters.add(
        {"beside", "standard|ntk|mean-field|mup|A,B,C",
         "A second parametrisation in the same table; its name is the first index",
         [](CoordCheckRequest& into, std::string const& typed) {
             into.beside = parse_parametrisation(typed, "beside");
         },
         More{.needs = {"parametrisation"},
              .refusals = {{{"measured", "emit_test"}, "{} is for one parametrisation; leave `beside` out"}}}});
    out.parameters.add({"optimiser", "sgd|sign|adam|normalised|muon", "Whose first step it is",
                        &CoordCheckRequest::optimiser, optimiser_name(), More{.usual = "sgd"}});
    out.parameters.add({"steps", "K", "With `check`: sampled networks after 1 .. K whole steps too",
                        &CoordCheckRequest::steps, count(1, 1000), More{.needs = {"check"}}});
    out.parameters.add({"width_list", "LIST", "Values of the one symbol in `widths`", &CoordCheckRequest::widths,
                        Reader<std::vector<std::uint64_t>>{[](std::string const& list, std::string const& parameter) {
                            return different_widths(list, parameter, 1'000'000);
                        }}});
    out.parameters.add({"measured", "FILE",
                        "CSV with columns layer,width,value and, if there, quantity (preactivation, change, "
                        "updated), statistic (mean, rms), samples, std_error: gives z-scores",
                        [](CoordCheckRequest& into, std::string const& file) {
                            into.measured = file;
                            into.rows = read_measured_file(file);
                        },
                        More{.refusals = {{{"check"}, "{}: `measured` has its own samples; give one of them"}}}});
    out.complete = complete_check;
    out.evaluate = evaluate_check;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
