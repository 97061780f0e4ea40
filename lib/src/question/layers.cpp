// SPDX-License-Identifier: MIT
#include "question/layers.hpp"

#include "question/readers.hpp"

#include <algorithm>
#include <isserlis/network/widths.hpp>
#include <isserlis/ring/parse.hpp>
#include <set>

namespace isserlis::quantity {
namespace {

using NumericRuns = std::vector<LayerRun<Surd, std::uint64_t>>;
using SymbolicRuns = std::vector<LayerRun<RationalFunction, Exponent>>;

[[noreturn]] void no_such_layer(std::string const& layer, std::string const& depth) {
    throw DomainError("`layer` " + layer + ": there is no such layer; they are 1 .. " + depth, "layer");
}

/// The layer that is named, as a linear form. Formulas have its number in exponents of 64 bits.
Exponent named_layer(std::string const& text) {
    static Rational const most{power(Integer(10), 18)};
    Exponent const out = as_exponent(parse_rational_function(text, "layer"));
    if (abs(out.constant()) > most)
        throw UnsupportedError("`layer`: '" + printable(text) + "'; numbers of layers up to 10^18 are served", "layer");
    return out;
}

/// Names for "any layer of this stretch" that the network does not use itself: l, then l2, l3, .. Where there is one
/// stretch, it is called by any other letter too.
std::vector<std::string> generic_names(SymbolicRuns const& layers, std::optional<std::string> const& only) {
    std::set<std::string> used;
    for (auto const& run : layers) {
        for (auto const& name : run.fan_in.symbols()) used.insert(name);
        for (auto const& name : run.fan_out.symbols()) used.insert(name);
        for (auto const& [name, c] : run.count.symbols()) used.insert(name);
    }
    auto const stretches =
        std::count_if(layers.begin(), layers.end(), [](auto const& run) { return !run.count.is_constant(); });
    bool const is_letter = only && only->size() == 1 && is_identifier(*only);
    if (is_letter && stretches == 1 && used.count(*only) == 0) return {*only};
    std::vector<std::string> out;
    for (int next = 1; out.size() < layers.size(); ++next) {
        std::string name = next == 1 ? "l" : "l" + std::to_string(next);
        if (used.count(name) == 0) out.push_back(std::move(name));
    }
    return out;
}

/// From which depth on a stretch of `count` layers has one of this number, below its last one where that is the output.
void declare_depth_for(Exponent const& number, Exponent const& count, bool is_last, Answer& answer) {
    if (count.symbols().size() != 1 || count.symbols().front().second != Rational(1)) return;
    Exponent const least = number - Exponent(count.constant()) + Exponent(is_last ? 1 : 0);
    answer.declare({.symbol = count.symbols().front().first, .least = to_string(least)}, SymbolRole::depth);
}

}  // namespace

std::string depth_text(NumericRuns const& layers) {
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    return std::to_string(depth);
}

std::string depth_text(SymbolicRuns const& layers) {
    Exponent depth;
    for (auto const& run : layers) depth = depth + run.count;
    return to_string(depth);
}

std::vector<LayerPlace<std::uint64_t>> layer_places(NumericRuns const& layers, std::optional<std::string> const& only,
                                                    Answer&) {
    std::vector<LayerPlace<std::uint64_t>> out;
    std::uint64_t below = 0;
    if (only) require_layer_number(*only, depth_text(layers));
    Integer const wanted = only ? parse_integer(*only, "layer") : Integer(0);
    for (std::size_t r = 0; r < layers.size(); ++r) {
        std::uint64_t const count = layers[r].count;
        if (only) {
            if (wanted > below && wanted <= below + count) {
                return {{.label = to_string(wanted), .run = r, .within = checked_count(Integer(wanted - below))}};
            }
        } else {
            for (std::uint64_t k = 1; k <= count; ++k)
                out.push_back({.label = std::to_string(below + k), .run = r, .within = k});
        }
        below += count;
    }
    if (only) no_such_layer(*only, std::to_string(below));
    return out;
}

std::vector<LayerPlace<Exponent>> layer_places(SymbolicRuns const& layers, std::optional<std::string> const& only,
                                               Answer& answer) {
    std::vector<LayerPlace<Exponent>> out;
    Exponent below;
    auto const names = generic_names(layers, only);
    std::size_t stretches = 0;
    std::optional<Exponent> wanted;
    if (only && std::find(names.begin(), names.end(), *only) == names.end()) wanted = named_layer(*only);
    for (std::size_t r = 0; r < layers.size(); ++r) {
        Exponent const& count = layers[r].count;
        std::string const generic = count.is_constant() ? "" : names[stretches++];
        if (count.is_constant()) {
            auto const size = checked_count(numerator_of(count.constant()));
            for (std::uint64_t k = 1; k <= size; ++k) {
                Exponent const within{Rational(Integer(k))};
                Exponent const label = below + within;
                if (only && !(wanted && label == *wanted)) continue;
                out.push_back({.label = to_string(label), .run = r, .within = within});
                if (only) return out;
            }
        } else if (!only || *only == generic) {
            out.push_back({.label = generic, .run = r, .within = Exponent::symbol(generic) - below, .is_any = true});
            answer.declare(
                {.symbol = generic, .least = to_string(below + Exponent(1)), .most = to_string(below + count)},
                SymbolRole::layer);
            if (only) return out;
        } else if (wanted && below.is_constant() && wanted->is_constant() && wanted->constant() > below.constant() &&
                   is_integer(wanted->constant())) {
            declare_depth_for(*wanted - below, count, r + 1 == layers.size(), answer);
            return {{.label = to_string(*wanted), .run = r, .within = *wanted - below}};
        } else if (wanted && *wanted == below + count) {
            return {{.label = to_string(*wanted), .run = r, .within = count}};
        }
        below = below + count;
    }
    if (only) no_such_layer(*only, to_string(below));
    return out;
}

}  // namespace isserlis::quantity
