// SPDX-License-Identifier: MIT
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/verify/products.hpp>
#include <map>
#include <utility>

#include "quantity/commands.hpp"
#include "quantity/unchecked.hpp"
#include "question/requirements.hpp"
#include "range/asker.hpp"

namespace isserlis::quantity {
namespace {

using NumericRuns = std::vector<LayerRun<Surd, std::uint64_t>>;

constexpr char const* heavy = "the tails of this product are too heavy for these many samples to say anything";

std::uint64_t number_of(std::uint64_t count) { return count; }
std::uint64_t number_of(Exponent const& count) { return checked_count(numerator_of(count.constant())); }

/// d_c .. d_(d-1), as runs: the widths between layers c and d. Counts are numbers.
template <class R, class Count>
std::vector<WidthRun<R, Count>> widths_between(std::vector<LayerRun<R, Count>> const& layers, std::uint64_t c,
                                               std::uint64_t d) {
    std::vector<WidthRun<R, Count>> out;
    std::uint64_t below = 0;  // layers below this run; layer l leads into width d_l
    for (auto const& run : layers) {
        std::uint64_t const count = number_of(run.count);
        std::uint64_t const first = std::max(c, below + 1);
        std::uint64_t const last = std::min(d - 1, below + count);
        if (first <= last) out.push_back({.width = run.fan_out, .count = Count(static_cast<int>(last - first + 1))});
        below += count;
    }
    return out;
}

void add_pair(NumericRuns const& layers, std::uint64_t c, std::uint64_t d, Session const& session, Answer& answer) {
    auto const widths = widths_between(layers, c, d);
    auto const value = phi_psi(widths);
    std::optional<PhiPsiChecks> checks;
    if (session.samples) {
        std::vector<std::size_t> flat;
        for (auto const& w : widths) {
            auto const size = static_cast<std::size_t>(numerator_of(w.width.to_rational()));
            flat.insert(flat.end(), static_cast<std::size_t>(w.count), size);
        }
        checks = check_phi_psi(flat, to_double(value.phi), to_double(value.psi), *session.samples, session.seed,
                               session.run_control());
    }
    std::vector<std::string> const index{std::to_string(c), std::to_string(d)};
    answer.add("phi", index, value.phi, checks ? std::optional(checks->phi) : std::nullopt, heavy);
    answer.add("psi", index, value.psi, checks ? std::optional(checks->psi) : std::nullopt, heavy);
}

using SymbolicWidths = std::vector<WidthRun<RationalFunction, Exponent>>;

/// Pairs of layers of equal widths have the values of a few.
class KnownPairs {
public:
    PhiPsi<RationalFunction> const& operator()(SymbolicWidths const& widths) {
        std::string key;
        for (auto const& run : widths) key += to_string(run.width) + ":" + to_string(run.count) + ",";
        auto const at = known_.find(key);
        return at != known_.end() ? at->second : known_.emplace(key, phi_psi(widths)).first->second;
    }

private:
    std::map<std::string, PhiPsi<RationalFunction>> known_;
};

void add_symbolic(PhiPsi<RationalFunction> const& value, std::vector<std::string> const& index, Answer& answer) {
    answer.add("phi", index, value.phi, {}, not_sampled);
    answer.add("psi", index, value.psi, {}, not_sampled);
}

/// `layer` C,D is one pair; `layer` D all pairs that end at D.
struct Pair {
    std::optional<std::uint64_t> first;
    std::uint64_t last;
};

std::optional<Pair> wanted_pair(Session const& session, std::uint64_t depth) {
    if (!session.layer) return std::nullopt;
    auto const comma = session.layer->find(',');
    if (comma == std::string::npos)
        return Pair{.first = std::nullopt, .last = parse_count(*session.layer, "layer", 1, depth)};
    Pair const out{.first = parse_count(session.layer->substr(0, comma), "layer", 1, depth),
                   .last = parse_count(session.layer->substr(comma + 1), "layer", 1, depth)};
    if (*out.first > out.last) throw DomainError("`layer` " + *session.layer + ": c <= d is required", "layer");
    return out;
}

template <class F>
void for_each_pair(std::uint64_t depth, Session const& session, Answer& answer, F const& f) {
    auto const wanted = wanted_pair(session, depth);
    if (wanted && wanted->first) {
        f(*wanted->first, wanted->last);
        return;
    }
    answer.expect(wanted ? 2 * wanted->last : depth * (depth + 1));
    for (std::uint64_t c = 1; c <= (wanted ? wanted->last : depth); ++c) {
        for (std::uint64_t d = wanted ? wanted->last : c; d <= (wanted ? wanted->last : depth); ++d) f(c, d);
    }
}

void add_products(NumericModel const& model, Session const& session, Answer& answer) {
    std::uint64_t depth = 0;
    for (auto const& run : model.net().layers) depth += run.count;
    for_each_pair(depth, session, answer,
                  [&](std::uint64_t c, std::uint64_t d) { add_pair(model.net().layers, c, d, session, answer); });
}

using SymbolicRuns = std::vector<LayerRun<RationalFunction, Exponent>>;
using SymbolicPlace = LayerPlace<Exponent>;

[[noreturn]] void not_in_order(SymbolicPlace const& c, SymbolicPlace const& d) {
    throw DomainError("`layer` " + c.label + "," + d.label + ": there are no such layers with c < d", "layer");
}

/// d_c .. d_(d-1): what layers c + 1 to d come from.
/// Errors  DomainError where d is surely below c.
SymbolicWidths widths_between(SymbolicRuns const& layers, SymbolicPlace const& c, SymbolicPlace const& d) {
    Exponent const apart = d.within - c.within;
    if (c.run > d.run || (c.run == d.run && apart.is_constant() && apart.constant() < 0)) not_in_order(c, d);
    SymbolicWidths out;
    for (std::size_t run = c.run; run <= d.run; ++run) {
        Exponent count = run == d.run ? d.within : layers[run].count;
        if (run == c.run) count = count - c.within;
        if (!out.empty() && out.back().width == layers[run].fan_in) {
            out.back().count = out.back().count + count;
        } else {
            out.push_back({.width = layers[run].fan_in, .count = count});
        }
    }
    std::erase_if(out, [](auto const& w) { return w.count.is_zero(); });
    return out;
}

/// c < d where both are in one stretch: with a width of 1 the product m is 1 for c = d, and else 0.
void declare_order(SymbolicPlace const& c, SymbolicPlace const& d, SymbolicRuns const& layers, Answer& answer) {
    Exponent const apart = d.within - c.within;
    if (c.run != d.run || apart.is_constant()) return;
    auto const number = [](SymbolicPlace const& place) {
        return as_exponent(parse_rational_function(place.label, "layer"));
    };
    auto const last = [&](SymbolicPlace const& place) {
        return number(place) - place.within + layers[place.run].count;
    };
    auto const first = [&](SymbolicPlace const& place) { return number(place) - place.within + Exponent(1); };
    auto const declare = [&](SymbolicPlace const& any, Exponent const& least, Exponent const& most) {
        Exponent const room = most - least;
        if (room.is_constant() && room.constant() < 0) not_in_order(c, d);
        answer.declare({.symbol = any.label, .least = to_string(least), .most = to_string(most)}, SymbolRole::layer);
    };
    if (d.is_any) declare(d, number(c) + Exponent(1), last(d));
    if (c.is_any) declare(c, first(c), (d.is_any ? last(c) : number(d)) - Exponent(1));
    if (c.is_any || d.is_any) return;
    auto const& symbols = apart.symbols();
    if (std::any_of(symbols.begin(), symbols.end(), [](auto const& s) { return s.second < 0; })) not_in_order(c, d);
    declare_requirements(
        {{.value = parse_rational_function(to_string(apart), "layer") - RationalFunction(1), .strict = false}}, answer);
}

/// A formula of powers such as n^(d - c), which stay whole: sums would part them into n^d and n^-c.
Value with_whole_powers(RationalFunction const& x, std::map<std::string, Exponent> const& exponents) {
    if (exponents.empty()) return x;
    std::string text = to_string(x);
    for (auto const& [symbol, exponent] : exponents) text = renamed(text, symbol, "(" + to_string(exponent) + ")");
    return Value::expression(text);
}

void add_pair(SymbolicRuns const& layers, std::string const& first, std::string const& last, Answer& answer) {
    SymbolicPlace const c = layer_places(layers, first, answer).front();
    SymbolicPlace const d = layer_places(layers, last, answer).front();
    auto widths = widths_between(layers, c, d);
    declare_order(c, d, layers, answer);
    std::map<std::string, Exponent> exponents;
    for (auto& run : widths) {
        auto const& symbols = run.count.symbols();
        if (symbols.empty() || (symbols.size() == 1 && symbols.front().second > 0)) continue;
        auto const name = "count_" + std::to_string(exponents.size());
        exponents.emplace(name, std::exchange(run.count, Exponent::symbol(name)));
    }
    auto const value = phi_psi(widths);
    std::vector<std::string> const index{c.label, d.label};
    answer.add("phi", index, with_whole_powers(value.phi, exponents), {}, not_sampled);
    answer.add("psi", index, with_whole_powers(value.psi, exponents), {}, not_sampled);
}

/// One pair, or those that begin at layer 1.
void add_at_symbolic_depth(SymbolicRuns const& layers, Session const& session, Answer& answer) {
    auto const comma = session.layer ? session.layer->find(',') : std::string::npos;
    if (comma != std::string::npos)
        return add_pair(layers, session.layer->substr(0, comma), session.layer->substr(comma + 1), answer);
    SymbolicPlace const one{.label = "1", .run = 0, .within = Exponent(1)};
    for (auto const& place : layer_places(layers, session.layer, answer))
        add_symbolic(phi_psi(widths_between(layers, one, place)), {one.label, place.label}, answer);
    answer.warn("at symbolic depth the pairs that begin at layer 1 are listed; `layer` c,d is any pair");
}

void add_products(SymbolicModel const& model, Session const& session, Answer& answer) {
    auto const& layers = model.net().layers;
    bool const numbered =
        std::all_of(layers.begin(), layers.end(), [](auto const& run) { return run.count.is_constant(); });
    if (!numbered) return add_at_symbolic_depth(layers, session, answer);
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += number_of(run.count);
    KnownPairs known;
    for_each_pair(depth, session, answer, [&](std::uint64_t c, std::uint64_t d) {
        add_symbolic(known(widths_between(layers, c, d)), {std::to_string(c), std::to_string(d)}, answer);
    });
}

}  // namespace

Command products_command() {
    CommandOf<NetworksRequest> out;
    out.text = {
        .name = "products",
        .summary = "phi and psi of Hettinger's Definition 4.18, kept as products",
        .positional = "`widths`",
        .positional_help =
            "d_0,..,d_n; phi and psi for all 1 <= c <= d <= n, `layer` C,D for one pair, `layer` D for all that end at "
            "D",
        .most_positionals = 1000,
        .charted = "phi",
    };
    out.complete = read_all_networks<NetworksRequest>;
    out.evaluate = [](NetworksRequest const& request, Session const& session, Bindings const& bindings,
                      Answer& answer) {
        answer.assume("independent Gaussian weights");
        for_each_network(request.networks, session, bindings, {}, answer, [&](ModelText const& text) {
            with_model(text, bindings, [&](auto const& model) { add_products(model, session, answer); });
        });
    };
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
