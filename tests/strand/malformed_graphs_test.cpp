// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <functional>
#include <limits>
#include <string>

#include "graphs.hpp"

// A graph of one's own may have any mistake in it: no number comes out of one.

namespace {

using namespace graphs;
using F = RationalFunction;
using FormulaNet = Graph<F, std::uint64_t>;

/// x of n neurons, a = relu(W x), b = x + V a, out = U b.
template <class R>
Graph<R, std::uint64_t> branch(R const& n) {
    GraphStage<R, std::uint64_t> stage;
    stage.nodes = {relu_node(n, "a"), linear_node(n, "b"), linear_node(R(1), "out")};
    stage.edges = {weight<R>("W", 0, 1, R(2) / n), weight<R>("V", 1, 2, R(1) / n), skip<R>("past", 0, 2),
                   weight<R>("U", 2, 3, R(1) / n)};
    stage.numbered = false;
    return {.input_name = "x", .input_width = n, .stages = {stage}};
}

template <class R>
R second_moment(Graph<R, std::uint64_t> const& graph) {
    ObservableSetting<R> setting;
    setting.inputs.squared_norm = R(1);
    return expectation(parse_query("z[i]^2"), graph, setting);
}

std::string refusal(std::function<void(FormulaNet&)> const& spoil) {
    FormulaNet graph = branch(F::symbol("n"));
    spoil(graph);
    try {
        return "no refusal, but " + to_string(second_moment(graph));
    } catch (DomainError const& e) {
        return e.what();
    }
}

void refuses(std::string const& part, std::function<void(FormulaNet&)> const& spoil) {
    std::string const text = refusal(spoil);
    CAPTURE(text);
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_SUITE("strand/malformed_graphs") {
    // E z^2 = (|x|^2 + E|V a|^2)/n = (1 + 1)/n: a He layer keeps |x|^2 = 1, and so does V with variance 1/n.
    TEST_CASE("a graph of one's own without mistakes is served") {
        CHECK(second_moment(branch(F::symbol("n"))) == F(2) / F::symbol("n"));
        CHECK(second_moment(branch(Rational(4))) == ratio(1, 2));
    }

    TEST_CASE("edges that lead nowhere, downwards or between unequal widths") {
        refuses("edge 'U' leads to no node", [](auto& g) { g.stages[0].edges[3].to = 4; });
        refuses("edge 'U' leads to no node", [](auto& g) { g.stages[0].edges[3].to = 0; });
        refuses("edge 'U' leads to a node that is listed before", [](auto& g) { g.stages[0].edges[3].from = 3; });
        refuses("edge 'past' skips between nodes of different widths", [](auto& g) { g.stages[0].edges[2].to = 3; });
        refuses("edge 'past' skips into the gated node 'a'", [](auto& g) { g.stages[0].edges[2].to = 1; });
        refuses("node 'out' has no edge", [](auto& g) { g.stages[0].edges.pop_back(); });
    }

    TEST_CASE("variances, kurtoses and widths that no network has") {
        refuses("edge 'W' has the variance -1;", [](auto& g) { g.stages[0].edges[0].variance = F(-1); });
        refuses("edge 'W' has the variance -n;", [](auto& g) { g.stages[0].edges[0].variance = -F::symbol("n"); });
        refuses("edge 'W' has the kurtosis 1/2;", [](auto& g) {
            g.stages[0].edges[0].law = {.kind = LawKind::kurtosis, .kurtosis_value = F(ratio(1, 2))};
        });
        refuses("node 'out' has the width 1/2;", [](auto& g) { g.stages[0].nodes[2].width = F(ratio(1, 2)); });
        refuses("the input has the width 0;", [](auto& g) { g.input_width = F(0); });
    }

    TEST_CASE("names that are not unique, stages that are empty") {
        refuses("two nodes called 'a'", [](auto& g) { g.stages[0].nodes[1].name = "a"; });
        refuses("two nodes called 'x'", [](auto& g) { g.stages[0].nodes[1].name = "x"; });
        refuses("there are no stages", [](auto& g) { g.stages.clear(); });
        refuses("a stage has no nodes", [](auto& g) { g.stages[0].nodes.clear(); });
        refuses("a stage occurs 0 times", [](auto& g) { g.stages[0].count = 0; });
        refuses("is not numbered occurs several times", [](auto& g) { g.stages[0].count = 2; });
        Net chain = vanilla<Rational>({2, 3, 2});
        chain.stages[1].first = 1;
        CHECK_THROWS_WITH_AS((void)second_moment(chain), doctest::Contains("two stages have the number 1"),
                             DomainError);
    }

    TEST_CASE("a repeated stage has to fit on itself") {
        Net graph = residual<Rational>(3, std::uint64_t{2}, 2, 1, 1);
        CHECK_NOTHROW((void)second_moment(graph));
        graph.input_width = 2;
        CHECK_THROWS_AS((void)second_moment(graph), DomainError);
    }

    TEST_CASE("a concatenation is as wide as its parts") {
        Net graph = concatenated(2, {3}, 1);
        CHECK_NOTHROW((void)second_moment(graph));
        for (auto& node : graph.stages[0].nodes) {
            if (node.kind == GraphNode<Rational>::Kind::concatenation) node.width = 6;
        }
        CHECK_THROWS_WITH_AS((void)second_moment(graph), doctest::Contains("its parts together 5"), DomainError);
    }

    // E relu(z)^2 = E z^2/2: a forgotten slope must not make a linear layer.
    TEST_CASE("a gate whose slope is not given is ReLU") {
        GraphNode<Rational> hidden{.name = "a", .width = Rational(1)};
        hidden.gate.emplace();
        Net graph{.input_name = "x", .input_width = 1, .stages = {{}}};
        graph.stages[0].nodes = {hidden};
        graph.stages[0].edges = {weight<Rational>("W", 0, 1, 1)};
        graph.stages[0].numbered = false;
        ObservableSetting<Rational> setting;
        setting.inputs.squared_norm = Rational(1);
        CHECK(expectation(parse_query("h[i]^2"), graph, setting) == ratio(1, 2));
        graph.stages[0].nodes[0].gate->positive = 3;  // (9 + 0)/2
        CHECK(expectation(parse_query("h[i]^2"), graph, setting) == ratio(9, 2));
    }

    TEST_CASE("inputs that do not fit, moments below 0") {
        Net const graph = branch(Rational(2));
        auto const value = [&](ObservableSetting<Rational> const& setting) {
            return expectation(parse_query("z[i]^2"), graph, setting);
        };
        ObservableSetting<Rational> setting;
        setting.inputs.vectors = {{1, 0, 1}};
        CHECK_THROWS_WITH_AS((void)value(setting), doctest::Contains("3 coordinates for an input width of 2"),
                             DomainError);
        setting.inputs.vectors = {};
        setting.inputs.squared_norm = Rational(-1);
        CHECK_THROWS_WITH_AS((void)value(setting), doctest::Contains("squared_norm = -1"), DomainError);
    }

    TEST_CASE("doubles: widths beyond machine integers are read whole, others refused") {
        auto graph = vanilla<double>({1e30, 1, 1});
        ObservableSetting<double> setting;
        setting.inputs.squared_norm = 1e30;
        // Neuron 1 exists: E z_1^2 = (2/1e30) |x|^2 of the first layer, kept by half a gate of variance 2.
        CHECK(expectation(parse_query("z{1}[1]^2"), graph, setting) == doctest::Approx(2));
        for (double const bad :
             {0.5, -1.0, 0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            graph.input_width = bad;
            CHECK_THROWS_AS((void)expectation(parse_query("z[i]^2"), graph, setting), DomainError);
        }
    }
}
