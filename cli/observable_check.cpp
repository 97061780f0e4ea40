// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/verify/observable.hpp>

#include "observable_check.hpp"
#include "sampling_model.hpp"

namespace isserlis::cli {

std::optional<Surd> exact_second_moment(std::string const& query, NumericModel const& model, Answer& answer) {
    ObservableSetting<Surd> setting;
    if (model.input.empty()) {
        setting.inputs.squared_norm = model.squared_norm;
        setting.inputs.fourth = model.fourth;
    } else {
        setting.inputs.vectors = {model.input};
    }
    setting.target_second = model.target_second;
    // Sampled targets have one size and a random sign.
    setting.target_fourth =
        model.target_fourth.value_or(Surd(model.target_second * model.target_second / model.graph.output_width()));
    try {
        return expectation<Carrier<Surd>>(squared(parse_query(query)), model.graph, setting, {});
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
    Query const parsed = parse_query(query);
    auto const graph = sampling_graph(model);
    monte_carlo::ObservableSettings settings;
    auto const width = static_cast<std::size_t>(numerator_of(model.graph.input_width.to_rational()));
    settings.inputs[""] = sampling_input(model, width);
    double const outputs = to_double(model.graph.output_width());
    settings.target_second_moment = to_double(model.target_second) / outputs;
    if (model.target_fourth) settings.target_fourth_moment = to_double(*model.target_fourth) / outputs;
    if (model.input.empty()) answer.assume("sampled with an input of equal coordinates");
    auto const second = exact_second_moment(query, model, answer);
    return check_observable(graph, parsed, settings, exact, second ? std::optional(to_double(*second)) : std::nullopt,
                            *session.samples, session.seed, session.run_control());
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

}  // namespace isserlis::cli
