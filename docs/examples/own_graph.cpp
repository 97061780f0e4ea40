// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/strand/expectation.hpp>

#include <iostream>

using namespace isserlis;
using Formula = RationalFunction;
using Edge = GraphEdge<Formula>;

// A graph of one's own: x of n neurons, a = relu(W x), b = x + V a, z = U b, with variances 2/n, v/n and 1/n.
Graph<Formula, std::uint64_t> branch() {
    Formula const n = Formula::symbol("n");
    GraphStage<Formula, std::uint64_t> stage;
    stage.numbered = false;  // the nodes' names are whole
    stage.nodes = {relu_node(n, "a"), linear_node(n, "b"), linear_node(Formula(1), "z")};
    stage.edges = {Edge{.name = "W", .from = 0, .to = 1, .variance = Formula(2) / n},  // 0 is the input
                   Edge{.name = "V", .from = 1, .to = 2, .variance = Formula::symbol("v") / n},
                   Edge{.name = "past", .from = 0, .to = 2, .kind = Edge::Kind::skip},
                   Edge{.name = "U", .from = 2, .to = 3, .variance = Formula(1) / n}};
    return {.input_name = "x", .input_width = n, .stages = {stage}};
}

int main() {
    auto graph = branch();
    ObservableSetting<Formula> setting;
    setting.inputs.squared_norm = Formula::symbol("n");
    for (char const* query : {"z[i]^2", "z[i;m]^2", "z[i;m]^2 where m in W"})
        std::cout << query << ": " << to_string(expectation(parse_query(query), graph, setting)) << '\n';

    graph.stages[0].edges[2].to = 3;  // past b: the output has 1 neuron, x has n
    try {
        (void)expectation(parse_query("z[i]^2"), graph, setting);
    } catch (Error const& e) {
        std::cout << e.what() << '\n';
    }
}
