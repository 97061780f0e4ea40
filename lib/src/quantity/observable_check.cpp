// SPDX-License-Identifier: MIT
#include "quantity/observable_check.hpp"

#include <isserlis/error.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/strand/target_shift.hpp>
#include <isserlis/verify/observable.hpp>

#include <isserlis/model/sampling_model.hpp>
#include <isserlis/question/reason.hpp>
#include "quantity/derived_check.hpp"
#include "quantity/expression/expect_setting.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {
namespace {

template <class R, class Count>
ObservableSetting<R> setting_of(Model<R, Count> const& model, R const& target_mean = R(0)) {
    ObservableSetting<R> out;
    if (model.input.empty()) {
        out.inputs.squared_norm = model.squared_norm;
        out.inputs.fourth = model.fourth;
    } else {
        out.inputs.vectors = {model.input};
    }
    out.target_second = model.target_second;
    out.target_third = model.target_third;
    out.target_fourth = model.target_fourth;
    out.target_mean = target_mean;
    if (out.targets_have_mean()) require_target_moments(out, R(model.graph().output_width()));
    return out;
}

monte_carlo::ObservableSettings sampling_settings(NumericModel const& model, Answer& answer,
                                                  Surd const& target_mean = Surd(0)) {
    monte_carlo::ObservableSettings out;
    auto const width = static_cast<std::size_t>(numerator_of(model.graph().input_width.to_rational()));
    out.inputs[""] = sampling_input(model, width);
    double const outputs = to_double(model.graph().output_width());
    out.target_mean = to_double(target_mean);
    out.target_second_moment = to_double(model.target_second) / outputs;
    if (model.target_third) out.target_third_moment = to_double(*model.target_third) / outputs;
    if (model.target_fourth) out.target_fourth_moment = to_double(*model.target_fourth) / outputs;
    state_sampled_input(model, answer);
    return out;
}

}  // namespace

Check checked_observable(Query const& query, NumericModel const& model, BothSettings const& settings, double exact,
                         Session const& session, Answer& answer) {
    auto const graph = sampling_graph(model);
    auto const second = exact_second_moment(query, model, settings.exact, answer);
    return check_observable(graph, query, settings.sampled, exact,
                            second ? std::optional(to_double(*second)) : std::nullopt, *session.samples, session.seed,
                            session.run_control());
}

Surd exact_mean(std::string const& query, NumericModel const& model, Surd const& target_mean) {
    return expectation(parse_query(query), model.graph(), setting_of(model, target_mean));
}

ExpPolynomial exact_mean_by_powers(std::string const& query, SymbolicModel const& model) {
    return expectation(parse_query(query), model.graph(), setting_of(model));
}

RationalFunction exact_mean(std::string const& query, SymbolicModel const& model, RationalFunction const& target_mean) {
    return expectation(parse_query(query), model.graph(), setting_of(model, target_mean)).formula();
}

std::optional<Surd> exact_second_moment(std::string const& query, NumericModel const& model, Answer& answer) {
    return exact_second_moment(parse_query(query), model, setting_of(model), answer);
}

std::optional<Surd> exact_second_moment(Query const& query, NumericModel const& model, ObservableSetting<Surd> setting,
                                        Answer& answer, std::size_t asked) {
    // Sampled targets have two values, as far above their mean as below it without a third moment, unless their fourth is given.
    Surd const n = model.graph().output_width();
    TargetShift<Surd> const shift{.mean = setting.target_mean, .outputs = n};
    Surd const even = shift.third_of_even(setting.target_second);
    if (!setting.target_third) setting.target_third = even;
    if (!setting.target_fourth) {
        Surd const v = shift.second_about_mean(setting.target_second);
        Surd const t = *setting.target_third - even;
        Surd f = v * v / n;
        if (!t.is_zero()) f = f + t * t / v;
        setting.target_fourth = f + shift.fourth_beyond(v, t);
    }
    try {
        return expectation(squared(query), model.graph(), setting, effort_of_errors(asked));
    } catch (UnsupportedError const& e) {
        answer.warn("a standard error is sampled: for the exact one, " + reason_of_own_query(e));
        return std::nullopt;
    } catch (DomainError const& e) {  // what the square needs to know besides
        answer.warn("a standard error is sampled: for the exact one, " + reason(e));
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
    return checked_observable(parse_query(query), model,
                              {.exact = setting_of(model), .sampled = sampling_settings(model, answer)}, exact, session,
                              answer);
}

std::vector<std::optional<Check>> observable_checks(std::vector<AskedMean> const& asked, NumericModel const& model,
                                                    Session const& session, Answer& answer, Surd const& target_mean) {
    std::vector<std::optional<Check>> out(asked.size());
    if (!session.samples) return out;
    auto const settings = sampling_settings(model, answer, target_mean);
    auto const exact = setting_of(model, target_mean);
    std::vector<ExactMean> means;
    for (auto const& x : asked) {
        if (x.factor.is_zero()) continue;
        auto const second = exact_second_moment(parse_query(x.query), model, exact, answer, asked.size());
        means.push_back({.query = parse_query(x.query),
                         .mean = x.exact,
                         .second_moment = second ? std::optional(to_double(*second)) : std::nullopt});
    }
    auto const checks = check_observables(sampling_graph(model), means, settings, *session.samples, session.seed,
                                          session.run_control());
    std::size_t next = 0;
    for (std::size_t k = 0; k < asked.size(); ++k) {
        if (asked[k].factor.is_zero()) continue;
        out[k] = scaled_by(to_double(asked[k].factor), checks[next++]);
    }
    return out;
}

std::optional<Check> scaled_check(std::string const& query, NumericModel const& model, Surd const& exact,
                                  Surd const& factor, Session const& session, Answer& answer) {
    if (factor.is_zero()) return std::nullopt;
    return observable_checks({{query, to_double(Surd(exact / factor)), factor}}, model, session, answer).front();
}

}  // namespace isserlis::quantity
