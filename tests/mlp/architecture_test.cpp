// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/architecture.hpp>

#include "graphs.hpp"

namespace {

using namespace isserlis::mlp;
using isserlis::DomainError;

}  // namespace

TEST_SUITE("mlp/architecture") {
    // [Liquet 2024, eqs. (5.5) and (5.6)]: 4 inputs, one hidden layer of 5, 1 output: 31; 4, 4, 3, 5, 1: 61.
    TEST_CASE("31 and 61 parameters") {
        CHECK(perceptron({4, 5, 1}, {.kind = UnitKind::relu}).parameters() == 31);
        CHECK(perceptron({4, 4, 3, 5, 1}, {.kind = UnitKind::relu}).parameters() == 61);
    }

    // 1000 x 80 + 80 + 8 (6400 + 80) + 81 [Liquet 2024, Figure 5.5], whose printed 57,600 leaves out N p.
    TEST_CASE("132,001 parameters with L = 10, N = 80, p = 1000") {
        std::vector<std::size_t> widths(11, 80);
        widths.front() = 1000;
        widths.back() = 1;
        CHECK(perceptron(widths, {.kind = UnitKind::relu}).parameters() == 132001);
    }

    TEST_CASE("ranges cover all parameters, in order and without a gap") {
        auto const plain = perceptron({3, 4, 2}, {.kind = UnitKind::prelu, .slope = 0.25});
        auto traits = plain.traits();
        traits[1].batch_norm = true;
        Architecture const net(plain.wiring(), traits);
        std::size_t end = 0;
        for (auto const& range : net.ranges()) {
            CHECK(range.first == end);
            end += range.size;
        }
        CHECK(end == net.parameters());
        CHECK(net.parameters() == 12 + 8 + 4 + 4 + 4 + 1 + 2);
        auto const neutral = net.neutral_parameters();
        CHECK(neutral[net.range(1, ParameterKind::slope)->first] == 0.25);
        CHECK(neutral[net.range(1, ParameterKind::gain)->first] == 1);
        CHECK(neutral[0] == 0);
        CHECK(net.range(2, ParameterKind::gain) == nullptr);
        CHECK(net.normed_neurons() == 4);
    }

    TEST_CASE("a graph's gates become units") {
        Architecture const net{GraphLayout(graphs::chain({2, 3, 1}, graphs::ActivationKind::leaky))};
        CHECK(net.traits()[1].unit.kind == UnitKind::leaky);
        CHECK(net.traits()[1].unit.slope == -0.4);
        CHECK(net.traits()[2].unit.kind == UnitKind::identity);
        Architecture const sides{GraphLayout(graphs::chain({2, 3, 1}, graphs::ActivationKind::crelu))};
        CHECK(sides.traits()[0].unit.kind == UnitKind::crelu);
        CHECK(sides.parameters() == 2 * (6 + 3));
    }

    TEST_CASE("what a node cannot be is refused, and the node is named") {
        auto const net = perceptron({2, 3, 1}, {.kind = UnitKind::relu});
        auto with = [&](std::size_t node, NodeTraits const& traits) {
            auto all = net.traits();
            all[node] = traits;
            return Architecture(net.wiring(), all);
        };
        CHECK_THROWS_WITH_AS(with(1, {.keep = 0}), doctest::Contains("node 1 has keep = 0"), DomainError);
        CHECK_THROWS_WITH_AS(with(2, {.keep = 0.5}), doctest::Contains("node 2 is the output"), DomainError);
        CHECK_THROWS_WITH_AS(with(0, {.bias = true}), doctest::Contains("node 0 is no sum"), DomainError);
        CHECK_THROWS_WITH_AS(with(1, {.unit = {.kind = UnitKind::crelu}}), doctest::Contains("no sides P and N"),
                             DomainError);
        CHECK_THROWS_AS(with(1, {.epsilon = -1}), DomainError);
        CHECK_THROWS_WITH_AS(with(1, {.unit = {.kind = UnitKind::tanh}, .softmax = true}),
                             doctest::Contains("takes logits"), DomainError);
        CHECK_THROWS_WITH_AS(with(1, {.unit = {.kind = UnitKind::tanh, .slope = 2}}), doctest::Contains("takes none"),
                             DomainError);
        CHECK_NOTHROW(with(0, {.keep = 0.5}));
        CHECK_THROWS_AS(Architecture(net.wiring(), {}), DomainError);
        CHECK_THROWS_AS(perceptron({2}, {}), DomainError);
        CHECK_THROWS_AS(perceptron({2, 0}, {}), DomainError);
        CHECK_THROWS_AS(perceptron({2, 2, 1}, {.kind = UnitKind::crelu}, {.kind = UnitKind::tanh}), DomainError);
        GraphLayout const gated(graphs::chain({2, 3, 1}));
        CHECK_THROWS_WITH_AS(Architecture(gated, std::vector<NodeTraits>(3)), doctest::Contains("has a gate"),
                             DomainError);
    }
}
