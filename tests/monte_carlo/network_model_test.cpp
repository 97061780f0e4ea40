// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <limits>
#include <string>

TEST_SUITE("monte_carlo/network_model") {
    namespace {

    using isserlis::ActivationKind;
    using isserlis::DomainError;
    using isserlis::LawKind;
    using isserlis::monte_carlo::draw_network;
    using isserlis::monte_carlo::NetworkModel;

    NetworkModel small_model(ActivationKind kind = ActivationKind::relu, LawKind law = LawKind::gaussian) {
        NetworkModel model;
        model.widths = {2, 3, 1};
        model.activation = {.kind = kind, .slope = 0.25};
        model.laws = {{.kind = law}, {.kind = law}};
        model.variances = {4, 0.25};
        model.input = {0.6, 0.8};
        return model;
    }

    /// The argument that validate() blames, or "" if it blames none.
    std::string blamed(NetworkModel const& model) {
        try {
            model.validate();
            return {};
        } catch (DomainError const& error) {
            return error.argument();
        }
    }

    }  // namespace

    TEST_CASE("validate names what clashes") {
        double const infinity = std::numeric_limits<double>::infinity();
        auto const broken = [](auto&& breakage) {
            NetworkModel model = small_model();
            breakage(model);
            return blamed(model);
        };
        CHECK(blamed(small_model()).empty());
        CHECK(broken([](NetworkModel& m) { m.widths = {}; }) == "widths");
        CHECK(broken([](NetworkModel& m) { m.widths = {2}; }) == "widths");
        CHECK(broken([](NetworkModel& m) { m.widths = {2, 0, 1}; }) == "widths");
        CHECK(broken([](NetworkModel& m) { m.laws.pop_back(); }) == "laws");
        CHECK(broken([](NetworkModel& m) { m.laws[1] = {LawKind::kurtosis, 0.5}; }) == "laws");
        CHECK(broken([](NetworkModel& m) { m.variances.push_back(1); }) == "variances");
        CHECK(broken([](NetworkModel& m) { m.variances[0] = 0; }) == "variances");
        CHECK(broken([&](NetworkModel& m) { m.variances[0] = infinity; }) == "variances");
        CHECK(broken([](NetworkModel& m) { m.input = {1, 2, 3}; }) == "input");
        CHECK(broken([&](NetworkModel& m) { m.input[1] = infinity; }) == "input");
        CHECK(broken([&](NetworkModel& m) { m.activation = {ActivationKind::leaky, infinity}; }) == "slope");

        NetworkModel model = small_model();
        model.laws.pop_back();
        CHECK_THROWS_WITH(model.validate(),
                          "NetworkModel: laws has 1 entries; 2 are required, one for each weight layer");
    }

    TEST_CASE("only a gated layer whose law has atoms needs a tie rule, and the refusal names the way out") {
        auto const refused = [](NetworkModel const& model) {
            try {
                model.require_decided_ties();
                return false;
            } catch (isserlis::UnsupportedError const& error) {
                CHECK(std::string(error.what()).find("`ties` fair-coin") != std::string::npos);
                return true;
            }
        };
        CHECK(refused(small_model(ActivationKind::relu, LawKind::rademacher)));
        CHECK(refused(small_model(ActivationKind::leaky, LawKind::rademacher)));
        CHECK_FALSE(refused(small_model(ActivationKind::relu, LawKind::uniform)));
        CHECK_FALSE(refused(small_model(ActivationKind::linear, LawKind::rademacher)));
        CHECK_FALSE(refused(small_model(ActivationKind::crelu, LawKind::rademacher)));

        NetworkModel head_only = small_model();
        head_only.laws[1] = {LawKind::kurtosis, 1};
        CHECK_FALSE(refused(head_only));
        head_only.gated_head = true;
        CHECK(refused(head_only));
        head_only.ties = isserlis::monte_carlo::TieRule::fair_coin;
        CHECK_FALSE(refused(head_only));
    }

    TEST_CASE("a drawn network has the model's shapes and sides") {
        auto const relu = draw_network<double>(small_model(), 1, 2);
        CHECK(relu.layers.size() == 2);
        CHECK(relu.layers[0].weights.rows() == 3);
        CHECK(relu.layers[0].weights.cols() == 2);
        CHECK(relu.layers[0].negative.size() == 0);
        auto const crelu = draw_network<double>(small_model(ActivationKind::crelu), 1, 2);
        CHECK(crelu.layers[0].weights == relu.layers[0].weights);
        CHECK(crelu.layers[0].negative.size() == 6);
        CHECK(crelu.layers[0].negative != crelu.layers[0].weights);
        auto const tied = draw_network<double>(small_model(ActivationKind::crelu_tied), 1, 2);
        CHECK(tied.layers[0].negative == tied.layers[0].weights);
        CHECK(tied.layers[1].weights == relu.layers[1].weights);
    }

    TEST_CASE("a network depends on seed and sample alone, in float too") {
        auto const first = draw_network<double>(small_model(), 1, 2).layers[1].weights;
        CHECK(draw_network<double>(small_model(), 1, 2).layers[1].weights == first);
        CHECK(draw_network<double>(small_model(), 1, 3).layers[1].weights != first);
        CHECK(draw_network<double>(small_model(), 2, 2).layers[1].weights != first);
        auto const of_float = draw_network<float>(small_model(), 1, 2).layers[1].weights;
        CHECK(draw_network<float>(small_model(), 1, 2).layers[1].weights == of_float);
        CHECK(draw_network<float>(small_model(), 1, 3).layers[1].weights != of_float);
        CHECK(draw_network<float>(small_model(), 2, 2).layers[1].weights != of_float);
    }

    // Rademacher entries are exactly plus or minus the standard deviation.
    TEST_CASE("weights are scaled to the layer's variance") {
        auto const net = draw_network<double>(small_model(ActivationKind::linear, LawKind::rademacher), 1, 2);
        CHECK((net.layers[0].weights.array().abs() == 2).all());
        CHECK((net.layers[1].weights.array().abs() == 0.5).all());
    }
}
