// SPDX-License-Identifier: MIT
#include "quantity/expression/expect_request.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/rational_function.hpp>

#include "quantity/given_samples.hpp"
#include "question/model.hpp"
#include "question/parameter_name.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_orders = 32;

/// Calls f with every name of a node or place that the query has.
void for_each_place(Observable& o, auto const& f) {
    bool const has_place = o.kind == Observable::Kind::output || o.kind == Observable::Kind::entry;
    if (has_place && !o.node.empty()) f(o.node);
    for (auto& operand : o.operands) for_each_place(operand, f);
}

/// The number of a place such as "L - 1" or "2.1" as a formula; none when it is a name.
std::optional<Expression> place_number(std::string const& name) {
    try {
        return Expression::parse(name.substr(0, name.find('.')), "query");
    } catch (ParseError const&) {
        return std::nullopt;  // no number: reported as unknown later
    }
}

/// Every name of a node or place in the query.
void for_each_name(StatisticQuery& query, auto const& f) {
    for (auto* observable : arguments_of(query.statistic)) for_each_place(*observable, f);
    for (auto& r : query.restrictions) {
        f(r.first);
        f(r.last);
    }
}

/// Moments of targets are for observables with targets.
void note_idle_targets(ExpectRequest& request) {
    auto const& query = request.query;
    if (mentions(query, Observable::Kind::loss) || mentions(query, Observable::Kind::target)) return;
    for (char const* parameter :
         {"target_mean", "target_second_moment", "target_third_moment", "target_fourth_moment"}) {
        if (request.model.has(parameter))
            request.model.idle.push_back(named(parameter) + " has no effect: `query` has neither a loss nor a target");
    }
}

/// Is a part of it of the one input, which nothing names?
bool has_bare_part(Observable const& o) {
    using Kind = Observable::Kind;
    bool const of_input =
        o.kind == Kind::loss || o.kind == Kind::output || (o.kind == Kind::entry && o.name.starts_with("J"));
    return (of_input && o.input.empty()) || std::any_of(o.operands.begin(), o.operands.end(), has_bare_part);
}

/// Errors  ParseError for a part that says of none of several inputs that it is at it.
void require_named_inputs(ExpectRequest const& request) {
    auto const& names = request.with.input_names;
    auto const all = arguments_of(request.query.statistic);
    if (names.size() < 2 || std::none_of(all.begin(), all.end(), [](auto const* o) { return has_bare_part(*o); }))
        return;
    throw ParseError("`query`: the file of `with` has the inputs " + enumerated(names) +
                         "; say which one everywhere, as in z[i]@" + names.front() +
                         (mentions(request.query, Observable::Kind::loss) ? "; the loss is of one input" : ""),
                     "query");
}

/// A file may serve several queries: what this one has no use for.
void note_idle_constants(ExpectRequest& request) {
    auto const used = constants_of(request.query);
    for (auto const& [name, rows] : request.with.constants) {
        if (used.count(name) == 0)
            request.model.idle.push_back("`with`: the constant " + name + " does not occur in `query`");
    }
}

bool has_part(Observable const& o, Observable::Kind kind) {
    return o.kind == kind || std::any_of(o.operands.begin(), o.operands.end(),
                                         [&](Observable const& part) { return has_part(part, kind); });
}

std::set<std::string> gathered(StatisticQuery const& query, auto const& names_of) {
    std::set<std::string> out;
    for (auto const* observable : arguments_of(query.statistic)) {
        for (auto const& name : names_of(*observable)) out.insert(name);
    }
    return out;
}

/// The parameters that no other text explains: those of the network and the files, places, `set` and `table`.
std::set<std::string> new_parameters(ExpectRequest const& request, Session const& session) {
    std::set<std::string> known = request.model.symbols();
    known.merge(request.with.symbols());
    if (request.target_mean) known.merge(request.target_mean->symbols());
    known.insert(request.layers.begin(), request.layers.end());
    for (auto const& [symbol, value] : session.bindings) known.insert(symbol);
    for (auto const& sweep : session.sweeps) known.insert(sweep.symbol);
    std::set<std::string> out;
    for (auto const& name : parameters_of(request.query.statistic)) {
        if (known.count(name) == 0) out.insert(name);
    }
    return out;
}

}  // namespace

bool mentions(StatisticQuery const& query, Observable::Kind kind) {
    auto const all = arguments_of(query.statistic);
    return std::any_of(all.begin(), all.end(), [&](auto const* o) { return has_part(*o, kind); });
}

std::set<std::string> inputs_of(StatisticQuery const& query) {
    return gathered(query, [](Observable const& o) { return inputs_of(o); });
}

std::set<std::string> constants_of(StatisticQuery const& query) {
    return gathered(query, [](Observable const& o) { return constants_of(o); });
}

std::set<std::string> ExpectRequest::numbers() const {
    auto out = model.symbols();
    out.merge(with.symbols());
    if (target_mean) out.merge(target_mean->symbols());
    for (auto const& p : parameters_of(query.statistic)) out.insert(p);
    return out;
}

std::set<std::string> ExpectRequest::symbols() const {
    auto out = numbers();
    for (auto const& p : layers) out.insert(p);
    return out;
}

