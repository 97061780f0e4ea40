// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/train/update.hpp>
#include <limits>

namespace {

using namespace isserlis::train;
using isserlis::DomainError;
using isserlis::mlp::perceptron;
using isserlis::mlp::UnitKind;
using Numbers = std::vector<double>;

Numbers clipped(Clipping clipping, double threshold, Numbers gradient) {
    clip<double>(clipping, threshold, gradient);
    return gradient;
}

}  // namespace

TEST_SUITE("train/update") {
    // |(3, 4)| = 5, by hand. PyTorch would divide by 5 + 1e-6.
    TEST_CASE("clipping by hand") {
        CHECK(clipped(Clipping::none, 1, {3, 4}) == Numbers{3, 4});
        CHECK(clipped(Clipping::coordinate, 3.5, {3, -4}) == Numbers{3, -3.5});
        CHECK(clipped(Clipping::norm, 10, {3, 4}) == Numbers{3, 4});
        CHECK(clipped(Clipping::norm, 1, {3, 4})[0] == doctest::Approx(0.6).epsilon(1e-15));
        CHECK(clipped(Clipping::fixed_norm, 10, {3, 4})[1] == doctest::Approx(8).epsilon(1e-15));
        CHECK(clipped(Clipping::fixed_norm, 10, {0, 0}) == Numbers{0, 0});
    }

    // W = (3, -4), b = 9: |w| sums to 7, w^2 to 25; the bias is not in it.
    TEST_CASE("penalties are on weights only, with sign(0) = 0") {
        auto const net = perceptron({2, 1}, {});
        Numbers const parameters{3, -4, 9};
        Numbers gradient{1, 1, 1};
        CHECK(add_penalty<double>(net, 0.5, 0.1, parameters, gradient) == doctest::Approx(3.5 + 2.5));
        CHECK(gradient[0] == doctest::Approx(1 + 0.5 + 0.6));
        CHECK(gradient[1] == doctest::Approx(1 - 0.5 - 0.8));
        CHECK(gradient[2] == 1);
        Numbers zero{0, 0, 0};
        CHECK(add_penalty<double>(net, 1, 1, Numbers{0, 0, 2}, zero) == 0);
        CHECK(zero == Numbers{0, 0, 0});
    }

    // v_1 = g, v_2 = m g + g = 1.5 g: p falls by r g and then by 1.5 r g. [Hettinger 2019, Figure 2.13]
    TEST_CASE("momentum by hand, over two steps") {
        auto const net = perceptron({1, 1}, {}, {}, false);
        Update<double> update(net, {.optimiser = Optimiser::momentum, .momentum = 0.5});
        Numbers p{1};
        update.step(p, Numbers{2}, 0.1);
        CHECK(p[0] == doctest::Approx(0.8));
        update.step(p, Numbers{2}, 0.1);
        CHECK(p[0] == doctest::Approx(0.5));
        CHECK(update.steps() == 2);
    }

    // The first step of Adam is r g / (|g| + e): its size does not depend on g.
    TEST_CASE("the first step of adam has the length of the rate in each coordinate") {
        auto const net = perceptron({2, 1}, {});
        Update<double> update(net, {.optimiser = Optimiser::adam, .epsilon = 1e-12});
        Numbers p{0, 0, 0};
        update.step(p, Numbers{1e-3, -7, 0}, 0.1);
        CHECK(p[0] == doctest::Approx(-0.1).epsilon(1e-8));
        CHECK(p[1] == doctest::Approx(0.1).epsilon(1e-8));
        CHECK(p[2] == 0);
    }

    // (5.53): (1 - 0.1 * 0.5) * 2 - 0.1 * 3 = 1.6, and without decay on the bias 2 - 0.3 = 1.7.
    TEST_CASE("decay is on weights only, by the rate of their layer") {
        auto const net = perceptron({1, 1, 1}, {.kind = UnitKind::tanh});
        Update<double> update(net, {.rate_factors = {1, 0}, .weight_decay = 0.5});
        Numbers p{2, 2, 2, 2};  // W^1, W^2, b^1, b^2
        update.step(p, Numbers{3, 3, 3, 3}, 0.1);
        CHECK(p[0] == doctest::Approx(1.6));
        CHECK(p[1] == 2);
        CHECK(p[2] == doctest::Approx(1.7));
        CHECK(p[3] == 2);
    }

    TEST_CASE("schedules by hand") {
        TrainingOptions options{.rate = 8};
        CHECK(scheduled_rate(options, 100, 1000) == 8);
        options.schedule = Schedule::drop;
        options.drop_every = 3;
        CHECK(scheduled_rate(options, 2, 50) == 8);
        CHECK(scheduled_rate(options, 3, 50) == 4);
        CHECK(scheduled_rate(options, 8, 50) == 2);
        options.schedule = Schedule::inverse;
        options.inverse_slope = 1;
        CHECK(scheduled_rate(options, 9, 0) == 8);
        CHECK(scheduled_rate(options, 9, 3) == 2);
    }

    TEST_CASE("names are read back") {
        for (auto const o : {Optimiser::descent, Optimiser::momentum, Optimiser::rmsprop, Optimiser::adam})
            CHECK(optimiser(name(o)) == o);
        for (auto const c : {Clipping::none, Clipping::coordinate, Clipping::norm, Clipping::fixed_norm})
            CHECK(clipping(name(c)) == c);
        for (auto const s : {Schedule::constant, Schedule::drop, Schedule::inverse}) CHECK(schedule(name(s)) == s);
        CHECK_FALSE(optimiser("sgd").has_value());
    }

    TEST_CASE("an option out of range is refused by its name") {
        auto const net = perceptron({2, 3, 1}, {.kind = UnitKind::tanh});
        auto refused = [&](TrainingOptions const& options, char const* name) {
            CAPTURE(name);
            try {
                require_valid(options, net);
                FAIL("no error");
            } catch (DomainError const& error) {
                CHECK(error.argument() == name);
                CHECK(std::string(error.what()).find(name) != std::string::npos);
            }
        };
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        CHECK_NOTHROW(require_valid({}, net));
        CHECK_NOTHROW(require_valid({.rate = 0}, net));
        refused({.rate = -1}, "rate");
        refused({.rate = nan}, "rate");
        refused({.momentum = 1}, "momentum");
        refused({.smoothing = -0.1}, "smoothing");
        refused({.beta1 = 1}, "beta1");
        refused({.beta2 = 2}, "beta2");
        refused({.epsilon = 0}, "epsilon");
        refused({.rate_factors = {1}}, "rate_factors");
        refused({.rate_factors = {1, -1}}, "rate_factors");
        refused({.weight_decay = -1}, "weight_decay");
        refused({.l1 = -1}, "l1");
        refused({.l2 = nan}, "l2");
        refused({.clip = 0}, "clip");
        refused({.drop_factor = 0}, "drop_factor");
        refused({.drop_every = 0}, "drop_every");
        refused({.inverse_slope = -1}, "inverse_slope");
        refused({.accuracy = 1.5}, "accuracy");
        refused({.patience = 0}, "patience");
        refused({.moment_smoothing = 1}, "moment_smoothing");
        refused({.history_every = 0}, "history_every");
        refused({.threads = 0}, "threads");
    }
}
