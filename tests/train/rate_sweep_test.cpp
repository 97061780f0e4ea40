// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/train/initial.hpp>
#include <isserlis/train/rate_sweep.hpp>

namespace {

using namespace isserlis::train;
using namespace isserlis::mlp;

/// One weight w of variance 1 and half the squared error of x = 1, y = 0: the loss w^2/2, a step w <- (1 - r) w.
Architecture one_weight_net() { return perceptron({1, 1}, {}, {}, false); }
Examples<double> zero_target() { return {Matrix<double>::Ones(1, 1), Matrix<double>::Zero(1, 1)}; }

RateSweep sweep_of(std::vector<double> rates) {
    return {.rates = std::move(rates),
            .networks = 40,
            .variances = {1},
            .seed = 6,
            .training = {.epochs = 5},
            .threads = 1};
}

void check_same(std::vector<SweepCell> const& a, std::vector<SweepCell> const& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].rate == b[i].rate);
        CHECK(a[i].mean_loss == b[i].mean_loss);
        CHECK(a[i].standard_error == b[i].standard_error);
        CHECK(a[i].share_diverged == b[i].share_diverged);
        CHECK(a[i].share_risen == b[i].share_risen);
    }
}

}  // namespace

TEST_SUITE("train/rate_sweep") {
    TEST_CASE("five steps on a parabola by hand, for the same networks at every rate") {
        auto const cells =
            rate_sweep(one_weight_net(), Objective::half_squared, zero_target(), sweep_of({0, 0.5, 2.5, 1e80}));
        double mean = 0;
        double squares = 0;
        for (std::uint64_t i = 0; i < 40; ++i) {
            double const w = initial_parameters<double>(one_weight_net(), {1}, 6, i).front();
            mean += w * w / 2 / 40;
            squares += w * w * w * w / 4 / 40;
        }
        double const error = std::sqrt((squares - mean * mean) / 39);
        CHECK(*cells[0].mean_loss == doctest::Approx(mean));
        CHECK(cells[0].standard_error == doctest::Approx(error));
        CHECK(cells[0].share_risen == 0);
        CHECK(*cells[1].mean_loss == doctest::Approx(mean * std::pow(0.5, 10)));
        CHECK(cells[1].share_risen == 0);
        CHECK(*cells[2].mean_loss == doctest::Approx(mean * std::pow(1.5, 10)));
        CHECK(cells[2].standard_error == doctest::Approx(error * std::pow(1.5, 10)));
        CHECK(cells[2].share_risen == 1);
        CHECK(cells[2].share_diverged == 0);
        CHECK_FALSE(cells[3].mean_loss.has_value());
        CHECK(cells[3].share_diverged == 1);
        CHECK(cells[3].share_risen == 1);
    }

    // Past double the best rate of one step divergence begins [Hettinger 2019, section 4.5].
    TEST_CASE("the thesis's networks diverge at large rates only") {
        auto const net = perceptron({2, 10, 10, 10, 1}, {.kind = UnitKind::relu}, {}, false);
        Examples<double> cosine{Matrix<double>(2, 16), Matrix<double>(1, 16)};
        for (Eigen::Index k = 0; k < 16; ++k) {
            double const angle = (static_cast<double>(k) + 0.5) * std::acos(-1.0) / 8;
            cosine.inputs.col(k) << (angle - std::acos(-1.0)) * std::sqrt(3.0) / std::acos(-1.0), 1;
            cosine.targets(0, k) = std::cos(angle);
        }
        RateSweep sweep{.rates = {0.01, 0.05, 10}, .networks = 30, .variances = variances_by_fan_in(net, 2)};
        sweep.training.epochs = 50;
        auto const cells = rate_sweep(net, Objective::squared, cosine, sweep);
        CHECK(cells[0].share_risen == 0);
        CHECK(*cells[1].mean_loss < *cells[0].mean_loss);
        CHECK(cells[2].share_diverged > 0.2);  // in the others no unit is alive any more
    }

    TEST_CASE("any number of threads gives the same bits, and killed sweeps go on at the first unfinished cell") {
        auto sweep = sweep_of({0.1, 0.2, 1.9, 2.1});
        auto const one = rate_sweep(one_weight_net(), Objective::half_squared, zero_target(), sweep);
        sweep.threads = 3;
        check_same(rate_sweep(one_weight_net(), Objective::half_squared, zero_target(), sweep), one);
        for (std::size_t k = 0; k <= one.size(); ++k) {
            std::vector<SweepCell> const done(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(k));
            std::size_t computed = 0;
            check_same(rate_sweep(one_weight_net(), Objective::half_squared, zero_target(), sweep, done,
                                  [&](SweepCell const&) { ++computed; }),
                       one);
            CHECK(computed == one.size() - k);
        }
    }

    TEST_CASE("what is no sweep is refused by name") {
        auto const refused = [](RateSweep const& sweep, std::vector<SweepCell> const& done, char const* message) {
            CHECK_THROWS_WITH_AS(
                static_cast<void>(rate_sweep(one_weight_net(), Objective::half_squared, zero_target(), sweep, done)),
                doctest::Contains(message), isserlis::DomainError);
        };
        refused(sweep_of({}), {}, "at least 1 rate");
        refused(sweep_of({1}), {{.rate = 2}}, "other rates");
        refused(sweep_of({-1}), {}, "rate = -1");
        auto without = sweep_of({1});
        without.variances.clear();
        refused(without, {}, "is missing");
    }
}
