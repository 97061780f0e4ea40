// SPDX-License-Identifier: MIT
#include "layers.hpp"

#include <isserlis/ring/parse.hpp>
#include <set>

namespace isserlis::cli {
namespace {

using NumericRuns = std::vector<LayerRun<Surd, std::uint64_t>>;
using SymbolicRuns = std::vector<LayerRun<RationalFunction, Exponent>>;

[[noreturn]] void no_such_layer(std::string const& layer, std::string const& depth) {
    throw DomainError("--layer " + layer + ": there is no such layer; they are 1 .. " + depth, "--layer");
}

/// A name for "any layer" that the network does not use itself.
std::string generic_name(SymbolicRuns const& layers) {
    std::set<std::string> used;
    for (auto const& run : layers) {
        for (auto const& name : run.fan_in.symbols()) used.insert(name);
        for (auto const& name : run.fan_out.symbols()) used.insert(name);
        for (auto const& [name, c] : run.count.symbols()) used.insert(name);
    }
    std::string name = "l";
    while (used.count(name) != 0) name += "_";
    return name;
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
    Integer const wanted = only ? parse_integer(*only, "--layer") : Integer(0);
    std::uint64_t below = 0;
    for (std::size_t r = 0; r < layers.size(); ++r) {
        std::uint64_t const count = layers[r].count;
        if (only) {
            if (wanted > below && wanted <= below + count) {
                return {{.label = *only, .run = r, .within = checked_count(Integer(wanted - below))}};
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
    std::string const generic = generic_name(layers);
    std::optional<Exponent> wanted;
    if (only && *only != generic) wanted = as_exponent(parse_rational_function(*only, "--layer"));
    for (std::size_t r = 0; r < layers.size(); ++r) {
        Exponent const& count = layers[r].count;
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
            out.push_back({.label = generic, .run = r, .within = Exponent::symbol(generic) - below});
            answer.warn(generic + " stands for any layer from " + to_string(below + Exponent(1)) + " to " +
                        to_string(below + count));
            if (only) return out;
        } else if (below.is_constant() && wanted->is_constant() && wanted->constant() > below.constant() &&
                   is_integer(wanted->constant())) {
            answer.assume("layer " + *only + " exists: " + to_string(below + count) + " >= " + *only);
            return {{.label = *only, .run = r, .within = *wanted - below}};
        } else if (*wanted == below + count) {
            return {{.label = to_string(*wanted), .run = r, .within = count}};
        }
        below = below + count;
    }
    if (only) no_such_layer(*only, to_string(below));
    return out;
}

}  // namespace isserlis::cli
