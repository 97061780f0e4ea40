// SPDX-License-Identifier: MIT
// Statistics of sampled networks beside values by hand, with fixed seeds and 5 standard errors.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/statistic_sampler.hpp>

#include "../mlp/graphs.hpp"

namespace {

using graphs::chain;
using isserlis::parse_statistic;
using isserlis::monte_carlo::Estimate;
using isserlis::monte_carlo::ObservableSettings;
using isserlis::monte_carlo::RunControl;

/// Weights of variance 2/fan-in, and an input of ones.
Estimate sampled(std::vector<double> const& widths, std::string const& text, std::uint64_t samples = 100'000,
                 unsigned threads = 1) {
    ObservableSettings settings;
    settings.inputs[""] = std::vector<double>(static_cast<std::size_t>(widths.front()), 1);
    settings.parameters["a"] = 3;
    RunControl control;
    control.threads = threads;
    return sample_statistic({.graph = chain(widths)}, parse_statistic(text), settings, samples, 1, control);
}

void agree(Estimate const& estimate, double exact) {
    CAPTURE(estimate.mean);
    CAPTURE(estimate.std_error);
    CAPTURE(exact);
    CHECK(std::abs(estimate.mean - exact) < 5 * estimate.std_error);
    CHECK(estimate.std_error < 0.05 * std::abs(exact));
}

}  // namespace

TEST_SUITE("monte_carlo/statistic_sampler") {
    // One linear layer on (1, 1): z ~ N(0, 2), so that E z^2 = 2, E z^4 = 12, Var z^2 = 8.
    TEST_CASE("moments of one Gaussian") {
        agree(sampled({2, 1}, "Var[z^2]"), 8);
        agree(sampled({2, 1}, "E[z^4]/E[z^2]^2"), 3);
        agree(sampled({2, 1}, "Var[z^2]/E[z^2]^2"), 2);
        agree(sampled({2, 1}, "Cov[z, z^3]"), 12);
        agree(sampled({2, 1}, "a*E[z^2] - (Var[z] + 1)/2"), 6 - 1.5);
    }

    // Two outputs are independent Gaussians: Var (z_1 + z_2)^2 = 2 (2 + 2)^2, and z_1^2 is uncorrelated with z_2^2.
    TEST_CASE("observables of one statistic are taken on the same network") {
        agree(sampled({2, 2}, "Var[(z[1] + z[2])^2]"), 32);
        auto const none = sampled({2, 2}, "Cov[z[1]^2, z[2]^2]");
        CHECK(std::abs(none.mean) < 5 * none.std_error);
        agree(sampled({2, 2}, "Cov[z[1]^2, z[i]^2]"), 8);
    }

    // The variance of a sample variance is (mu_4 - sigma^4)/N up to 1/N^2: for z^2 of z ~ N(0, 2), mu_4 = 60 * 16.
    TEST_CASE("the standard error is that of the delta method") {
        auto const variance = sampled({2, 1}, "Var[z^2]");
        CHECK(variance.std_error == doctest::Approx(std::sqrt((960 - 64) / 1e5)).epsilon(0.1));
        // log-derivatives: Var(m/E m) of the mean m = E z^2 is Var z^2/(N (E z^2)^2); inverted it is the same.
        auto const inverse = sampled({2, 1}, "1/E[z^2]");
        CHECK(inverse.std_error == doctest::Approx(0.5 * std::sqrt(2 / 1e5)).epsilon(0.05));
        // A function without any randomness in it: E[z^2]/E[z^2] has slopes that cancel.
        auto const one = sampled({2, 1}, "E[z^2]/E[z^2]");
        CHECK(one.mean == doctest::Approx(1));
        CHECK(one.std_error < 1e-9);
    }

    TEST_CASE("a constant has a variance of 0, and an error of rounding that is not 0") {
        auto const zero = sampled({2, 1}, "Var[z{0}[1]^2]", 1000);
        CHECK(std::abs(zero.mean) <= zero.std_error);
        CHECK(zero.std_error > 0);
        CHECK(zero.std_error < 1e-9);
    }

    TEST_CASE("threads change nothing") {
        auto const one = sampled({2, 3, 1}, "Var[z[;m]^2]/E[z^2]", 5000, 1);
        auto const three = sampled({2, 3, 1}, "Var[z[;m]^2]/E[z^2]", 5000, 3);
        CHECK(one.mean == three.mean);
        CHECK(one.std_error == three.std_error);
    }

    TEST_CASE("a denominator of 0 and numbers beyond double are refused") {
        CHECK_THROWS_AS((void)sampled({2, 1}, "E[z^2]/(E[z^2] - E[z^2])", 10), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)sampled({2, 1}, "E[z^2]*1" + std::string(400, '0'), 10), isserlis::UnsupportedError);
    }
}
