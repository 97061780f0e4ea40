// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/asymptotics.hpp>
#include <isserlis/strand/expectation.hpp>
#include <optional>
#include <type_traits>

#include "commands.hpp"
#include "expect_request.hpp"
#include "observable_check.hpp"
#include "sampling_model.hpp"

namespace isserlis::cli {
namespace {

template <class R, class Count>
ObservableSetting<R> setting_of(ExpectRequest const& request, Model<R, Count> const& model, Bindings const& bindings) {
    auto rows = [&](std::vector<std::vector<Expression>> const& x) {
        std::vector<std::vector<R>> out;
        for (auto const& row : x) {
            out.emplace_back();
            for (auto const& e : row) out.back().push_back(value_at<R>(e, bindings, "--with"));
        }
        return out;
    };
    auto require_size = [](std::size_t size, R const& width, std::string const& what) {
        if (R(static_cast<int>(size)) == width) return;
        throw DomainError(
            "--with: " + what + " has " + std::to_string(size) + " entries for a width of " + to_string(width),
            "--with");
    };
    ObservableSetting<R> out;
    auto const& with = request.with;
    if (!with.input_names.empty()) {
        out.inputs.names = with.input_names;
        out.inputs.vectors = rows(with.vectors);
        out.inputs.gram = rows(with.gram);
        for (auto const& v : out.inputs.vectors) require_size(v.size(), model.graph.input_width, "an input");
        for (std::size_t a = 0; a < out.inputs.gram.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                if (!(out.inputs.gram[a][b] == out.inputs.gram[b][a]))
                    throw DomainError("--with: \"gram\" is not symmetric", "--with");
            }
        }
    } else if (!model.input.empty()) {
        out.inputs.vectors = {model.input};
    } else {
        out.inputs.squared_norm = model.squared_norm;
        out.inputs.fourth = model.fourth;
    }
    out.target_second = model.target_second;
    out.target_fourth = model.target_fourth;
    for (auto const& name : parameters_of(request.query.observable))
        out.parameters.emplace(name, value_at<R>(Expression::parse(name, "EXPR"), bindings, "EXPR"));
    for (auto const& name : constants_of(request.query.observable)) {
        auto const at = with.constants.find(name);
        if (at == with.constants.end())
            throw DomainError("EXPR: the constant '" + name + "' has no value; give it by --with FILE", "EXPR");
        auto value = rows(at->second);
        require_size(value.front().size(), model.graph.output_width(), "the constant '" + name + "'");
        for (std::size_t i = 0; i < value.size(); ++i) {
            for (std::size_t j = 0; value.size() > 1 && j < i; ++j) {
                if (!(value[i][j] == value[j][i]))
                    throw DomainError("--with: the matrix '" + name + "' is not symmetric", "--with");
            }
        }
        out.constants.emplace(name, std::move(value));
    }
    return out;
}

std::vector<std::string> trace_text(RecursionTrace const& trace) {
    std::vector<std::string> out{"strand recursion: " + std::to_string(trace.states) + " states (" +
                                 std::to_string(trace.unreduced_states) + " before symmetries), " +
                                 std::to_string(trace.transitions) + " transitions"};
    out.insert(out.end(), trace.lines.begin(), trace.lines.end());
    return out;
}

bool is_fraction(RationalFunction const& x) {
    try {
        (void)x.merged().as_fraction();
        return true;
    } catch (UnsupportedError const&) {
        return false;
    }
}

ExpPolynomial symbolic_value(Query const& query, Graph<RationalFunction, Exponent> const& graph,
                             ObservableSetting<RationalFunction> const& setting, RecursionOptions const& options) {
    if (every_number(graph, setting, is_fraction))
        return expectation<Carrier<RationalFunction>>(query, graph, setting, options);
    return expectation<PlainCarrier<RationalFunction>>(query, graph, setting, options);
}

void assume_of_query(ExpectRequest const& request, Answer& answer) {
    auto const& observable = request.query.observable;
    bool const loss = mentions(observable, Observable::Kind::loss);
    if (request.model.gated_head && loss) answer.assume("loss of the pre-activations z, before the head's gate");
    if (loss || mentions(observable, Observable::Kind::target)) {
        answer.assume(std::string("targets independent of the weights and of one another, mean 0, E|y|^2 ") +
                      (request.model.target_second ? "as given" : "= 1") + ", equal in each output");
    }
    if (!request.model.label_factors.empty())
        answer.assume("summed pairs of derivatives times the label factors given");
}

/// The query as a sum of bundles.
std::vector<BundleTerm> terms_of(Query const& query, auto& network, auto const& setting) {
    network.prepare(query);
    return expand(query, expectation_detail::context_of(network, setting));
}

/// The fourth moment of targets enters where four of them meet, or where they are sampled.
void note_idle_fourth(Session const& session, ExpectRequest const& request, auto const& model, auto const& setting,
                      Answer& answer) {
    if (!setting.target_fourth || session.samples) return;
    NamedNetwork network(model.graph);
    auto const terms = terms_of(request.query, network, setting);
    if (std::any_of(terms.begin(), terms.end(), [](auto const& term) { return term.coefficient.fourth > 0; })) return;
    answer.warn("--target-fourth-moment has no effect: no term of EXPR has four targets");
}

void explain(Session const& session, ExpectRequest const& request, auto const& model, auto const& setting,
             RecursionTrace const& trace, Answer& answer) {
    if (!session.explain) return;
    std::string text = "the query is a sum of bundles of strands:";
    using R = std::decay_t<decltype(model.squared_norm)>;
    NamedNetwork network(model.graph);
    for (auto const& term : terms_of(request.query, network, setting)) {
        R const coefficient = expectation_detail::value_of(term.coefficient, network.width(network.output()), setting);
        text += "\n  " + to_string(simplified(coefficient)) + "  *  E " + to_string(term.bundle);
    }
    for (auto const& line : trace_text(trace)) text += "\n" + line;
    answer.explain(text);
}

/// What the sampling engine takes besides the network.
monte_carlo::ObservableSettings sampling_settings(ExpectRequest const& request, NumericModel const& model,
                                                  ObservableSetting<Surd> const& setting) {
    auto doubles = [](std::vector<Surd> const& row) {
        std::vector<double> out;
        for (auto const& x : row) out.push_back(to_double(x));
        return out;
    };
    monte_carlo::ObservableSettings out;
    if (!setting.inputs.gram.empty())
        throw UnsupportedError("--check: a Gram matrix is no input that a network could read; give the vectors",
                               "--check");
    for (std::size_t a = 0; a < setting.inputs.names.size(); ++a)
        out.inputs[setting.inputs.names[a]] = doubles(setting.inputs.vectors[a]);
    auto const width = static_cast<std::size_t>(numerator_of(model.graph.input_width.to_rational()));
    out.inputs[""] = setting.inputs.names.empty() ? sampling_input(model, width) : doubles(setting.inputs.vectors[0]);
    for (auto const& [name, value] : setting.parameters) out.parameters[name] = to_double(value);
    for (auto const& [name, rows] : setting.constants) {
        if (request.with.is_matrix(name)) {
            for (auto const& row : rows) out.matrices[name].push_back(doubles(row));
        } else {
            out.vectors[name] = doubles(rows.front());
        }
    }
    double const outputs = to_double(model.graph.output_width());
    out.target_second_moment = to_double(setting.target_second) / outputs;
    if (setting.target_fourth) out.target_fourth_moment = to_double(*setting.target_fourth) / outputs;
    return out;
}

std::optional<Check> checked(ExpectRequest const& request, NumericModel const& model,
                             ObservableSetting<Surd> const& setting, Surd const& exact, Session const& session,
                             Answer& answer) {
    if (!session.samples) return std::nullopt;
    auto const settings = sampling_settings(request, model, setting);
    if (inputs_of(request.query.observable).empty() && model.input.empty() && setting.inputs.names.empty())
        answer.assume("sampled with an input of equal coordinates");
    return checked_observable(request.query, model, {.exact = setting, .sampled = settings}, to_double(exact), session,
                              answer);
}

void add_expectation(ExpectRequest const& request, NumericModel const& model, Session const& session,
                     Bindings const& bindings, Answer& answer) {
    if (request.series || request.double_scaling) {
        throw DomainError(request.series ? "--series: the network has numbers only; leave a width symbolic"
                                         : "--limit: the network has numbers only; leave width and depth symbolic",
                          request.series ? "--series" : "--limit");
    }
    auto const setting = setting_of(request, model, bindings);
    note_idle_fourth(session, request, model, setting, answer);
    RecursionTrace trace;
    RecursionOptions const options{.reduce = true, .explain = session.explain, .trace = &trace};
    Surd const exact = exact_expectation(request.query, model.graph, setting, options);
    answer.add("value", {}, exact, checked(request, model, setting, exact, session, answer));
    explain(session, request, model, setting, trace, answer);
}

/// A formula with some symbols replaced by numbers.
RationalFunction substituted(RationalFunction const& x, Bindings const& bindings) {
    return value_at<RationalFunction>(Expression::parse(to_string(x), "value"), bindings, "--set");
}

void add_expectation(ExpectRequest const& request, SymbolicModel const& model, Session const& session,
                     Bindings const& bindings, Answer& answer) {
    auto const setting = setting_of(request, model, bindings);
    note_idle_fourth(session, request, model, setting, answer);
    RecursionTrace trace;
    RecursionOptions const options{.reduce = true, .explain = session.explain, .trace = &trace};
    ExpPolynomial const value = symbolic_value(request.query, model.graph, setting, options);
    std::string const not_numeric = "a formula in symbols; give them numbers by --set";
    RunSymbols const run = main_run(request.model, bindings);
    if (run.depth && trace.least_repeats > 0) {
        answer.assume(*run.depth + " large enough for " + std::to_string(trace.least_repeats) +
                      (trace.least_repeats == 1 ? " repeated block" : " repeated blocks"));
    }
    if (request.series) {
        auto const series = series_at_infinity(value, *request.series, request.order);
        for (std::size_t k = 0; k < series.coefficients.size(); ++k) {
            long const power = static_cast<long>(k) - series.leading;
            answer.add("series_coefficient", {std::to_string(power)}, series.coefficients[k].merged(), {}, not_numeric);
        }
        answer.assume("expansion in powers of 1/" + *request.series +
                      ", every other symbol fixed; the index is the power");
    } else if (request.double_scaling) {
        if (!run.width || !run.depth)
            throw DomainError("--limit: the network needs one run n:L of symbolic width and depth", "--limit");
        auto limit = double_scaling_limit(value, *run.width, *run.depth, limit_symbol, request.order);
        auto const at = bindings.find(limit_symbol);
        if (at != bindings.end()) {
            for (auto& part : limit.parts) {
                for (auto& c : part.coefficients) c = substituted(c, bindings);
            }
        }
        answer.add("limit", {},
                   Value::expression(to_string(
                       limit, *run.width,
                       at == bindings.end() ? RationalFunction::symbol(limit_symbol) : RationalFunction(at->second))),
                   {}, not_numeric);
        answer.assume(
            *run.width + " and " + *run.depth + " to infinity with " + *run.depth + "/" + *run.width +
            " = b; leading order" +
            (request.order > 0 ? " and " + std::to_string(request.order) + " orders of 1/" + *run.width : ""));
    } else {
        answer.add("value", {}, value.terms().size() < 2 ? Value(value.formula()) : Value::expression(to_string(value)),
                   {}, not_numeric);
        if (run.width && !value.terms().empty()) {
            try {
                auto const leading = leading_term(value, *run.width, run.depth.value_or(""));
                answer.add("leading_term", {}, leading.value, {}, not_numeric);
                answer.assume("leading_term as " + *run.width +
                              (leading.in_depth ? " and then " + *run.depth + " go" : " goes") + " to infinity");
            } catch (UnsupportedError const& e) {
                answer.add("leading_term", {}, Value::absent(e.what()), {}, not_numeric);
            }
        }
    }
    explain(session, request, model, setting, trace, answer);
}

}  // namespace

