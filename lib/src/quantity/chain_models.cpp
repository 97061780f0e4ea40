// SPDX-License-Identifier: MIT
#include "quantity/chain_models.hpp"

#include <algorithm>
#include <isserlis/question/reason.hpp>
#include <set>

#include "quantity/limit_scale.hpp"
#include "quantity/unchecked.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

/// What was typed: scales and rates of a parametrisation are positive.
template <class R>
void require_factors(DerivativeText<R> const& derivatives, ModelText const& text) {
    for (auto const& typed : derivatives.factors) {
        if (sign_of(typed).value_or(0) >= 0) continue;
        throw DomainError(named(text.label_factor_parameter) + " = " + printable(to_string(typed)) +
                              "; it multiplies a square: at least 0 is required",
                          text.label_factor_parameter);
    }
}

/// The symbols that occur in widths.
std::set<std::string> width_symbols(Symbolic const& net) {
    std::set<std::string> out;
    for (auto const& run : net.layers) {
        for (auto const& s : run.fan_in.symbols()) out.insert(s);
        for (auto const& s : run.fan_out.symbols()) out.insert(s);
    }
    return out;
}

}  // namespace

std::uint64_t checked_depth(Numeric const& net, std::string const& who) {
    std::uint64_t const layers = depth(net);
    if (layers > most_layers_of_a_chain) {
        throw UnsupportedError(who + ": " + std::to_string(layers) + " layers; up to " +
                                   std::to_string(most_layers_of_a_chain) + " are served",
                               "widths");
    }
    return layers;
}

std::uint64_t checked_depth(Symbolic const& net, std::string const& who) {
    Exponent all;
    for (auto const& run : net.layers) all = all + run.count;
    if (!all.is_constant()) {
        throw UnsupportedError(who + ": a symbolic depth, here of " + to_string(all) +
                                   " weight layers, is not served; give it a number by `set`, or ask isserlis expect, "
                                   "which serves one layer of any depth, such as '(z{L}[1;m] D[m] loss)^2' n,n:L,1",
                               "widths");
    }
    Integer const layers = numerator_of(all.constant());
    if (layers > most_layers_in_symbols) {
        throw UnsupportedError(who + ": " + to_string(layers) + " layers; up to " +
                                   std::to_string(most_layers_in_symbols) + " are served in symbols, up to " +
                                   std::to_string(most_layers_of_a_chain) + " in numbers, which `set` gives",
                               "widths");
    }
    return checked_count(layers);
}

void require_sampled_depth(Session const& session, std::uint64_t layers) {
    if (session.samples && layers > most_listed_layers + 1) {
        throw UnsupportedError("`check`: " + std::to_string(layers) + " layers; networks of up to " +
                                   std::to_string(most_listed_layers + 1) + " are sampled here",
                               "check");
    }
}

std::vector<std::uint64_t> listed_layers(Session const& session, std::uint64_t layers, std::uint64_t tail,
                                         std::string const& which, Answer& answer) {
    if (session.layer) return {parse_count(*session.layer, "layer", 1, layers)};
    bool const all = layers <= most_listed_layers;
    if (!all) {
        answer.warn("of " + std::to_string(layers) + " " + which + " printed; `layer` K prints layer K");
    }
    std::vector<std::uint64_t> out;
    for (std::uint64_t l = all ? 1 : layers - tail + 1; l <= layers; ++l) out.push_back(l);
    return out;
}

void require_label_factors(NumericModel const& model, ModelText const& text) {
    require_factors(model.derivatives, text);
}
void require_label_factors(SymbolicModel const& model, ModelText const& text) {
    require_factors(model.derivatives, text);
}

std::string beside_depth(DepthSymbols const& symbols) {
    return symbols.width == symbols.depth ? "" : " at fixed depth";
}

void add_leading_term(char const* name, RationalFunction const& x, Symbolic const& net, Answer& answer) {
    auto const deep = depth_symbols(net);
    auto const widths = width_symbols(net);
    bool const endless =
        std::any_of(net.layers.begin(), net.layers.end(), [](auto const& run) { return !run.count.is_constant(); });
    if (!deep && (endless || widths.size() != 1)) return;
    std::string const width = deep ? deep->width : *widths.begin();
    std::string const depth = deep ? deep->depth : "";
    add_leading_of(ExpQuotient(by_depth(x)), width, depth, name, answer);
}

void add_wide_limit(LimitNames const& names, RationalFunction const& x, Symbolic const& net, Answer& answer) {
    auto const widths = width_symbols(net);
    auto const deep = depth_symbols(net);
    if (widths.size() != 1 || !deep) return;  // at a depth in numbers it is the leading term
    add_limit_of(ExpQuotient(by_depth(x)), {.width = *widths.begin(), .depth = ""}, names, {}, answer);
    answer.assume(names.limit + " as " + *widths.begin() + " goes to infinity" + beside_depth(*deep));
}

void add_double_limit(LimitNames const& names, RationalFunction const& x, Symbolic const& net, Answer& answer) {
    auto const deep = depth_symbols(net);
    auto const symbols = x.symbols();
    if (!deep || deep->width == deep->depth) return;  // one symbol has one limit
    if (std::find(symbols.begin(), symbols.end(), ratio_symbol) != symbols.end()) return;
    add_limit_of(ExpQuotient(by_depth(x)), {.width = deep->width, .depth = deep->depth}, names, {}, answer);
    answer.assume(names.limit + " as " + deep->width + " and " + deep->depth + " go to infinity with " + deep->depth +
                  "/" + deep->width + " = b");
}

}  // namespace isserlis::quantity
