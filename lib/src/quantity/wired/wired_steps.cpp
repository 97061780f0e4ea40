// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/report/tidy.hpp>

#include "quantity/derived_check.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/wired/node_step.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

/// Means over the neurons of a node: E z^2, E (Delta z)^2 and its parts, and E z Delta z.
struct StepMeans {
    Surd square;
    Surd a;              ///< of Delta z = - K f, K the kernel between the node and the outputs f
    Surd b;              ///< of Delta z = K y
    Surd change_square;  ///< a + b where terms odd in the targets are 0
    Surd covariance;

    [[nodiscard]] Surd updated_square() const { return square + Surd(2) * covariance + change_square; }
};

/// The check of a root, of a mean whose square was sampled: half its relative error.
std::optional<Check> of_root(std::optional<Check> const& square, double exact) {
    if (!square) return std::nullopt;
    double const root = std::sqrt(std::max(0.0, square->mean));
    return compare_sampled(exact, root, root == 0 ? 0 : square->std_error / (2 * root), square->samples);
}

constexpr char const* output_change = "-z[1;m] D[m] loss";

std::string name_of_output(NumericModel const& model) {
    return flattened(model.graph()).stages.front().nodes.back().name;
}

bool has_output_matrix(Graph<Surd, std::uint64_t> const& graph) {
    auto const& last = graph.stages.back();
    return std::all_of(last.edges.begin(), last.edges.end(), [&](auto const& e) {
        return e.to != last.nodes.size() || e.kind == GraphEdge<Surd>::Kind::weight;
    });
}

}  // namespace

void add_wired_steps(NumericModel const& model, std::optional<Surd> const& target_mean,
                     std::optional<Integer> const& width, Session const& session, Answer& answer) {
    constexpr std::size_t queries = 6;  // of a node
    auto const nodes = listed_nodes(model.graph(), session, answer);
    if (session.samples) monte_carlo::require_no_ties(sampling_graph(model).flat_graph());
    answer.expect(queries * nodes.size());
    answer.assume(
        target_mean ? "change_a and change_b are the parts of E (Delta z_i)^2 of the outputs and of the targets; where "
                      "the outputs have no matrix of their own, a mean product of both is in it too"
                    : "E (Delta z_i)^2 = change_a + change_b, the parts of the outputs and of the targets");
    Surd const of_targets = target_mean.value_or(Surd(0));
    std::vector<StepMeans> means;
    std::vector<AskedMean> asked;
    for (auto const& node : nodes) {
        NodeQueries const of("z{" + node.name + "}");
        auto const mean = [&](std::string const& query) {
            return Surd(exact_mean(query, model, of_targets) / node.width);
        };
        Surd const a = mean(of.a);
        Surd const b = mean(of.b);
        means.push_back({.square = mean(of.square),
                         .a = a,
                         .b = b,
                         .change_square = target_mean ? mean(of.change_square) : Surd(a + b),
                         .covariance = mean(of.covariance)});
        auto const ask = [&](std::string const& query, Surd const& exact) {
            asked.push_back(
                {.query = query, .exact = to_double(Surd(exact * node.width)), .factor = Surd(1) / node.width});
        };
        auto const& x = means.back();
        ask(of.square, x.square);
        ask(of.change_square, x.change_square);
        ask(of.a, x.a);
        ask(of.b, x.b);
        ask(of.covariance, x.covariance);
        ask(of.updated_square, x.updated_square());
    }
    // Outputs behind a matrix of their own are alike, and their mean change is that of the first one.
    std::size_t output_at = nodes.size();
    Surd change(0);
    if (target_mean && has_output_matrix(model.graph())) {
        auto const is_output = [&](auto const& node) { return node.name == name_of_output(model); };
        output_at = static_cast<std::size_t>(std::find_if(nodes.begin(), nodes.end(), is_output) - nodes.begin());
    }
    if (output_at < nodes.size()) {
        change = exact_mean(output_change, model, of_targets);
        asked.push_back({.query = output_change, .exact = to_double(change)});
    }
    auto const checks = observable_checks(asked, model, session, answer, of_targets);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        std::vector<std::string> const index{nodes[k].name, width ? to_string(*width) : to_string(nodes[k].width)};
        auto const& x = means[k];
        auto const check = [&](std::size_t part) { return checks[queries * k + part]; };
        auto const root_check = [&](Value const& value, std::size_t part) {
            return of_root(check(part), value.to_double());
        };
        auto const root_of_square = [](Surd const& square) { return root(square, "a root of the second moment"); };
        auto const add_root = [&](char const* name, Surd const& square, std::size_t part) {
            Value const value = root_of_square(square);
            answer.add(name, index, value, root_check(value, part));
        };
        add_root("preactivation_rms", x.square, 0);
        if (k == output_at) answer.add("change_mean", index, change, checks.empty() ? std::nullopt : checks.back());
        add_root("change_rms", x.change_square, 1);
        answer.add("change_a", index, x.a, check(2));
        answer.add("change_b", index, x.b, check(3));
        answer.add("change_covariance", index, x.covariance, check(4));
        Value const updated = root_of_square(x.updated_square());
        answer.add("updated_rms", index, updated,
                   derived_check(root_check(updated, 5), root_check(root_of_square(x.change_square), 1)));
    }
}

}  // namespace isserlis::quantity
