// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/report/tidy.hpp>

#include "quantity/observable_check.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

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
    auto const nodes = listed_nodes(model.graph(), session, answer);
    answer.expect(4 * nodes.size());
    std::vector<Surd> means;
    std::vector<AskedMean> asked;
    for (auto const& node : nodes) {
        std::string const z = "z{" + node.name + "}";
        std::string const change = z + "[i;m] D[m] loss";
        Surd const one_neuron = Surd(1) / node.width;
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
        std::vector<std::string> const index{nodes[k].name, width ? to_string(*width) : to_string(nodes[k].width)};
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
