// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>

#include "../mlp/graphs.hpp"

namespace {

using graphs::chain;
using isserlis::ActivationKind;
using isserlis::LawKind;
using isserlis::mlp::GraphLayout;
using isserlis::monte_carlo::draw_weights;
using isserlis::monte_carlo::gates_can_tie;
using isserlis::monte_carlo::GraphModel;
using isserlis::monte_carlo::require_decided_ties;
using isserlis::monte_carlo::TieRule;

}  // namespace

TEST_SUITE("monte_carlo/graph_model") {
    TEST_CASE("a chain has the weights of draw_network, of every law and both sides") {
        for (auto const activation : {ActivationKind::relu, ActivationKind::crelu, ActivationKind::crelu_tied})
            for (auto const law : {LawKind::gaussian, LawKind::uniform, LawKind::rademacher, LawKind::laplace}) {
                auto graph = chain({3, 5, 2}, activation);
                for (auto& edge : graph.stages[0].edges) edge.law.kind = law;
                isserlis::monte_carlo::NetworkModel const model{.widths = {3, 5, 2},
                                                                .activation = {.kind = activation},
                                                                .laws = {{.kind = law}, {.kind = law}},
                                                                .variances = {2.0 / 3, 2.0 / 5},
                                                                .input = {1, 1, 1}};
                GraphLayout const layout(graph);
                std::vector<double> weights;
                draw_weights(graph, layout, 7, 11, weights);
                auto const net = isserlis::monte_carlo::draw_network<double>(model, 7, 11);
                std::vector<double> expected;
                for (auto const& layer : net.layers)
                    for (auto const* side : {&layer.weights, &layer.negative})
                        expected.insert(expected.end(), side->data(), side->data() + side->size());
                CHECK(weights == expected);
            }
    }

    TEST_CASE("every edge has its own variance") {
        auto graph = graphs::dense(3);
        graph.stages[0].edges[0].variance = 4;
        graph.stages[0].edges[6].variance = 0;
        GraphLayout const layout(graph);
        std::vector<double> weights;
        double sum = 0;
        constexpr int samples = 10'000;
        for (std::uint64_t i = 0; i < samples; ++i) {
            draw_weights(graph, layout, 1, i, weights);
            for (std::size_t w = 0; w < 6; ++w) sum += weights[w] * weights[w];
            CHECK(weights.back() == 0);
        }
        // Var w^2 = 2 * 16 over 60,000 weights.
        CHECK(std::abs(sum / (6 * samples) - 4) < 5 * std::sqrt(32.0 / (6 * samples)));
    }

    TEST_CASE("a gate that can tie is named, unless coins decide") {
        auto graph = chain({2, 3, 1});
        CHECK_FALSE(gates_can_tie(graph));
        graph.stages[0].edges[1].law.kind = LawKind::rademacher;
        CHECK_FALSE(gates_can_tie(graph));  // the head has no gate
        CHECK_NOTHROW(require_decided_ties(graph, TieRule::refuse));
        graph.stages[0].edges[0].law = {.kind = LawKind::kurtosis, .kurtosis_value = 1};
        CHECK(gates_can_tie(graph));
        CHECK_THROWS_AS(require_decided_ties(graph, TieRule::refuse), isserlis::UnsupportedError);
        CHECK_NOTHROW(require_decided_ties(graph, TieRule::fair_coin));
    }

    TEST_CASE("repeats are written out; numbers that are none are refused") {
        GraphModel model{.graph = graphs::residual(2, 3)};
        CHECK(model.flat_graph().stages.front().nodes.size() == 6);
        model.graph.stages[0].count = 1'000'000'000;
        CHECK_THROWS_AS((void)model.flat_graph(), isserlis::UnsupportedError);
        model.graph = chain({2, 1});
        model.graph.stages[0].edges[0].variance = -1;
        CHECK_THROWS_AS((void)model.flat_graph(), isserlis::DomainError);
        model.graph.stages[0].edges[0].variance = INFINITY;
        CHECK_THROWS_AS((void)model.flat_graph(), isserlis::DomainError);
        model.graph.stages[0].edges[0].variance = 1;
        model.graph.stages[0].edges[0].law = {.kind = LawKind::kurtosis, .kurtosis_value = 0.5};
        CHECK_THROWS_AS((void)model.flat_graph(), isserlis::DomainError);
    }
}
