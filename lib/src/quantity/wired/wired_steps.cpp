// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/report/tidy.hpp>

#include "quantity/observable_check.hpp"
#include "quantity/wired/wired.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_listed_nodes = 40;  ///< each is an expectation of six strands
constexpr std::uint64_t most_nodes = 100'000;

/// A node with weights, and how an observable names its outputs.
struct WiredNode {
    std::string name;
    Integer width;
};

std::vector<WiredNode> nodes_of(Graph<Surd, std::uint64_t> const& graph) {
    std::vector<WiredNode> out;
    for (auto const& block : graph.blocks) {
        if (out.size() + block.count * block.nodes.size() > most_nodes)
            throw UnsupportedError("`network`: more than " + std::to_string(most_nodes) +
                                       " nodes; a coordinate check goes from one to the next",
                                   "network");
        for (std::uint64_t copy = 0; copy < block.count; ++copy) {
            for (auto const& node : block.nodes) {
                if (node.kind == GraphNode<Surd>::Kind::concatenation) continue;
                out.push_back({.name = (block.numbered ? std::to_string(block.first + copy) : "") + node.name,
                               .width = numerator_of(node.width.to_rational())});
            }
        }
    }
    return out;
}

/// Those that are printed: the one of `layer`, all, or of many the last three.
std::vector<WiredNode> listed_nodes(std::vector<WiredNode> all, Session const& session, Answer& answer) {
    if (session.layer) {
        for (auto const& node : all) {
            if (node.name == *session.layer) return {node};
        }
        throw DomainError("`layer` " + printable(*session.layer) + ": there is no such node; the first is '" +
                              printable(all.front().name) + "', the last '" + printable(all.back().name) + "'",
                          "layer");
    }
    if (all.size() <= most_listed_nodes) return all;
    answer.warn("of " + std::to_string(all.size()) +
                " nodes only the last three are printed; `layer` NAME prints another one");
    all.erase(all.begin(), all.end() - 3);
    return all;
}

/// Means over the neurons of a node: E z^2, E (Delta z)^2 and E z Delta z.
struct StepMeans {
    AskedMean square;
    AskedMean change_square;
    AskedMean covariance;
};

/// The check of a root, of a mean whose square was sampled: half its relative error.
std::optional<Check> of_root(std::optional<Check> const& square, double exact) {
    if (!square) return std::nullopt;
    double const root = std::sqrt(std::max(0.0, square->mean));
    return compare_sampled(exact, root, root == 0 ? 0 : square->std_error / (2 * root), square->samples);
}

}  // namespace

void add_wired_steps(NumericModel const& model, std::optional<Integer> const& width, Session const& session,
                     Answer& answer) {
    auto const nodes = listed_nodes(nodes_of(model.graph()), session, answer);
    answer.expect(4 * nodes.size());
    std::vector<Surd> means;
    std::vector<AskedMean> asked;
    for (auto const& node : nodes) {
        std::string const z = "z{" + node.name + "}";
        std::string const change = z + "[i;m] D[m] loss";
        Surd const one_neuron(Rational(1) / Rational(node.width));
        std::vector<std::pair<std::string, Surd>> const queries{{z + "[i]^2", one_neuron},
                                                                {"(" + change + ")^2", one_neuron},
                                                                {"-" + z + "[i] " + change, one_neuron},
                                                                {"(" + z + "[i] - " + change + ")^2", one_neuron}};
        for (auto const& [query, factor] : queries) {
            Surd const mean = exact_mean(query, model);
            means.push_back(mean * factor);
            asked.push_back({.query = query, .exact = to_double(mean), .factor = factor});
        }
    }
    auto const checks = observable_checks(asked, model, session, answer);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        std::vector<std::string> const index{nodes[k].name, to_string(width.value_or(nodes[k].width))};
        auto const add_root = [&](char const* name, std::size_t part) {
            Value const value = root(means[4 * k + part], "a root of the second moment");
            answer.add(name, index, value, of_root(checks[4 * k + part], value.to_double()));
        };
        add_root("preactivation_rms", 0);
        add_root("change_rms", 1);
        answer.add("change_covariance", index, means[4 * k + 2], checks[4 * k + 2]);
        add_root("updated_rms", 3);
    }
}

}  // namespace isserlis::quantity
