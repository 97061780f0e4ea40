// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/train/initial.hpp>
#include <isserlis/train/state.hpp>
#include <isserlis/train/train.hpp>
#include <random>

namespace {

using namespace isserlis::train;
using namespace isserlis::mlp;
using Index = Eigen::Index;

template <class T>
Examples<T> groups(Index samples, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Examples<T> out{Matrix<T>(2, samples), Matrix<double>(1, samples)};
    for (Index k = 0; k < samples; ++k) {
        out.targets(0, k) = k % 2 == 0 ? 1 : 0;
        for (Index i = 0; i < 2; ++i) out.inputs(i, k) = static_cast<T>(normal(random) + (k % 2 == 0 ? 1 : -1));
    }
    return out;
}

/// Tanh units with batch norm and dropout.
Architecture network() {
    auto const plain = perceptron({2, 6, 1}, {.kind = UnitKind::tanh});
    auto traits = plain.traits();
    traits[1].batch_norm = true;
    traits[1].keep = 0.7;
    return {plain.wiring(), traits};
}

template <class T>
void check_resumes(Optimiser optimiser) {
    auto const net = network();
    auto const training = groups<T>(50, 1);
    auto const validation = groups<T>(20, 2);
    auto const start = initial_parameters<T>(net, variances_by_fan_in(net, 1), 9);
    TrainingOptions const options{.optimiser = optimiser,
                                  .rate = 0.02,
                                  .schedule = Schedule::inverse,
                                  .epochs = 12,
                                  .batch_size = 20,
                                  .seed = 5,
                                  .patience = 4,
                                  .history_every = 2};
    auto const goal = Objective::binary_cross_entropy;
    auto const run = run_fingerprint<T>(net, goal, training, start, options, &validation);
    std::vector<std::string> states;
    TrainingHooks<T> hooks;
    hooks.on_state = [&](TrainingState<T> const& state) { states.push_back(state_text(state, run)); };
    auto const whole = train_on<T>(net, goal, training, {.parameters = start}, options, &validation, hooks);
    CHECK(states.size() == whole.history.size());
    CHECK(states.size() > 2);
    for (auto const& state : states) {
        auto resumed = train_on<T>(net, goal, training, parse_state<T>(state, run, net, "here"), options, &validation);
        CHECK(resumed.parameters == whole.parameters);
        CHECK(resumed.moments.mean == whole.moments.mean);
        CHECK(resumed.moments.deviation == whole.moments.deviation);
        CHECK(resumed.stop == whole.stop);
        REQUIRE(resumed.history.size() == whole.history.size());
        for (std::size_t i = 0; i < whole.history.size(); ++i) {
            auto const& a = resumed.history[i];
            auto const& b = whole.history[i];
            CHECK(a.epoch == b.epoch);
            CHECK(a.steps == b.steps);
            CHECK(a.loss == b.loss);
            CHECK(a.accuracy == b.accuracy);
            CHECK(a.validation_loss == b.validation_loss);
            CHECK(a.validation_accuracy == b.validation_accuracy);
            CHECK(a.gradient_norm == b.gradient_norm);
            CHECK(a.learning_rate == b.learning_rate);
        }
    }
}

}  // namespace

TEST_SUITE("train/state") {
    TEST_CASE("from any state a run ends in the same bits, with every optimiser, in double and in float") {
        for (auto const o : {Optimiser::descent, Optimiser::momentum, Optimiser::rmsprop, Optimiser::adam}) {
            CAPTURE(name(o));
            check_resumes<double>(o);
            check_resumes<float>(o);
        }
    }

    TEST_CASE("whatever the numbers depend on changes the fingerprint; threads do not") {
        auto const net = network();
        auto const training = groups<double>(10, 1);
        std::vector<double> const start(net.parameters(), 0.5);
        auto const goal = Objective::binary_cross_entropy;
        TrainingOptions const options;
        auto const fingerprint = [&](TrainingOptions const& o) {
            return run_fingerprint<double>(net, goal, training, start, o, nullptr);
        };
        auto const changed = [&](auto const& change) {
            TrainingOptions o = options;
            change(o);
            return fingerprint(o);
        };
        auto const plain = fingerprint(options);
        CHECK(changed([](auto& o) { o.threads = 3; }) == plain);
        CHECK(changed([](auto& o) { o.rate = 0.02; }) != plain);
        CHECK(changed([](auto& o) { o.seed = 1; }) != plain);
        CHECK(changed([](auto& o) { o.epochs = 7; }) != plain);
        CHECK(changed([](auto& o) { o.rate_factors = {1, 0}; }) != plain);
        CHECK(changed([](auto& o) { o.optimiser = Optimiser::adam; }) != plain);
        CHECK(run_fingerprint<double>(net, Objective::squared, training, start, options, nullptr) != plain);
        CHECK(run_fingerprint<double>(net, goal, training, start, options, &training) != plain);
        auto other = training;
        other.inputs(1, 3) += 1e-12;
        CHECK(run_fingerprint<double>(net, goal, other, start, options, nullptr) != plain);
        auto const relu = perceptron({2, 6, 1}, {.kind = UnitKind::relu});
        CHECK(run_fingerprint<double>(relu, goal, training, start, options, nullptr) != plain);
    }

    TEST_CASE("the state of another network or optimiser is refused by name") {
        auto const net = network();
        TrainingState<double> state{.parameters = net.neutral_parameters()};
        state.moments = {std::vector<double>(6, 0), std::vector<double>(6, 1)};
        state.history.push_back({});
        std::string const text = state_text(state, 1);
        CHECK_NOTHROW(static_cast<void>(parse_state<double>(text, 1, net, "s.txt")));
        auto const smaller = perceptron({2, 1}, {});
        CHECK_THROWS_WITH_AS(static_cast<void>(parse_state<double>(text, 1, smaller, "s.txt")),
                             doctest::Contains("s.txt: 'parameters' has 37 numbers; 3 are required"),
                             isserlis::ParseError);
        CHECK_THROWS_AS(static_cast<void>(train_on<double>(net, Objective::binary_cross_entropy, groups<double>(10, 1),
                                                           state, {.optimiser = Optimiser::adam})),
                        isserlis::DomainError);
    }
}
