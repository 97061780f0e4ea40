// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/batch_step_sampler.hpp>
#include <isserlis/monte_carlo/graph_step_sampler.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/monte_carlo/pair_kernel_sampler.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/observable/observable.hpp>

using namespace isserlis::monte_carlo;

namespace {

/// Widths 2, 4, 3, 2, ReLU or linear.
GraphModel network(isserlis::ActivationKind kind) {
    isserlis::FullyConnected<double, std::uint64_t> net;
    net.activation = {.kind = kind, .slope = 1};
    std::vector<double> const widths{2, 4, 3, 2};
    for (std::size_t l = 0; l + 1 < widths.size(); ++l)
        net.layers.push_back({.fan_in = widths[l],
                              .fan_out = widths[l + 1],
                              .count = 1,
                              .variance = 1 / widths[l],
                              .label_factor = 0.1 * static_cast<double>(l + 1)});
    return {.graph = isserlis::chain_graph(net)};
}

}  // namespace

TEST_SUITE("monte_carlo/batch_step_sampler") {
    // The same weights, targets 0: gradients of one sample by another engine.
    TEST_CASE("one sample is the step of the other sampler") {
        auto const model = network(isserlis::ActivationKind::relu);
        auto const there = sample_graph_first_steps(model, {3, -1}, isserlis::StepRule::descent, 0, 200, 5);
        auto const here =
            sample_batch_steps({.network = model, .inputs = {{3, -1}}, .targets = {{0, 0}}, .half = true}, 200, 5);
        REQUIRE(here.size() == there.size());
        for (std::size_t v = 0; v < here.size(); ++v) {
            CHECK(here[v].square.mean == doctest::Approx(there[v].square.mean));
            CHECK(here[v].change_square.mean == doctest::Approx(there[v].change_square.mean));
            CHECK(here[v].of_outputs.mean == doctest::Approx(there[v].change_square.mean));
            CHECK(here[v].of_targets.mean == 0);
            CHECK(here[v].change_squares.front().mean == doctest::Approx(there[v].change_square.mean));
        }
    }

    // Half of the gradient at each of two samples: a batch of one is a step on one of them, twice as long.
    TEST_CASE("a batch is drawn without replacement") {
        auto const model = network(isserlis::ActivationKind::linear);
        GraphCurveModel data{.network = model, .inputs = {{3, -1}, {3, -1}}, .targets = {{1, 2}, {1, 2}}, .half = true};
        auto const all = sample_batch_steps(data, 100, 5);
        data.batch = {.size = 1};
        auto const one = sample_batch_steps(data, 100, 5);
        data.inputs = {{3, -1}, {0, 0}};
        data.targets = {{1, 2}, {0, 0}};
        auto const some = sample_batch_steps(data, 100, 5);
        for (std::size_t v = 0; v < all.size(); ++v) {
            CHECK(one[v].change_square.mean == doctest::Approx(all[v].change_square.mean));
            CHECK(some[v].change_squares[0].mean > 0.2 * one[v].change_squares[0].mean);
            CHECK(some[v].change_squares[0].mean < 0.8 * one[v].change_squares[0].mean);
        }
        data.network.precision = Precision::float32;
        CHECK_THROWS_AS((void)sample_batch_steps(data, 100, 5), isserlis::UnsupportedError);
    }

    // Of two samples, 2 drawn with replacement are twice the first, twice the second or both, with 1/4, 1/4 and 1/2.
    TEST_CASE("a batch is drawn with replacement") {
        auto const model = network(isserlis::ActivationKind::linear);
        GraphCurveModel data{.network = model, .inputs = {{3, -1}, {1, 2}}, .targets = {{1, 2}, {0, -1}}, .half = true};
        constexpr std::uint64_t networks = 200'000;
        auto const both = sample_batch_steps(data, networks, 5);
        data.batch = {.size = 1};
        auto const one = sample_batch_steps(data, networks, 5);
        data.batch = {.size = 2, .replacement = true};
        auto const drawn = sample_batch_steps(data, networks, 7);
        for (std::size_t v = 0; v < both.size(); ++v) {
            double const mean = (both[v].change_square.mean + one[v].change_square.mean) / 2;
            double const error = drawn[v].change_square.std_error +
                                 (both[v].change_square.std_error + one[v].change_square.std_error) / 2;
            CHECK(std::abs(drawn[v].change_square.mean - mean) < 4 * error);
            CHECK(one[v].change_square.mean > both[v].change_square.mean + 4 * error);  // which tells them apart
        }
    }

    // Delta z_j(x_s) has the mean of E K_jj(x_s, x_k) y_kj over k, K the kernel with the rates in it; at hidden nodes 0.
    TEST_CASE("outputs change towards their targets in mean") {
        GraphCurveModel const data{.network = network(isserlis::ActivationKind::linear),
                                   .inputs = {{3, -1}, {1, 2}},
                                   .targets = {{1, 2}, {0, -1}},
                                   .half = true};
        auto const steps = sample_batch_steps(data, 20000, 5);
        REQUIRE(steps.size() == 3);
        // E K(x, x') = x.x' (0.1 n_1 n_2 v_2 v_3 + 0.2 n_1 n_2 v_1 v_3 + 0.3 n_1 n_2 v_1 v_2), v = 1/2, 1/4, 1/3
        double const kernel = 12 * (0.1 / 12 + 0.2 / 6 + 0.3 / 8);
        double const products[2][2] = {{10, 1}, {1, 5}};
        double const targets[2][2] = {{1, 2}, {0, -1}};
        double all = 0;
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t j = 0; j < 2; ++j) {
                double const mean = kernel * (products[s][0] * targets[0][j] + products[s][1] * targets[1][j]) / 2;
                auto const& seen = steps.back().output_changes[s * 2 + j];
                CHECK(std::abs(seen.mean - mean) < 4 * seen.std_error);
                all += seen.mean / 4;
            }
        CHECK(steps.back().change.mean == doctest::Approx(all));
        for (std::size_t v = 0; v < 2; ++v) {
            CHECK(steps[v].output_changes.empty());
            CHECK(std::abs(steps[v].change.mean) < 4 * steps[v].change.std_error);
        }
    }

    // The same weights, derivatives contracted as an observable says.
    TEST_CASE("kernels of pairs are those of observables") {
        for (auto const kind : {isserlis::ActivationKind::relu, isserlis::ActivationKind::linear}) {
            auto const model = network(kind);
            std::vector<std::vector<double>> const inputs{{3, -1}, {1, 2}};
            auto const pairs = sample_pair_kernels(model, inputs, 200, 5);
            REQUIRE(pairs.size() == 3);
            auto const mean = [&](std::string const& query) {
                ObservableSettings settings;
                settings.inputs = {{"a", inputs[0]}, {"b", inputs[1]}};
                return sample_observable(model, isserlis::parse_query(query), settings, 200, 5).mean;
            };
            CHECK(pairs[1].trace.mean == doctest::Approx(mean("z[i;m]@a z[i;m]@b")));
            CHECK(pairs[1].mean.mean == doctest::Approx(mean("z[i;m]@a z[i;m]@b") / 2));
            CHECK(pairs[1].second_moment.mean == doctest::Approx(mean("z[i;m]@a z[i;m]@b z[i;n]@a z[i;n]@b") / 2));
            CHECK(pairs[1].trace_square.mean == doctest::Approx(mean("z[i;m]@a z[i;m]@b z[j;n]@a z[j;n]@b")));
            CHECK(pairs[1].squared_trace.mean == doctest::Approx(mean("z[i;m]@a z[j;m]@b z[i;n]@a z[j;n]@b")));
            CHECK(pairs[2].trace.mean == doctest::Approx(mean("z[i;m]@b z[i;m]@b")));
        }
        CHECK_THROWS_AS((void)sample_pair_kernels(network(isserlis::ActivationKind::relu), {}, 10, 1),
                        isserlis::DomainError);
    }
}
