// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/verify/observable.hpp>

#include <isserlis/model/sampling_model.hpp>
#include "quantity/observable_check.hpp"

namespace isserlis::quantity {
namespace {

ObservableSetting<Surd> setting_of(NumericModel const& model) {
    ObservableSetting<Surd> out;
    if (model.input.empty()) {
        out.inputs.squared_norm = model.squared_norm;
        out.inputs.fourth = model.fourth;
    } else {
        out.inputs.vectors = {model.input};
    }
    out.target_second = model.target_second;
    out.target_fourth = model.target_fourth;
    return out;
}

}  // namespace

Surd exact_expectation(Query const& query, Graph<Surd, std::uint64_t> const& graph,
                       ObservableSetting<Surd> const& setting, RecursionOptions const& options) {
    if (every_number(graph, setting, [](Surd const& x) { return x.is_rational(); })) {
        auto const to_rational = [](Surd const& x) { return x.to_rational(); };
        return expectation<Carrier<Rational>>(query, converted<Rational>(graph, to_rational),
                                              converted<Rational>(setting, to_rational), options);
    }
    return expectation<Carrier<Surd>>(query, graph, setting, options);
}

Check checked_observable(Query const& query, NumericModel const& model, BothSettings const& settings, double exact,
                         Session const& session, Answer& answer) {
    auto const graph = sampling_graph(model);
    auto const second = exact_second_moment(query, model, settings.exact, answer);
    return check_observable(graph, query, settings.sampled, exact,
                            second ? std::optional(to_double(*second)) : std::nullopt, *session.samples, session.seed,
                            session.run_control());
}

Surd exact_mean(std::string const& query, NumericModel const& model) {
    return exact_expectation(parse_query(query), model.graph, setting_of(model));
}

std::optional<Surd> exact_second_moment(std::string const& query, NumericModel const& model, Answer& answer) {
    return exact_second_moment(parse_query(query), model, setting_of(model), answer);
}

std::optional<Surd> exact_second_moment(Query const& query, NumericModel const& model, ObservableSetting<Surd> setting,
                                        Answer& answer) {
    // Sampled targets have one size and a random sign, unless their fourth moment is given.
    if (!setting.target_fourth)
        setting.target_fourth = setting.target_second * setting.target_second / model.graph.output_width();
    try {
        return exact_expectation(squared(query), model.graph, setting);
    } catch (UnsupportedError const& e) {
        answer.warn("a standard error is sampled: for the exact one, " + std::string(e.what()));
        return std::nullopt;
    }
}

std::optional<Check> observable_check(std::string const& query, NumericModel const& model, Surd const& exact,
                                      Session const& session, Answer& answer) {
    return observable_check(query, model, to_double(exact), session, answer);
}

std::optional<Check> observable_check(std::string const& query, NumericModel const& model, double exact,
                                      Session const& session, Answer& answer) {
    if (!session.samples) return std::nullopt;
    monte_carlo::ObservableSettings settings;
    auto const width = static_cast<std::size_t>(numerator_of(model.graph.input_width.to_rational()));
    settings.inputs[""] = sampling_input(model, width);
    double const outputs = to_double(model.graph.output_width());
    settings.target_second_moment = to_double(model.target_second) / outputs;
    if (model.target_fourth) settings.target_fourth_moment = to_double(*model.target_fourth) / outputs;
    if (model.input.empty()) answer.assume("sampled with an input of equal coordinates");
    return checked_observable(parse_query(query), model, {.exact = setting_of(model), .sampled = settings}, exact,
                              session, answer);
}

std::optional<Check> scaled_check(std::string const& query, NumericModel const& model, Surd const& exact,
                                  Surd const& factor, Session const& session, Answer& answer) {
    if (!session.samples || factor.is_zero()) return std::nullopt;
    auto check = observable_check(query, model, Surd(exact / factor), session, answer);
    double const f = to_double(factor);
    check->mean *= f;
    check->std_error *= f;
    return check;
}

}  // namespace isserlis::quantity
