// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/train/initial.hpp>

namespace {

using namespace isserlis::mlp;
using isserlis::ActivationKind;
using isserlis::DomainError;
using isserlis::train::initial_parameters;
using isserlis::train::variances_by_fan_in;

}  // namespace

TEST_SUITE("train/initial") {
    TEST_CASE("weights are those that monte_carlo draws for the same seed and sample") {
        for (bool const sides : {false, true}) {
            auto const net = perceptron({3, 4, 2}, {.kind = sides ? UnitKind::crelu : UnitKind::relu}, {}, true);
            isserlis::monte_carlo::NetworkModel model;
            model.widths = {3, 4, 2};
            model.variances = variances_by_fan_in(net, 2);
            model.laws.resize(2);
            model.activation.kind = sides ? ActivationKind::crelu : ActivationKind::relu;
            model.input = {1, 1, 1};
            auto const drawn = isserlis::monte_carlo::draw_network<double>(model, 5, 7);
            auto const parameters = initial_parameters<double>(net, model.variances, 5, 7);
            std::size_t at = 0;
            for (auto const& layer : drawn.layers)
                for (auto const* m : {&layer.weights, &layer.negative})
                    for (Eigen::Index i = 0; i < m->size(); ++i) CHECK(parameters[at++] == m->data()[i]);
            for (; at < parameters.size(); ++at) CHECK(parameters[at] == 0);
        }
    }

    TEST_CASE("a variance for each weight edge is required") {
        auto const net = perceptron({3, 4, 2}, {.kind = UnitKind::relu});
        CHECK(variances_by_fan_in(net, 2) == std::vector<double>{2.0 / 3, 0.5});
        CHECK_THROWS_AS(static_cast<void>(initial_parameters<double>(net, {1}, 0)), DomainError);
        CHECK_THROWS_AS(static_cast<void>(initial_parameters<double>(net, {1, 1, 1}, 0)), DomainError);
        CHECK_THROWS_AS(static_cast<void>(initial_parameters<double>(net, {1, -1}, 0)), DomainError);
    }
}
