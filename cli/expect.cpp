// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/asymptotics.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/verify/observable.hpp>
#include <optional>
#include <type_traits>

#include "commands.hpp"
#include "sampling_model.hpp"
#include "with_file.hpp"

namespace isserlis::cli {
namespace {

constexpr char const* limit_symbol = "b";
constexpr std::size_t most_orders = 32;

/// What is asked, before symbols get values.
struct Request {
    Query query;
    std::set<std::string> layers;  ///< symbols in names of nodes and places
    ModelText model;
    WithFile with;
    std::optional<std::string> series;  ///< the symbol n of --series 1/n
    bool double_scaling = false;
    std::size_t order = 2;
    bool order_was_asked = false;

    [[nodiscard]] std::set<std::string> symbols() const {
        auto out = model.symbols();
        out.merge(with.symbols());
        for (auto const& p : parameters_of(query.observable)) out.insert(p);
        for (auto const& p : layers) out.insert(p);
        return out;
    }
};

/// Calls f with every name of a node or place that the query has.
void for_each_place(Observable& o, auto const& f) {
    if (o.kind == Observable::Kind::output && !o.node.empty()) f(o.node);
    for (auto& operand : o.operands) for_each_place(operand, f);
}

/// The number of a place such as "L - 1" or "2.1" as a formula; none when it is a name.
std::optional<Expression> place_number(std::string const& name) {
    try {
        return Expression::parse(name.substr(0, name.find('.')), "EXPR");
    } catch (ParseError const&) {
        return std::nullopt;  // no number: reported as unknown later
    }
}

/// Every name of a node or place in the query.
void for_each_name(Query& query, auto const& f) {
    for_each_place(query.observable, f);
    for (auto& r : query.restrictions) {
        f(r.first);
        f(r.last);
    }
}

Request read_request(Session const& session) {
    auto const& arguments = session.arguments;
    auto const& positionals = arguments.positionals;
    if (positionals.empty()) {
        throw ParseError("EXPR is missing; give an observable and a network, such as isserlis expect 'z[i]^2' 2,10:3,1",
                         "EXPR");
    }
    Request out;
    out.query = parse_query(positionals[0]);
    bool const has_file = arguments.value("--network").value_or("").ends_with(".json");
    if (positionals.size() < 2 && !has_file)
        throw ParseError("WIDTHS is missing; list the layers from the input on, such as 2,10:3,1", "WIDTHS");
    out.model = read_model(arguments, positionals.size() < 2 ? "" : positionals[1], "--kurtosis", true);
    if (out.model.wiring != Wiring::file) {
        for_each_name(out.query, [&](std::string const& name) {
            if (auto const number = place_number(name)) out.layers.merge(number->symbols());
        });
    }
    if (auto const t = arguments.value("--with")) out.with = read_with_file(*t);
    if (session.layer)
        throw ParseError("--layer: an expectation has one value; name layers in EXPR, such as z{2}[i]", "--layer");
    if (auto const t = arguments.value("--series")) {
        if (!t->starts_with("1/") || !is_identifier(t->substr(2)))
            throw ParseError("--series: '" + printable(*t) + "' is not 1/SYMBOL, such as 1/n", "--series");
        out.series = t->substr(2);
    }
    if (auto const t = arguments.value("--limit")) {
        if (*t != "double-scaling")
            throw ParseError("--limit: '" + printable(*t) + "' is not a limit; the one served is double-scaling",
                             "--limit");
        if (out.series) throw ParseError("--limit and --series are two expansions; give one of them", "--limit");
        out.double_scaling = true;
        out.order = 0;
    }
    if (auto const t = arguments.value("--order")) {
        if (!out.series && !out.double_scaling)
            throw ParseError("--order means nothing without --series or --limit", "--order");
        out.order = parse_count(*t, "--order", 0, most_orders);
    }
    auto symbols = out.symbols();
    for (auto const& s : symbols) check_symbol(s, "symbol");
    if (out.double_scaling) {
        if (symbols.count(limit_symbol) != 0)
            throw ParseError(
                "--limit: b stands for depth over width there; give the symbol b of the query another name", "--limit");
        symbols.insert(limit_symbol);
    }
    check_bindings(symbols, session);
    return out;
}

/// Names such as z{L - 1} with the symbols that have values replaced. What is left counts from the one depth, or from
/// one generic layer l: the order of layers has to be known.
void resolve_places(Request& request, Bindings const& bindings, Answer& answer) {
    if (request.model.wiring == Wiring::file) return;
    std::set<std::string> depths;
    for (auto const& item : request.model.widths) {
        if (item.count.is_symbol && bindings.count(item.count.text) == 0) depths.insert(item.count.text);
    }
    std::set<std::string> counted_from;
    bool any = false;
    for_each_name(request.query, [&](std::string& name) {
        auto const number = place_number(name);
        if (!number) return;
        any = true;
        auto const value = evaluate<RationalFunction>(*number, [&](std::string const& symbol) {
            auto const at = bindings.find(symbol);
            return at == bindings.end() ? RationalFunction::symbol(symbol) : RationalFunction(at->second);
        });
        Exponent const place = as_exponent(value);
        for (auto const& [symbol, times] : place.symbols()) counted_from.insert(symbol);
        bool const unit = place.symbols().empty() || (place.symbols().size() == 1 && place.symbols()[0].second == 1);
        if (!is_integer(place.constant()) || !unit || counted_from.size() > 1 ||
            (!place.is_constant() && depths.size() > 1)) {
            throw UnsupportedError("EXPR: the place of layer '" + name +
                                       "' among the others is not known; use a number, one depth plus or minus a "
                                       "number (L - 1), or one generic layer l of a single repeated run",
                                   "EXPR");
        }
        std::size_t const dot = std::min(name.find('.'), name.size());
        name = to_string(value) + name.substr(dot);
    });
    if (!any || depths.empty()) return;
    std::string const& depth = *depths.begin();
    if (counted_from.empty() || counted_from.count(depth) != 0) {
        answer.assume(depth + " large enough that the layers named exist, in this order");
    } else {
        answer.assume(*counted_from.begin() +
                      " a layer of the repeated run, above those named by numbers and below the last");
    }
}

/// The symbols of the one repeated run: its width and its count.
struct Run {
    std::optional<std::string> width;
    std::optional<std::string> depth;
};

/// The width symbol n and the depth symbol L that expansions are about, where the network leaves no doubt.
Run main_run(ModelText const& text, Bindings const& bindings) {
    auto free = [&](WidthToken const& t) { return t.is_symbol && bindings.count(t.text) == 0; };
    Run out;
    std::set<std::string> widths;
    std::size_t depths = 0;
    for (auto const& item : text.widths) {
        if (free(item.width)) widths.insert(item.width.text);
        if (!free(item.count)) continue;
        ++depths;
        out.depth = item.count.text;
        if (free(item.width)) out.width = item.width.text;
    }
    if (depths > 1) return {};
    if (depths == 0 && widths.size() == 1) out.width = *widths.begin();
    return out;
}

template <class R>
R value_at(Expression const& e, Bindings const& bindings, std::string const& option) {
    try {
        return evaluate<R>(e, [&](std::string const& name) -> R {
            auto const at = bindings.find(name);
            if (at != bindings.end()) return R(at->second);
            if constexpr (std::is_same_v<R, RationalFunction>) {
                return RationalFunction::symbol(name);
            } else {
                throw DomainError(option + ": the symbol '" + name + "' has no value", option);
            }
        });
    } catch (UnsupportedError const& error) {
        throw UnsupportedError(option + ": " + error.what(), option);
    }
}

template <class R, class Count>
ObservableSetting<R> setting_of(Request const& request, Model<R, Count> const& model, Bindings const& bindings) {
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

/// Does every number satisfy the predicate?
template <class R, class Count>
bool all_of(Graph<R, Count> const& graph, ObservableSetting<R> const& setting, auto const& good) {
    bool all = true;
    auto const look = [&](R const& x) {
        all = all && good(x);
        return x;
    };
    (void)converted<R>(graph, look);
    (void)converted<R>(setting, look);
    return all;
}

std::vector<std::string> trace_text(RecursionTrace const& trace) {
    std::vector<std::string> out{"strand recursion: " + std::to_string(trace.states) + " states (" +
                                 std::to_string(trace.unreduced_states) + " before symmetries), " +
                                 std::to_string(trace.transitions) + " transitions"};
    out.insert(out.end(), trace.lines.begin(), trace.lines.end());
    return out;
}

/// The exact value over the numbers; rationals where there are no roots.
Surd numeric_value(Query const& query, Graph<Surd, std::uint64_t> const& graph, ObservableSetting<Surd> const& setting,
                   RecursionOptions const& options) {
    if (all_of(graph, setting, [](Surd const& x) { return x.is_rational(); })) {
        auto const to_rational = [](Surd const& x) { return x.to_rational(); };
        return expectation<Carrier<Rational>>(query, converted<Rational>(graph, to_rational),
                                              converted<Rational>(setting, to_rational), options);
    }
    return expectation<Carrier<Surd>>(query, graph, setting, options);
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
    if (all_of(graph, setting, is_fraction))
        return expectation<Carrier<RationalFunction>>(query, graph, setting, options);
    return expectation<PlainCarrier<RationalFunction>>(query, graph, setting, options);
}

bool mentions(Observable const& o, Observable::Kind kind) {
    return o.kind == kind || std::any_of(o.operands.begin(), o.operands.end(),
                                         [&](Observable const& part) { return mentions(part, kind); });
}

void assume_of_query(Request const& request, Answer& answer) {
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

void explain(Session const& session, Request const& request, auto const& model, auto const& setting,
             RecursionTrace const& trace, Answer& answer) {
    if (!session.explain) return;
    std::string text = "the query is a sum of bundles of strands:";
    using R = std::decay_t<decltype(model.squared_norm)>;
    NamedNetwork network(model.graph);
    network.prepare(request.query);
    ExpansionContext const context = expectation_detail::context_of(network, setting);
    for (auto const& term : expand(request.query, context)) {
        R const coefficient = expectation_detail::value_of(term.coefficient, network.width(network.output()), setting);
        text += "\n  " + to_string(simplified(coefficient)) + "  *  E " + to_string(term.bundle);
    }
    for (auto const& line : trace_text(trace)) text += "\n" + line;
    answer.explain(text);
}

/// What the sampling engine takes besides the network.
monte_carlo::ObservableSettings sampling_settings(Request const& request, NumericModel const& model,
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

/// E X^2 by the strand engine, for the exact standard error of a sampled mean; none where it is out of reach.
std::optional<double> second_moment(Request const& request, NumericModel const& model, ObservableSetting<Surd> setting,
                                    Answer& answer) {
    // Sampled targets have one size and a random sign, unless their fourth moment is given.
    if (!setting.target_fourth)
        setting.target_fourth = setting.target_second * setting.target_second / model.graph.output_width();
    try {
        return to_double(numeric_value(squared(request.query), model.graph, setting, {}));
    } catch (UnsupportedError const& e) {
        answer.warn("the standard error is sampled: for the exact one, " + std::string(e.what()));
        return std::nullopt;
    }
}

std::optional<Check> checked(Request const& request, NumericModel const& model, ObservableSetting<Surd> const& setting,
                             Surd const& exact, Session const& session, Answer& answer) {
    if (!session.samples) return std::nullopt;
    auto const graph = sampling_graph(model);
    auto const settings = sampling_settings(request, model, setting);
    if (inputs_of(request.query.observable).empty() && model.input.empty() && setting.inputs.names.empty())
        answer.assume("sampled with an input of equal coordinates");
    return check_observable(graph, request.query, settings, to_double(exact),
                            second_moment(request, model, setting, answer), *session.samples, session.seed,
                            session.run_control());
}

void add_expectation(Request const& request, NumericModel const& model, Session const& session,
                     Bindings const& bindings, Answer& answer) {
    if (request.series || request.double_scaling) {
        throw DomainError(request.series ? "--series: the network has numbers only; leave a width symbolic"
                                         : "--limit: the network has numbers only; leave width and depth symbolic",
                          request.series ? "--series" : "--limit");
    }
    auto const setting = setting_of(request, model, bindings);
    RecursionTrace trace;
    RecursionOptions const options{.reduce = true, .explain = session.explain, .trace = &trace};
    Surd const exact = numeric_value(request.query, model.graph, setting, options);
    answer.add("value", {}, exact, checked(request, model, setting, exact, session, answer));
    explain(session, request, model, setting, trace, answer);
}

/// A formula with some symbols replaced by numbers.
RationalFunction substituted(RationalFunction const& x, Bindings const& bindings) {
    return value_at<RationalFunction>(Expression::parse(to_string(x), "value"), bindings, "--set");
}

void add_expectation(Request const& request, SymbolicModel const& model, Session const& session,
                     Bindings const& bindings, Answer& answer) {
    auto const setting = setting_of(request, model, bindings);
    RecursionTrace trace;
    RecursionOptions const options{.reduce = true, .explain = session.explain, .trace = &trace};
    ExpPolynomial const value = symbolic_value(request.query, model.graph, setting, options);
    std::string const not_numeric = "a formula in symbols; give them numbers by --set";
    Run const run = main_run(request.model, bindings);
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
        Request request = read_request(session);
        resolve_places(request, bindings, answer);
        ModelOptions stated = options;
        if (!request.with.input_names.empty()) {
            stated.input = false;
            answer.assume("inputs as given");
        }
        state_assumptions(request.model, stated, answer);
        assume_of_query(request, answer);
        auto const symbols = request.symbols();
        bool const numeric =
            std::all_of(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings.count(s) != 0; });
        if (numeric) {
            add_expectation(request, numeric_model(request.model, bindings), session, bindings, answer);
        } else {
            add_expectation(request, symbolic_model(request.model, bindings), session, bindings, answer);
        }
    };
    return out;
}

}  // namespace isserlis::cli
