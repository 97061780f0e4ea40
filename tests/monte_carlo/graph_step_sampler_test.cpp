// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/graph_step_sampler.hpp>
#include <isserlis/network/zoo.hpp>

using isserlis::StepRule;
using isserlis::monte_carlo::GraphModel;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::sample_first_steps;
using isserlis::monte_carlo::sample_graph_first_steps;

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

    TEST_CASE("biases and a gated output are refused") {
        auto model = graph_of(chain(), {1, 1, 1});
        auto biased = model;
        biased.graph.stages.back().nodes.back().bias = isserlis::Bias<double>{.variance = 1};
        CHECK_THROWS_AS((void)sample_graph_first_steps(biased, chain().input, StepRule::sign, 1, 2, 1),
                        isserlis::UnsupportedError);
        model.graph.stages.back().nodes.back().gate = isserlis::Gate<double>{};
        CHECK_THROWS_AS((void)sample_graph_first_steps(model, chain().input, StepRule::sign, 1, 2, 1),
                        isserlis::UnsupportedError);
    }
}
