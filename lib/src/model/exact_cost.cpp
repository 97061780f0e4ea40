// SPDX-License-Identifier: MIT
#include <isserlis/model/exact_cost.hpp>

#include <isserlis/error.hpp>

#include <cmath>
#include <map>

namespace isserlis {
namespace {

constexpr double most_bits = 2e7;      ///< six million digits: what ends in seconds
constexpr double degree_of_slope = 4;  ///< that one layer adds

/// A depth in symbols is one power.
double copies(Exponent const& count) { return count.is_constant() ? to_double(Surd(count.constant())) : 1; }

}  // namespace

void require_moderate_digits(Graph<Surd, std::uint64_t> const& graph) {
    double bits = 0;
    double layers = 0;
    for (auto const& stage : graph.stages) {
        double const count = static_cast<double>(stage.count);
        layers += count;
        for (auto const& node : stage.nodes) bits += count * std::log2(1 + to_double(node.width));
    }
    if (bits <= most_bits) return;
    throw UnsupportedError("`widths`: exact numbers of " + std::to_string(static_cast<std::uint64_t>(layers)) +
                               " layers of such widths have about " +
                               std::to_string(static_cast<std::uint64_t>(bits / 3.32e6)) +
                               " million digits, which take longer than minutes; up to " +
                               std::to_string(static_cast<std::uint64_t>(most_bits / 3.32e6)) +
                               " million are served, and a depth in symbols, such as n:L, has no limit",
                           "widths");
}

void require_moderate_formulas(Graph<RationalFunction, Exponent> const& graph, LayersAsked asked, double most) {
    std::map<std::string, double> degrees;
    double depth = 0;
    for (auto const& stage : graph.stages) {
        double const count = copies(stage.count);
        depth += count;
        auto const add = [&](RationalFunction const& x, double degree) {
            for (auto const& symbol : x.symbols()) degrees[symbol] += count * degree;
        };
        for (auto const& node : stage.nodes) {
            add(node.width, 1);
            if (node.gate) add(node.gate->negative, degree_of_slope);
            if (node.bias) add(node.bias->variance, 1);
        }
        for (auto const& edge : stage.edges) add(edge.variance, 1);
    }
    double monomials = 1;
    std::string names;
    for (auto const& [symbol, degree] : degrees) {
        monomials *= 1 + degree;
        names += (names.empty() ? "" : ", ") + symbol;
    }
    double const one = depth * monomials;
    if (one * static_cast<double>(asked.count) <= most) return;
    throw UnsupportedError("`widths`: formulas of " + std::to_string(static_cast<std::uint64_t>(depth)) +
                               " layers in " + names + " take longer than minutes here; give symbols `values`" +
                               (asked.one_is_cheaper && one <= most ? ", ask for one `layer`," : "") +
                               " or take fewer layers",
                           "widths");
}

}  // namespace isserlis
