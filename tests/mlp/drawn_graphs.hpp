// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/graph_network.hpp>
#include <random>
#include <string>
#include <vector>

#include "graphs.hpp"

// One small graph of every kind, and networks on them.
namespace graphs {

struct Case {
    std::string name;
    Graph graph;
};

inline std::vector<Case> cases() {
    auto untied = flattened(residual(2, 2));
    untied.sides = isserlis::WeightSides::independent;
    for (auto& node : untied.stages[0].nodes) node.gate.reset();
    return {{"relu", chain({3, 4, 3, 2})},
            {"relu, gated head", chain({3, 3, 3, 2}, ActivationKind::relu, 2, true)},
            {"leaky", chain({2, 3, 2, 2}, ActivationKind::leaky)},
            {"leaky, gated head", chain({2, 3, 2, 2}, ActivationKind::leaky, 2, true)},
            {"linear", chain({2, 3, 2, 2}, ActivationKind::linear)},
            {"crelu", chain({2, 3, 2, 1}, ActivationKind::crelu)},
            {"crelu-tied", chain({2, 3, 2, 1}, ActivationKind::crelu_tied)},
            {"residual", flattened(residual(3, 2))},
            {"residual crelu", untied},
            {"dense", dense(2)}};
}

struct Drawn {
    std::vector<double> weights;
    std::vector<double> x;
};

inline Drawn drawn(isserlis::mlp::GraphLayout const& layout, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Drawn out{.weights = std::vector<double>(layout.size()), .x = std::vector<double>(layout.nodes()[0].width)};
    for (double& w : out.weights) w = normal(random);
    for (double& x : out.x) x = normal(random);
    if (layout.tied())
        for (auto const& edge : layout.edges())
            for (std::size_t i = 0; i < layout.entries(edge); ++i)
                out.weights[edge.negative + i] = out.weights[edge.first + i];
    return out;
}

}  // namespace graphs
