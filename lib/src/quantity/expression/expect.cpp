// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/report/limit_rows.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/exp_quotient.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/strand/query_terms.hpp>
#include <isserlis/strand/statistic_value.hpp>
#include <isserlis/verify/observable.hpp>
#include <optional>
#include <type_traits>

#include <isserlis/model/sampling_model.hpp>
#include <isserlis/question/reason.hpp>
#include "quantity/commands.hpp"
#include "quantity/expression/expect_request.hpp"
#include "quantity/expression/expect_setting.hpp"
#include "quantity/given_samples.hpp"
#include "quantity/known_queries.hpp"
#include "quantity/limit_scale.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/target_mean.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {
namespace {

std::vector<std::string> trace_text(RecursionTrace const& trace) {
    std::vector<std::string> out{"strand recursion: " + std::to_string(trace.states) + " states (" +
                                 std::to_string(trace.unreduced_states) + " before symmetries), " +
                                 std::to_string(trace.transitions) + " transitions"};
    out.insert(out.end(), trace.lines.begin(), trace.lines.end());
    return out;
}

void assume_of_query(ExpectRequest const& request, Answer& answer) {
    bool const loss = mentions(request.query, Observable::Kind::loss);
    if (request.model.gated_head && loss) answer.assume("loss of the pre-activations z, before the head's gate");
    if (loss) state_gated_output(request.model, answer);
    if (loss || mentions(request.query, Observable::Kind::target)) {
        answer.assume("targets independent of the weights and of one another, " +
                      (request.target_mean ? "mean " + request.model.as_typed("target_mean") + " in each output"
                                           : std::string("mean 0")) +
                      ", " + target_moment(request.model) + ", equal in each output" +
                      (request.target_mean ? "; moments about 0, not about the mean" : ""));
    }
    if (!request.parameters.empty()) {
        std::string names;
        for (auto const& name : request.parameters) names += (names.empty() ? "" : ", ") + name;
        answer.assume("parameters of `query`: " + names);
    }
    auto const& edges = request.model.file.edges;
    if (std::any_of(edges.begin(), edges.end(), [](auto const& e) { return e.label_factor.has_value(); }))
        answer.assume("summed pairs of derivatives times the label factors of the file");
    if (!request.model.label_factors.empty())
        answer.assume("summed pairs of derivatives times the label factors " +
                      request.model.as_typed(request.model.label_factor_parameter));
}

/// The expectations that were worked out, and how.
struct Work {
    RecursionTrace trace;
    std::vector<Query> queries;
};

/// The third moment of targets enters where three of them meet, the fourth where four do, or where they are sampled.
void note_idle_moments(Session const& session, Work const& work, auto const& model, auto const& setting,
                       Answer& answer) {
    if (session.samples) return;
    auto const enters = [&](unsigned Coefficient::*moment) {
        return std::any_of(work.queries.begin(), work.queries.end(), [&](auto const& query) {
            auto const terms = query_terms(query, model.graph(), setting);
            return std::any_of(terms.begin(), terms.end(), [&](auto const& t) { return t.coefficient.*moment > 0; });
        });
    };
    // About a mean other than 0 the fourth moment is one of the third too.
    bool const of_fourth = setting.targets_have_mean() && enters(&Coefficient::fourth);
    if (setting.target_third && !of_fourth && !enters(&Coefficient::third))
        answer.warn("`target_third_moment` has no effect: no term of `query` has three targets that matter");
    if (setting.target_fourth && !enters(&Coefficient::fourth))
        answer.warn("`target_fourth_moment` has no effect: no term of `query` has four targets of one output");
}

void explain(Session const& session, ExpectRequest const& request, Work const& work, auto const& model,
             auto const& setting, Answer& answer) {
    if (!session.explain) return;
    using R = std::decay_t<decltype(model.squared_norm)>;
    R const outputs = model.graph().output_width();
    std::string text;
    for (auto const& query : work.queries) {
        std::string const what =
            request.query.single_mean() != nullptr ? "the query" : "E[" + to_string(query.observable) + "]";
        text += (text.empty() ? "" : "\n") + what + " is a sum of bundles of strands:";
        for (auto const& term : query_terms(query, model.graph(), setting)) {
            R const coefficient = coefficient_value(term.coefficient, outputs, setting);
            text += "\n  " + to_string(simplified(coefficient)) + "  *  E " + to_string(term.bundle);
        }
    }
    for (auto const& line : trace_text(work.trace)) text += "\n" + line;
    answer.explain(text);
}

std::optional<Check> checked(ExpectRequest const& request, NumericModel const& model,
                             ObservableSetting<Surd> const& setting, Surd const& exact, Session const& session,
                             Answer& answer) {
    if (!session.samples) return std::nullopt;
    auto const settings = sampling_settings(request, model, setting);
    if (inputs_of(request.query).empty() && setting.inputs.names.empty()) state_sampled_input(model, answer);
    if (auto const* observable = request.query.single_mean()) {
        return checked_observable(request.query.restricted(*observable), model, {.exact = setting, .sampled = settings},
                                  to_double(exact), session, answer);
    }
    answer.warn("the standard error is sampled, by the delta method: of a function of sampled moments");
    return check_statistic(sampling_graph(model), request.query, settings, to_double(exact), *session.samples,
                           session.seed, session.run_control());
}

/// The value of EXPR over a ring V, where `mean` is the expectation of one observable.
template <class V>
V value_of(StatisticQuery const& query, auto const& setting, Work& work, auto const& mean) {
    return StatisticValue<V>(
        query, [&](std::string const& name) { return V(setting.parameters.at(name)); },
        [&](Query const& q) {
            work.queries.push_back(q);
            return V(mean(q));
        })();
}

void add_expectation(ExpectRequest const& request, NumericModel const& model, Session const& session,
                     Bindings const& bindings, Answer& answer) {
    if (request.series || request.double_scaling) {
        throw DomainError(request.series ? "`series`: the network has numbers only; leave a width symbolic"
                                         : "`limit`: the network has numbers only; leave width and depth symbolic",
                          request.series ? "series" : "limit");
    }
    auto const setting = setting_of(request, model, bindings);
    if (session.test) return emit_expectation_test(request, model, setting, session, answer);
    Work work;
    RecursionOptions const options{.reduce = true, .explain = session.explain, .trace = &work.trace};
    Surd const exact = value_of<Surd>(request.query, setting, work, [&](Query const& query) {
        return expectation(query, model.graph(), setting, options);
    });
    note_idle_moments(session, work, model, setting, answer);
    answer.add("value", {}, exact, checked(request, model, setting, exact, session, answer));
    explain(session, request, work, model, setting, answer);
}

/// Width and depth to infinity together, with what `set` says of b.
JointLimit limit_of(ExpPolynomial const& value, RunSymbols const& run, std::size_t order, Bindings const& bindings) {
    auto const at = bindings.find(limit_symbol);
    RationalFunction const b =
        at == bindings.end() ? RationalFunction::symbol(limit_symbol) : RationalFunction(at->second);
    return joint_limit(value, wide_and_deep(*run.width, *run.depth, b), order);
}

Tendency tendency(ExpPolynomial const& value, RunSymbols const& run, std::size_t order, Bindings const& bindings) {
    return tendency_of(limit_of(value, run, order, bindings), *run.width);
}

Tendency tendency(ExpQuotient const& value, RunSymbols const& run, std::size_t order, Bindings const& bindings) {
    if (value.is_polynomial()) return tendency(value.numerator(), run, order, bindings);
    if (order > 0) {
        throw UnsupportedError("`order`: the denominator of `query` is a sum of powers in " + *run.depth +
                                   "; only the leading order of `limit` is served",
                               "order");
    }
    return tendency_of(limit_of(value.numerator(), run, 0, bindings), limit_of(value.denominator(), run, 0, bindings),
                       *run.width);
}

/// The value, or the expansion that is asked for.
void add_formula(ExpectRequest const& request, auto const& value, Bindings const& bindings, Answer& answer) {
    RunSymbols const run = main_run(request.model, bindings);
    if (request.series) {
        for (auto const& c : series_of(ExpQuotient(value), *request.series, request.order))
            answer.add_limit("series_coefficient", {to_string(c.power)}, c.value, {*request.series}, not_numeric);
        answer.assume("expansion in powers of 1/" + *request.series +
                      ", every other symbol fixed; the index is the power");
        return;
    }
    if (request.double_scaling) {
        if (!run.width || !run.depth)
            throw DomainError("`limit`: the network needs one run n:L of symbolic width and depth", "limit");
        add_limit_rows(answer, {.limit = "limit", .leading = "limit_leading"}, {},
                       tendency(value, run, request.order, bindings), {*run.width, *run.depth}, not_numeric);
        answer.assume((*run.width == *run.depth ? *run.width + ", width and depth at once, to infinity"
                                                : *run.width + " and " + *run.depth + " to infinity with " +
                                                      *run.depth + "/" + *run.width + " = b") +
                      (request.order > 0 ? "; limit_leading has " + std::to_string(request.order) + " orders of 1/" +
                                               *run.width + " below the leading one"
                                         : ""));
        return;
    }
    answer.add("value", {}, tidy(value), {}, not_numeric);
    if (!run.width || is_certainly_zero(value)) return;
    add_leading_of(ExpQuotient(value), *run.width, run.depth.value_or(""), "leading_term", answer);
}

void add_expectation(ExpectRequest const& request, SymbolicModel const& model, Session const& session,
                     Bindings const& bindings, Answer& answer) {
    refuse_symbols_in_test(session);
    auto const setting = setting_of(request, model, bindings);
    require_mean_of_targets(setting.target_second, setting.target_mean, model.graph().output_width(), answer);
    declare_grams(request.with, model, bindings, answer);
    Work work;
    RecursionOptions const options{.reduce = true, .explain = session.explain, .trace = &work.trace};
    auto const mean = [&](Query const& query) { return expectation(query, model.graph(), setting, options); };
    auto const add = [&](auto const& value) { add_formula(request, value, bindings, answer); };
    // A single expectation keeps the powers as the recursion has them.
    if (auto const* observable = request.query.single_mean()) {
        work.queries = {request.query.restricted(*observable)};
        auto const value = mean(work.queries.front());
        declare_orthogonal(model, work.trace.orthogonal_pairs, answer);
        add(value);
    } else {
        auto const value = value_of<ExpQuotient>(request.query, setting, work, mean);
        declare_orthogonal(model, work.trace.orthogonal_pairs, answer);
        add(value);
    }
    note_idle_moments(session, work, model, setting, answer);
    explain(session, request, work, model, setting, answer);
}

void evaluate_expectation(ExpectRequest const& typed, Session const& session, Bindings const& bindings,
                          Answer& answer) {
    ExpectRequest request = typed;
    resolve_places(request, bindings, answer);
    ModelParameters stated = expect_model;
    if (!request.with.input_names.empty()) {
        stated.input = false;
        answer.assume("inputs, those of " + request.model.as_typed("with") +
                      (request.with.gram.empty() ? "" : ", " + gram_text(request.with)));
    }
    state_assumptions(request.model, stated, answer);
    assume_of_query(request, answer);
    state_symbols(request.numbers(), request.model, bindings, answer);
    with_model(request.symbols(), model_of(request), bindings,
               [&](auto const& model) { add_expectation(request, model, session, bindings, answer); });
}

}  // namespace

Command expect_command() {
    std::string const of_a_test = "{}: a test has one input, random signs as targets and normal weights; leave it out";
    return bound<ExpectRequest>(
        {.text =
             {
                 .name = "expect",
                 .summary = "Exact expectations of polynomials in outputs and weight derivatives, and their variances",
                 .positional = "`query` `widths`",
                 .positional_help =
                     "An observable, such as 'z[i;m]^2', and the network; z and h are outputs before and after the "
                     "activation, "
                     "letters and labels that occur twice are summed; E[..], Var[..] and Cov[..] make quotients",
                 .most_positionals = 2,
                 .parameters = emit_parameters(
                     {{{"with", "target_mean", "target_third_moment", "target_fourth_moment", "kurtosis"}, of_a_test}}),
                 .charted = "value",
             },
         .parameters = expect_parameters(),
         .complete = complete_expect_request,
         .evaluate = evaluate_expectation});
}

}  // namespace isserlis::quantity
