// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/train/initial.hpp>
#include <isserlis/train/maximal_rate.hpp>
#include <random>

namespace {

using namespace isserlis::train;
using namespace isserlis::mlp;
using Numbers = std::vector<double>;

/// One weight w, one sample x = 1, y = 1 under the hinge loss: right where w > 0, gradient -1 where w < 1.
Examples<double> one_sample() { return {Matrix<double>::Ones(1, 1), Matrix<double>::Ones(1, 1)}; }
Architecture one_weight() { return perceptron({1, 1}, {}, {}, false); }

Numbers rates(MaximalRate const& found) {
    Numbers out;
    for (auto const& trial : found.trials) out.push_back(trial.rate);
    return out;
}

}  // namespace

TEST_SUITE("train/maximal_rate") {
    // From w = 1 with decay 4 one step goes to 1 - 4 r, which is above 0 for r < 1/4.
    TEST_CASE("one step of decay by hand: all rates below 1/4 will do") {
        TrainingOptions const options{.weight_decay = 4, .epochs = 1};
        auto const found = maximal_rate<double>(one_weight(), Objective::hinge, one_sample(), {1}, options,
                                                {.threshold = 1, .highest = 1, .bisections = 5});
        CHECK(found.verdict == RateVerdict::found);
        CHECK(rates(found) == Numbers{1, 0.5, 0.25, 0.125, 0.1875, 0.21875, 0.234375, 0.2421875, 0.24609375});
        CHECK(found.rate == 0.24609375);
        CHECK(found.failed == 0.25);
        CHECK(found.trials[2].accuracy == 0);
        CHECK(found.trials[3].accuracy == 1);

        auto const low = maximal_rate<double>(one_weight(), Objective::hinge, one_sample(), {1}, options,
                                              {.threshold = 1, .highest = 0.2});
        CHECK(low.verdict == RateVerdict::at_least);
        CHECK(low.rate == 0.2);
        CHECK(low.trials.size() == 1);
    }

    // From w = -1 without decay ten steps go to -1 + 10 r at most: 0.1 and below never reach above 0.
    TEST_CASE("no valid rate") {
        auto const found = maximal_rate<double>(one_weight(), Objective::hinge, one_sample(), {-1}, {.epochs = 10},
                                                {.threshold = 1, .highest = 0.0999, .halvings = 3});
        CHECK(found.verdict == RateVerdict::none);
        CHECK(found.rate == 0);
        CHECK(found.trials.size() == 4);
        CHECK(found.failed == 0.0999 / 8);
    }

    TEST_CASE("a network that is right before the first step has to be right after one") {
        auto const found =
            maximal_rate<double>(one_weight(), Objective::hinge, one_sample(), {1}, {.weight_decay = 4, .epochs = 1},
                                 {.threshold = 1, .highest = 1, .halvings = 0});
        CHECK(found.verdict == RateVerdict::none);
    }

    TEST_CASE("the trials are trainings of the same network, order and masks, stopped at the threshold") {
        std::mt19937_64 random(4);
        std::normal_distribution<double> normal;
        auto const draw = [&](Eigen::Index samples) {
            Examples<double> out{Matrix<double>(2, samples), Matrix<double>::Zero(2, samples)};
            for (Eigen::Index k = 0; k < samples; ++k) {
                out.inputs.col(k) << normal(random), normal(random);
                out.targets(out.inputs(0, k) * out.inputs(1, k) > 0 ? 1 : 0, k) = 1;
            }
            return out;
        };
        auto const training = draw(200);
        auto const validation = draw(100);
        auto const net = perceptron({2, 16, 2}, {.kind = UnitKind::relu});
        auto const start = initial_parameters<double>(net, variances_by_fan_in(net, 2), 3);
        TrainingOptions const options{.epochs = 6, .batch_size = 10, .seed = 3};
        RateSearch const search{.threshold = 0.85, .highest = 16, .bisections = 3};
        auto const found =
            maximal_rate<double>(net, Objective::cross_entropy, training, start, options, search, &validation);
        CHECK(found.verdict == RateVerdict::found);
        CHECK(found.rate < found.failed);
        for (auto const& trial : found.trials) {
            CAPTURE(trial.rate);
            TrainingOptions own = options;
            own.rate = trial.rate;
            auto const run = train<double>(net, Objective::cross_entropy, training, start, own, &validation);
            bool reached = false;
            std::uint64_t epoch = 0;
            for (auto const& row : run.history) {
                if (row.epoch == 0 || reached) continue;
                epoch = row.epoch;
                reached = *row.validation_accuracy >= search.threshold;
            }
            CHECK(trial.reached == reached);
            CHECK(trial.epochs == epoch);
            CHECK((trial.accuracy >= search.threshold) == reached);
            CHECK(trial.diverged_at == (reached ? std::nullopt : run.diverged_at));
            CHECK((trial.rate > found.rate ? !trial.reached : true));
        }
        // A search that was killed after any trial goes on with the next.
        for (std::size_t k = 0; k <= found.trials.size(); ++k) {
            RateSearchHooks hooks;
            hooks.done.assign(found.trials.begin(), found.trials.begin() + static_cast<std::ptrdiff_t>(k));
            std::size_t run = 0;
            hooks.on_trial = [&](RateTrial const&) { ++run; };
            auto const again = maximal_rate<double>(net, Objective::cross_entropy, training, start, options, search,
                                                    &validation, hooks);
            CHECK(run == found.trials.size() - k);
            CHECK(again.rate == found.rate);
            CHECK(rates(again) == rates(found));
        }
    }

    TEST_CASE("what is no search is refused by name") {
        auto const search_with = [](RateSearch const& search, TrainingOptions const& options, Objective objective,
                                    std::vector<RateTrial> const& done = {}) {
            static_cast<void>(maximal_rate<double>(one_weight(), objective, one_sample(), {1}, options, search, nullptr,
                                                   {.done = done}));
        };
        auto refused = [&](RateSearch const& search, TrainingOptions const& options, char const* message) {
            CHECK_THROWS_WITH_AS(search_with(search, options, Objective::hinge), doctest::Contains(message),
                                 isserlis::DomainError);
        };
        refused({.threshold = 0}, {}, "threshold = 0");
        refused({.threshold = 1.5}, {}, "threshold = 1.5");
        refused({.threshold = 1, .highest = 0}, {}, "highest = 0");
        refused({.threshold = 1}, {.epochs = 0}, "epochs = 0");
        refused({.threshold = 1}, {.schedule = Schedule::inverse}, "constant rates");
        refused({.threshold = 1}, {.accuracy = 1}, "leave schedule, accuracy and patience out");
        CHECK_THROWS_WITH_AS(search_with({.threshold = 1}, {}, Objective::squared), doctest::Contains("no classes"),
                             isserlis::DomainError);
        CHECK_THROWS_WITH_AS(search_with({.threshold = 1}, {}, Objective::hinge, {{.rate = 0.3}}),
                             doctest::Contains("was done at rate"), isserlis::DomainError);
        CHECK_THROWS_WITH_AS(
            search_with({.threshold = 1}, {}, Objective::hinge, {{.rate = 1, .reached = true}, {.rate = 0.5}}),
            doctest::Contains("2 trials were done"), isserlis::DomainError);
    }
}