Command expect_command() {
    ModelOptions const options{
        .wiring = true, .loss = true, .activation = true, .variance = true, .law = true, .input = true};
    Command out;
    out.text = {
        .name = "expect",
        .summary = "The exact expectation of any polynomial in outputs and weight derivatives",
        .positional = "EXPR WIDTHS",
        .positional_help =
            "An observable, such as 'z[i;m]^2', and the network; z and h are outputs before and after the activation, "
            "letters and labels that occur twice are summed",
        .most_positionals = 2,
        .options = option_texts(options),
        .examples =
            "Examples:\n"
            "  isserlis expect '(z[i]^2)^2' 2,10:3,4                   the fourth moment of the output's norm\n"
            "  isserlis expect 'z[;m]^2' n0,n:L,1                      the mean of the neural tangent kernel\n"
            "  isserlis expect '(D[m,n] loss)^2' 4,8,8,1 --check 20000 the squared norm of the loss's Hessian\n"
            "  isserlis expect 'z[i;m]^2 where m in 2' 16:4 --network resnet:2\n",
    };
    out.text.options.push_back({"--with", "FILE", "JSON with named inputs (or their Gram matrix) and constants"});
    out.text.options.push_back({"--series", "1/SYMBOL", "Expand in 1/SYMBOL, the other symbols fixed"});
    out.text.options.push_back({"--limit", "double-scaling", "Width and depth to infinity with depth/width = b"});
    out.text.options.push_back(
        {"--order", "K", "Orders beyond the leading one (default 2 for --series, 0 for --limit)"});
    out.evaluate = [options](Session const& session, Bindings const& bindings, Answer& answer) {
        ExpectRequest request = read_expect_request(session);
        resolve_places(request, bindings, answer);
        ModelOptions stated = options;
        if (!request.with.input_names.empty()) {
            stated.input = false;
            answer.assume("inputs as given");
        }
        state_assumptions(request.model, stated, answer);
        assume_of_query(request, answer);
        state_symbols(request.numbers(), request.model, bindings, answer);
        with_model(request.symbols(), request.model, bindings,
                   [&](auto const& model) { add_expectation(request, model, session, bindings, answer); });
    };
    return out;
}

}  // namespace isserlis::cli
