// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/graph_step_sampler.hpp>
#include <isserlis/network/zoo.hpp>

#include <cmath>

using isserlis::StepRule;
using isserlis::monte_carlo::GraphModel;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::sample_first_steps;
using isserlis::monte_carlo::sample_graph_first_steps;
using isserlis::monte_carlo::sample_graph_whole_steps;
using isserlis::monte_carlo::sample_whole_steps;

namespace {

NetworkModel chain() {
    NetworkModel out;
    out.variances = {0.6, 0.3, 0.5};
    out.widths = {2, 5, 4, 3};
    out.laws.resize(out.variances.size());
    out.input = {3, -1};
    return out;
}

GraphModel graph_of(NetworkModel const& model, std::vector<double> const& rates) {
    isserlis::FullyConnected<double, std::uint64_t> net;
    for (std::size_t l = 0; l < model.depth(); ++l)
        net.layers.push_back({.fan_in = static_cast<double>(model.widths[l]),
                              .fan_out = static_cast<double>(model.widths[l + 1]),
                              .count = 1,
                              .variance = model.variances[l],
                              .label_factor = rates[l]});
    return {.graph = isserlis::chain_graph(net)};
}

}  // namespace

TEST_SUITE("monte_carlo/graph_step_sampler") {
    // The same weights, gradients by another engine.
    TEST_CASE("on a chain the steps are those of the other sampler") {
        std::vector<double> const rates{0.1, 0.2, 0.3};
        for (auto const rule : {StepRule::descent, StepRule::sign, StepRule::normalised, StepRule::orthogonal}) {
            auto const there = sample_first_steps(chain(), rule, rates, 2, 300, 4);
            auto const here = sample_graph_first_steps(graph_of(chain(), rates), chain().input, rule, 2, 300, 4);
            REQUIRE(here.size() == there.size());
            for (std::size_t l = 0; l < here.size(); ++l) {
                CHECK(here[l].square.mean == doctest::Approx(there[l].square.mean));
                CHECK(here[l].own_square.mean == doctest::Approx(there[l].own_square.mean));
                CHECK(here[l].change_square.mean == doctest::Approx(there[l].change_square.mean));
                CHECK(here[l].change_absolute.mean == doctest::Approx(there[l].change_absolute.mean));
                CHECK(here[l].change_square.std_error == doctest::Approx(there[l].change_square.std_error));
            }
        }
    }

    TEST_CASE("so are whole steps") {
        std::vector<double> const rates{0.01, 0.02, 0.03};
        for (auto const rule : {StepRule::descent, StepRule::sign, StepRule::normalised, StepRule::orthogonal}) {
            auto const there = sample_whole_steps(chain(), rule, rates, 2, 3, 100, 4);
            auto const here = sample_graph_whole_steps(graph_of(chain(), rates), chain().input, rule, 2, 3, 100, 4);
            REQUIRE(here.size() == 3);
            for (std::size_t t = 0; t < here.size(); ++t) {
                REQUIRE(here[t].size() == there[t].size());
                for (std::size_t l = 0; l < here[t].size(); ++l) {
                    CHECK(here[t][l].change_square.mean == doctest::Approx(there[t][l].change_square.mean));
                    CHECK(here[t][l].change_absolute.mean == doctest::Approx(there[t][l].change_absolute.mean));
                    CHECK(here[t][l].updated_square.mean == doctest::Approx(there[t][l].updated_square.mean));
                    CHECK(here[t][l].updated_absolute.mean == doctest::Approx(there[t][l].updated_absolute.mean));
                }
            }
        }
        CHECK_THROWS_AS(
            (void)sample_graph_whole_steps(graph_of(chain(), rates), chain().input, StepRule::descent, 2, 0, 10, 4),
            isserlis::DomainError);
    }

    // z = x + m w x, y a sign: r = z - y shrinks by 1 - rate m^2 x^2 in each step, whatever w is.
    TEST_CASE("a skip and a multiplier beside the weights") {
        isserlis::Graph<double, std::uint64_t> graph = isserlis::residual_graph<double, std::uint64_t>(
            1, {.kind = isserlis::ActivationKind::linear, .slope = 1}, {{{{.width = 1, .variance = 1}}, 1}});
        auto& edge = graph.stages.front().edges.front();
        edge.multiplier = 0.5;
        edge.label_factor = 0.1;
        auto const steps = sample_graph_whole_steps({.graph = graph}, {2}, StepRule::descent, 1, 3, 50, 1);
        double const left = 1 - 0.1 * 0.25 * 4;
        double const one = steps[0][0].change_square.mean / ((1 - left) * (1 - left));
        for (int t : {1, 2}) {
            double const share = 1 - std::pow(left, t + 1);
            CHECK(steps[static_cast<std::size_t>(t)][0].change_square.mean == doctest::Approx(one * share * share));
        }
    }

    TEST_CASE("biases, a gated output and floats are refused") {
        auto model = graph_of(chain(), {1, 1, 1});
        auto floats = model;
        floats.precision = isserlis::monte_carlo::Precision::float32;
        CHECK_THROWS_AS((void)sample_graph_first_steps(floats, chain().input, StepRule::sign, 1, 2, 1),
                        isserlis::UnsupportedError);
        auto biased = model;
        biased.graph.stages.back().nodes.back().bias = isserlis::Bias<double>{.variance = 1};
        CHECK_THROWS_AS((void)sample_graph_first_steps(biased, chain().input, StepRule::sign, 1, 2, 1),
                        isserlis::UnsupportedError);
        model.graph.stages.back().nodes.back().gate = isserlis::Gate<double>{};
        CHECK_THROWS_AS((void)sample_graph_first_steps(model, chain().input, StepRule::sign, 1, 2, 1),
                        isserlis::UnsupportedError);
    }
}
