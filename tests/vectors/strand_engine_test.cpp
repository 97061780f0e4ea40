// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/network/zoo.hpp>

#include <set>
#include <string>

#include "one_step.hpp"
#include "strand_value.hpp"
#include "vector_file.hpp"

// The strand engine where the vectors lie outside its reach: it has to refuse them, never to return a number. What it
// computes is walked in vectors_test.cpp.

using isserlis::ActivationKind;
using isserlis::UnsupportedError;
using vectors::Rational;

namespace {

/// What the vectors say of a concatenated network at several samples, asked of the engine.
void ask_for_concatenated_network(vectors::json const& item) {
    auto const kind = ActivationKind::crelu_tied;
    bool const constant = item["inputs"].contains("grad");
    (void)(constant ? vectors::curvature_with_constant_gradients(item["inputs"], kind)
                    : vectors::curvature_of_squared_error(item["inputs"], kind));
}

}  // namespace

TEST_SUITE("vectors/strand_engine") {
    TEST_CASE("vectors of concatenated networks at several samples are refused") {
        std::set<std::string> refused;
        for (auto const& item : vectors::read("data/hettinger.json")) {
            std::string const id = item["id"];
            if (!vectors::starts_with(id, "CRELU-")) continue;
            CAPTURE(id);
            CHECK_THROWS_WITH_AS(ask_for_concatenated_network(item), doctest::Contains("correlated"), UnsupportedError);
            refused.insert(id);
        }
        CHECK(refused == std::set<std::string>{"CRELU-SQ2-s2", "CRELU-C2-s2", "CRELU-C2-s3"});
    }

    // KAP-90: twice E relu(u) relu(v) is kappa1, which has pi in it.
    TEST_CASE("a ReLU at two inputs is refused") {
        isserlis::FullyConnected<Rational, std::uint64_t> net;
        net.activation.kind = ActivationKind::relu;
        net.layers = {{.fan_in = 2, .fan_out = 1, .count = 1, .variance = 1},
                      {.fan_in = 1, .fan_out = 1, .count = 1, .variance = 1}};
        vectors::Setting<Rational> setting;
        setting.inputs.names = {"a", "b"};
        setting.inputs.vectors = {{1, 0}, {0, 1}};
        auto const graph = isserlis::chain_graph(net);
        CHECK_THROWS_WITH_AS((void)vectors::expected("2 h{1}@a h{1}@b", graph, setting),
                             doctest::Contains("correlated"), UnsupportedError);
        CHECK_THROWS_WITH_AS((void)vectors::expected("z@a^2 z@b^2", graph, setting), doctest::Contains("correlated"),
                             UnsupportedError);
    }
}
