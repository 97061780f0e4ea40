// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/report/tidy.hpp>

#include "quantity/observable_check.hpp"
#include "quantity/wired/node_step.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

/// Means over the neurons of a node: E z^2, the parts of E (Delta z)^2, and E z Delta z. Terms odd in the targets are 0.
struct StepMeans {
    Surd square;
    Surd a;  ///< of Delta z = - K f, K the kernel between the node and the outputs f
    Surd b;  ///< of Delta z = K y
    Surd covariance;

    [[nodiscard]] Surd change_square() const { return a + b; }
    [[nodiscard]] Surd updated_square() const { return square + Surd(2) * covariance + change_square(); }
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
    auto const nodes = listed_nodes(model.graph(), session, answer);
    if (session.samples) monte_carlo::require_no_ties(sampling_graph(model).flat_graph());
    answer.expect(6 * nodes.size());
    answer.assume("E (Delta z_i)^2 = change_a + change_b, the parts of the outputs and of the targets");
    std::vector<StepMeans> means;
    std::vector<AskedMean> asked;
    for (auto const& node : nodes) {
        NodeQueries const of("z{" + node.name + "}");
        auto const mean = [&](std::string const& query) { return Surd(exact_mean(query, model) / node.width); };
        means.push_back(
            {.square = mean(of.square), .a = mean(of.a), .b = mean(of.b), .covariance = mean(of.covariance)});
        auto const ask = [&](std::string const& query, Surd const& exact) {
            asked.push_back(
                {.query = query, .exact = to_double(Surd(exact * node.width)), .factor = Surd(1) / node.width});
        };
        auto const& x = means.back();
        ask(of.square, x.square);
        ask(of.change_square, x.change_square());
        ask(of.a, x.a);
        ask(of.b, x.b);
        ask(of.covariance, x.covariance);
        ask(of.updated_square, x.updated_square());
    }
    auto const checks = observable_checks(asked, model, session, answer);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        std::vector<std::string> const index{nodes[k].name, width ? to_string(*width) : to_string(nodes[k].width)};
        auto const& x = means[k];
        auto const check = [&](std::size_t part) { return checks[6 * k + part]; };
        auto const add_root = [&](char const* name, Surd const& square, std::size_t part) {
            Value const value = root(square, "a root of the second moment");
            answer.add(name, index, value, of_root(check(part), value.to_double()));
        };
        add_root("preactivation_rms", x.square, 0);
        add_root("change_rms", x.change_square(), 1);
        answer.add("change_a", index, x.a, check(2));
        answer.add("change_b", index, x.b, check(3));
        answer.add("change_covariance", index, x.covariance, check(4));
        add_root("updated_rms", x.updated_square(), 5);
    }
}

}  // namespace isserlis::quantity
