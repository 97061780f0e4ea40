// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/normalised_gradients.hpp>

#include <cmath>
#include <vector>

namespace {

using isserlis::Normalisation;
using isserlis::monte_carlo::normalised_gradients;
using isserlis::monte_carlo::NormalisedModel;
using isserlis::monte_carlo::NormalisedStage;

/// One residual block of one matrix with entries of variance 1/n, at an input of |x|^2 = n.
NormalisedModel block(std::size_t n, bool before, Normalisation by) {
    NormalisedStage const stage{.matrices = {{.rows = n, .variance = 1 / static_cast<double>(n)}},
                                .normalises_input = before,
                                .adds_input = true,
                                .normalises_output = !before};
    NormalisedModel out{.by = by, .slope = 1, .input = std::vector<double>(n, 1), .stages = {stage}};
    for (std::size_t i = 0; i < n; i += 2) out.input[i] = -1;
    return out;
}

}  // namespace

TEST_SUITE("monte_carlo/normalised_gradients") {
    // Wide: of y_1 = x_1 + (W N(x))_1 the gradient e_1 + W^T e_1 less what lies along x has the square 1 + 1. Behind a
    // norm of |x + W x|^2 = 2n the same two parts are halved.
    TEST_CASE("wide residual blocks, before and after the sum") {
        for (auto const by : {Normalisation::rms, Normalisation::layer}) {
            CHECK(normalised_gradients(block(400, true, by), 40, 1)[0].mean ==
                  doctest::Approx(std::log(2.0)).epsilon(0.03));
            CHECK(std::abs(normalised_gradients(block(400, false, by), 40, 1)[0].mean) < 0.03);
        }
    }

    // N of one entry is its sign, which hands nothing down: the sum's other part is all.
    TEST_CASE("one entry hands nothing through a branch, and nothing at all behind a norm") {
        auto const through = normalised_gradients(block(1, true, Normalisation::rms), 100, 2)[0];
        CHECK(std::abs(through.mean) < 1e-14);
        CHECK(through.samples == 100);
        CHECK_THROWS_AS((void)normalised_gradients(block(1, false, Normalisation::rms), 100, 2), isserlis::DomainError);
        CHECK_THROWS_AS((void)normalised_gradients(block(2, false, Normalisation::layer), 100, 2),
                        isserlis::DomainError);
    }

    TEST_CASE("equal entries less their mean are 0, others are not") {
        for (double const x : {0.1, 1.0 / 3, 1e-200, -7e100}) {
            std::vector<double> equal(7, x);
            isserlis::monte_carlo::take_mean(equal);
            CHECK(equal == std::vector<double>(7, 0));
        }
        std::vector<double> near{1, 1, 1 + 1e-9};
        isserlis::monte_carlo::take_mean(near);
        CHECK(near[2] == doctest::Approx(2e-9 / 3));
    }

    // A head above two layers of two ReLU units: both are active with probability 1/4 in the lower one, where two are
    // needed, and one or more with 3/4 in the upper one.
    TEST_CASE("networks that hand nothing down do not count") {
        NormalisedStage const hidden{
            .matrices = {{.rows = 2, .variance = 1}}, .normalises_output = true, .gates_output = true};
        NormalisedStage const head{.matrices = {{.rows = 1, .variance = 1}}};
        NormalisedModel const chain{.slope = 0, .input = {1, 2}, .stages = {hidden, hidden, head}};
        auto const seen = normalised_gradients(chain, 16000, 4);
        double const expected = 16000.0 * 3 / 16;
        CHECK(std::abs(static_cast<double>(seen[0].samples) - expected) < 5 * std::sqrt(expected * 13 / 16));
        NormalisedModel const of_one{.slope = 0, .input = {1}, .stages = {hidden, hidden, head}};
        CHECK_THROWS_AS((void)normalised_gradients(of_one, 10, 4), isserlis::DomainError);
    }

    TEST_CASE("the same bits in one thread and in three") {
        isserlis::monte_carlo::RunControl one_thread;
        isserlis::monte_carlo::RunControl three_threads;
        three_threads.threads = 3;
        auto const model = block(5, false, Normalisation::rms);
        auto const one = normalised_gradients(model, 3000, 3, one_thread);
        auto const three = normalised_gradients(model, 3000, 3, three_threads);
        CHECK(one[0].mean == three[0].mean);
        CHECK(one[0].std_error == three[0].std_error);
    }
}
