// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/update_sizes.hpp>

#include "within_five.hpp"

using isserlis::test::check_within_five;

namespace {

using isserlis::ActivationKind;
using isserlis::LawKind;
using isserlis::monte_carlo::Estimate;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::Precision;
using isserlis::monte_carlo::TieRule;
using isserlis::monte_carlo::update_sizes;

NetworkModel model_of(std::vector<std::size_t> widths, std::vector<double> variances, ActivationKind kind,
                      LawKind law = LawKind::gaussian) {
    NetworkModel model;
    model.widths = std::move(widths);
    model.activation.kind = kind;
    model.variances = std::move(variances);
    model.laws.assign(model.variances.size(), {.kind = law});
    model.input = {0.6, -0.8};
    return model;
}

}  // namespace

TEST_SUITE("monte_carlo/update_sizes") {
    // Layers 2-3-2 of variances 1/2 and 1/4, |x|^2 = 1, |g|^2 = 4. Layer 1: |x|^2 |B|^2 where B has 3 entries
    // N(0, 4/4), so chi^2_3: 3, variance 6. Layer 2: |h|^2 |g|^2 = (1/2) chi^2_3 4: 6, variance 24. These are
    // u_i |x|^2 |g|^2 with kappa = 3/8, u = (3/4, 3/2).
    TEST_CASE("both sides of a concatenated ReLU together have the update size of Theorem 4.6") {
        for (auto const kind : {ActivationKind::crelu, ActivationKind::crelu_tied, ActivationKind::linear}) {
            auto const sizes = update_sizes(model_of({2, 3, 2}, {0.5, 0.25}, kind), {2, 0}, 5'000, 1);
            check_within_five(sizes[0], 3, 6);
            check_within_five(sizes[1], 6, 24);
        }
    }

    // He ReLU 2-3-4-1 with a linear head: E|J^k|^2 = m_y / c2_k with m_y = 1 and c2 = (1, 2/3, 1/2); a scalar linear
    // head has E|J^k|^4 / mean^2 = (1 + 5/3)(1 + 5/4) = 6 in every layer [residual.md, section 4].
    TEST_CASE("a ReLU net with a scalar head has Jacobian norms 1, 3/2 and 2") {
        for (auto const precision : {Precision::float64, Precision::float32}) {
            NetworkModel model = model_of({2, 3, 4, 1}, {1.0, 2.0 / 3, 0.5}, ActivationKind::relu);
            model.precision = precision;
            auto const sizes = update_sizes(model, {1}, 8'000, 2);
            check_within_five(sizes[0], 1, 5 * 1);
            check_within_five(sizes[1], 1.5, 5 * 2.25);
            check_within_five(sizes[2], 2, 5 * 4);
        }
    }

    // x = (1,1)/sqrt(2), one gated ReLU unit of Rademacher weights: z = 0 half of the time, so the strict rule
    // relu'(0) = 0 would give 1/4; with a fair coin dW = gate x, mean 1/2 and variance 1/4.
    TEST_CASE("a fair coin decides ties, so that the size of a Rademacher unit is 1/2 and not 1/4") {
        for (auto const precision : {Precision::float64, Precision::float32}) {
            NetworkModel model = model_of({2, 1}, {1.0}, ActivationKind::relu, LawKind::rademacher);
            model.precision = precision;
            model.gated_head = true;
            model.input = {std::sqrt(0.5), std::sqrt(0.5)};
            CHECK_THROWS_AS((void)update_sizes(model, {1}, 100, 3), isserlis::UnsupportedError);
            model.ties = TieRule::fair_coin;
            check_within_five(update_sizes(model, {1}, 8'000, 3)[0], 0.5, 0.25);

            // One more unit: dW_1 = gate_1 gate_2 w_2 x has size 1 with probability 1/4, which needs a coin also where
            // the only input of the second unit is an open gate times 0. dW_2 = gate_2 h: 2 with probability 1/8.
            model.widths = {2, 1, 1};
            model.laws.assign(2, {.kind = LawKind::rademacher});
            model.variances = {1, 1};
            auto const sizes = update_sizes(model, {1}, 8'000, 4);
            check_within_five(sizes[0], 0.25, 3.0 / 16);
            check_within_five(sizes[1], 0.25, 0.5 - 1.0 / 16);
        }
    }

    TEST_CASE("a seed gives the same bits in 1, 2 and 5 threads") {
        NetworkModel const model = model_of({2, 3, 2}, {0.5, 0.25}, ActivationKind::crelu);
        auto const one = update_sizes(model, {1, 1}, 1001, 5);
        for (unsigned const threads : {2U, 5U}) {
            auto const many = update_sizes(model, {1, 1}, 1001, 5, {.threads = threads, .progress = {}});
            CHECK(many[0].mean == one[0].mean);
            CHECK(many[1].std_error == one[1].std_error);
        }
    }

    TEST_CASE("an output gradient that does not fit, and an interrupt, end the run") {
        NetworkModel const model = model_of({2, 3, 2}, {0.5, 0.25}, ActivationKind::relu);
        CHECK_THROWS_AS((void)update_sizes(model, {1}, 10, 1), isserlis::DomainError);
        CHECK_THROWS_AS((void)update_sizes(model, {1, std::nan("")}, 10, 1), isserlis::DomainError);
        CHECK_THROWS_AS((void)update_sizes(model, {1, 1}, 1, 1), isserlis::DomainError);
        std::atomic<bool> const stop = true;
        CHECK_THROWS_AS((void)update_sizes(model, {1, 1}, 10, 1, {.threads = 2, .progress = {}, .stop = &stop}),
                        isserlis::Interrupted);
    }
}