ParameterSet<ExpectRequest> expect_parameters() {
    ParameterSet<ExpectRequest> out;
    out.add(&ExpectRequest::model, model_parameters(expect_model));
    out.add({"target_mean", "R", "E y_i, the same of each output; other moments are about 0, not about it",
             &ExpectRequest::target_mean, formula(), More{.usual = "0"}});
    out.add({"with", "FILE", "JSON with named inputs (or their Gram matrix) and constants",
             [](ExpectRequest& into, std::string const& file) { into.with = read_with_file(file); }});
    out.add({"series", "1/SYMBOL", "Expand in 1/SYMBOL, the other symbols fixed", &ExpectRequest::series,
             inverse_symbol()});
    out.add({"limit", "Width and depth to infinity with depth/width = b", &ExpectRequest::double_scaling,
             choice<bool>("a limit", {{"double-scaling", true}}),
             More{.refusals = {{{"series"}, "`limit` and {} are two expansions; give one of them"}}}});
    out.add({"order", "K", "Orders beyond the leading one", &ExpectRequest::order_typed, count(0, most_orders),
             More{.usual = "2 for `series`, 0 for `limit`", .needs = {"series", "limit"}}});
    return out;
}

void complete_expect_request(ExpectRequest& request, Session const& session) {
    require_possible_products(request.with, session);
    ExpectRequest& out = request;
    auto const& positionals = session.question.words;
    if (positionals.empty()) {
        throw ParseError(
            "`query` is missing; give an observable and a network, such as isserlis expect 'z[i]^2' 2,10:3,1", "query");
    }
    out.query = parse_statistic(positionals[0]);
    if (positionals.size() < 2 && out.model.wiring != Wiring::file)
        throw ParseError("`widths` is missing; list the layers from the input on, such as 2,10:3,1", "widths");
    out.model = read_network(out.model, positionals.size() < 2 ? "" : positionals[1], session, true);
    if (out.model.wiring != Wiring::file) {
        for_each_name(out.query, [&](std::string const& name) {
            if (auto const number = place_number(name)) out.layers.merge(number->symbols());
        });
    }
    for (auto const& [name, rows] : out.with.constants) {
        if (!names_matrix(name)) continue;
        throw ParseError("`with`: the constant \"" + name +
                             "\" has the name of a matrix of the network (J, Jh, W1, W2, ..); give it another one",
                         "with");
    }
    for (char const* parameter : {"input", "input_squared_norm", "input_fourth"}) {
        if (out.model.has(parameter) && !out.with.input_names.empty())
            throw ParseError(named(parameter) + " has no effect: the file of `with` has the inputs; leave it out",
                             parameter);
    }
    if (session.layer)
        throw ParseError("`layer`: an expectation has one value; name layers in `query`, such as z{2}[i]", "layer");
    out.order = out.order_typed.value_or(out.double_scaling ? 0 : 2);
    note_idle_targets(out);
    note_idle_constants(out);
    require_named_inputs(out);
    out.parameters = new_parameters(out, session);
    for (auto const& name : out.parameters) check_parameter(name);
    auto symbols = out.symbols();
    for (auto const& s : symbols) check_symbol(s, "query");
    if (out.double_scaling) {
        if (symbols.count(limit_symbol) != 0)
            throw ParseError(
                "`limit`: b stands for depth over width there; give the symbol b of the query another name", "limit");
        symbols.insert(limit_symbol);
    }
    check_bindings(symbols, session);
}

namespace {

/// The number of layers, y^0 not counted.
Exponent exact_layers(ModelText const& model, Bindings const& bindings) {
    Exponent out(-1);
    for (auto const& item : model.widths) {
        auto const count = Expression::parse(item.count.text, "widths");
        out = out + as_exponent(value_at<RationalFunction>(count, bindings, "widths"));
    }
    return out;
}

/// Errors  DomainError for a generic layer l that `set` or `table` puts outside the network.
void require_given_layers(ExpectRequest const& request, Bindings const& bindings) {
    auto const other = request.numbers();
    Exponent const layers = exact_layers(request.model, bindings);
    for (auto const& symbol : request.layers) {
        auto const at = bindings.find(symbol);
        if (at == bindings.end() || other.count(symbol) != 0) continue;
        bool const beyond = layers.is_constant() && at->second > layers.constant();
        if (is_integer(at->second) && at->second >= 1 && !beyond) continue;
        throw DomainError("`set` " + symbol + " = " + printable(to_string(at->second)) +
                              "; a layer, a whole number from 1 to " + to_string(layers) + ", is required",
                          "set");
    }
}

}  // namespace

void resolve_places(ExpectRequest& request, Bindings const& bindings, Answer& answer) {
    if (request.model.wiring == Wiring::file) return;
    require_given_layers(request, bindings);
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
            throw UnsupportedError("`query`: the place of layer '" + name +
                                       "' among the others is not known; use a number, one depth plus or minus a "
                                       "number (L - 1), or one generic layer l of a single repeated run",
                                   "query");
        }
        std::size_t const dot = std::min(name.find('.'), name.size());
        name = to_string(value) + name.substr(dot);
    });
    if (!any || depths.size() != 1 || counted_from.empty() || counted_from.count(*depths.begin()) != 0) return;
    answer.declare({.symbol = *counted_from.begin(), .most = to_string(exact_layers(request.model, bindings))},
                   SymbolRole::layer);
}

RunSymbols main_run(ModelText const& text, Bindings const& bindings) {
    auto free = [&](WidthToken const& t) { return t.is_symbol && bindings.count(t.text) == 0; };
    RunSymbols out;
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

}  // namespace isserlis::quantity
