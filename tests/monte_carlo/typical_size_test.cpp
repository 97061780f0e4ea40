// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/typical_size.hpp>
#include <numeric>

#include "../mlp/graphs.hpp"

using isserlis::ActivationKind;
using isserlis::monte_carlo::GraphModel;
using isserlis::monte_carlo::ObservableSampler;
using isserlis::monte_carlo::ObservableSettings;
using isserlis::monte_carlo::RunControl;
using isserlis::monte_carlo::sample_typical_sizes;
using isserlis::monte_carlo::sampled_quantiles;

TEST_SUITE("monte_carlo/typical_size") {
    // By hand, of 100 .. 1: rank 50, one deviation is 5 ranks; rank 5, deviation (4.75)^(1/2), 3 ranks.
    TEST_CASE("quantiles are order statistics, and their errors gaps between ranks") {
        std::vector<double> numbers(100);
        std::iota(numbers.rbegin(), numbers.rend(), 1.0);
        auto const found = sampled_quantiles(numbers, {0.5, 0.05, 0.95});
        REQUIRE(found.size() == 3);
        CHECK(found[0].value == 50);
        CHECK(found[0].std_error.value() == 5);
        CHECK(found[1].value == 5);
        CHECK(found[1].std_error.value() == 3);
        CHECK(found[2].value == 95);
        CHECK(found[2].std_error.value() == 3);
        auto const few = sampled_quantiles({3, 1, 2}, {0.05, 0.5});
        CHECK(few[0].value == 1);
        CHECK_FALSE(few[0].std_error.has_value());
        CHECK(few[1].value == 2);
        CHECK(sampled_quantiles({}, {0.5}).empty());
    }

    // One normal weight: the median of chi^2_1 is 0.454936 (0.674490^2), E log chi^2_1 = -euler - log 2. A ReLU unit is off
    // half of the time; of the rest both are the same.
    TEST_CASE("a squared normal, and one behind a gate") {
        constexpr std::uint64_t samples = 40'000;
        ObservableSettings settings;
        settings.inputs[""] = {1.0};
        for (auto const kind : {ActivationKind::linear, ActivationKind::relu}) {
            GraphModel model{.graph = graphs::chain({1, 1, 1}, kind)};
            for (auto& stage : model.graph.stages)
                for (auto& edge : stage.edges) edge.variance = 1;
            ObservableSampler const sampler(model, isserlis::parse_query("h{1}[i]^2"), settings);
            RunControl threads;
            threads.threads = 2;
            auto const found = sample_typical_sizes(sampler, {0.5, 0.75}, samples, 5).front();
            auto const again = sample_typical_sizes(sampler, {0.5, 0.75}, samples, 5, threads).front();
            CHECK(found.log.mean == again.log.mean);
            CHECK(found.quantiles[1].value == again.quantiles[1].value);
            CHECK(std::abs(found.log.mean + 1.2703628454614782) < 5 * found.log.std_error);
            CHECK(found.log.samples + found.zeros == samples);
            if (kind == ActivationKind::linear) {
                CHECK(found.zeros == 0);
                CHECK(std::abs(found.quantiles[0].value - 0.454936) < 5 * found.quantiles[0].std_error.value());
            } else {
                CHECK(std::abs(static_cast<double>(found.zeros) - samples / 2.0) < 5 * std::sqrt(samples / 4.0));
                CHECK(std::abs(found.quantiles[1].value - 0.454936) < 5 * found.quantiles[1].std_error.value());
            }
        }
    }
}
