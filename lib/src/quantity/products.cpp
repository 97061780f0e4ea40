// SPDX-License-Identifier: MIT
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/verify/products.hpp>
#include <map>

#include "quantity/commands.hpp"
#include "quantity/unchecked.hpp"

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

/// phi and psi from layer 1 to each place.
void add_from_first(SymbolicModel const& model, Places<Exponent> const& places, Answer& answer) {
    for (auto const& place : places) {
        auto const layers = up_to(model.net(), place).layers;
        std::vector<WidthRun<RationalFunction, Exponent>> widths;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            Exponent const count = i == 0 ? layers[i].count - Exponent(1) : layers[i].count;
            if (!count.is_zero()) widths.push_back({.width = layers[i].fan_in, .count = count});
        }
        add_symbolic(phi_psi(widths), {"1", place.label}, answer);
    }
}

/// D of `layer` 1,D. Errors  UnsupportedError for pairs that begin elsewhere.
std::optional<std::string> end_of_pair(std::optional<std::string> const& layer) {
    if (!layer || layer->find(',') == std::string::npos) return layer;
    if (layer->starts_with("1,")) return layer->substr(2);
    throw UnsupportedError(
        "`layer` " + printable(*layer) +
            ": at symbolic depth phi and psi are given from layer 1 on, such as `layer` 1,L+1; a depth "
            "in numbers has all pairs",
        "layer");
}

void add_products(SymbolicModel const& model, Session const& session, Answer& answer) {
    auto const& layers = model.net().layers;
    bool const numbered =
        std::all_of(layers.begin(), layers.end(), [](auto const& run) { return run.count.is_constant(); });
    if (!numbered) {
        add_from_first(model, layer_places(layers, end_of_pair(session.layer), answer), answer);
        answer.warn("at symbolic depth phi and psi are given from layer 1 on");
        return;
    }
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
        answer.assume("Gaussian weights");
        for_each_network(request.networks, session, bindings, {}, answer, [&](ModelText const& text) {
            with_model(text, bindings, [&](auto const& model) { add_products(model, session, answer); });
        });
    };
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
