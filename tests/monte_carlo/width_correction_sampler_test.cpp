// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/width_correction_sampler.hpp>

#include <cmath>

using namespace isserlis::monte_carlo;

namespace {

void agrees(Estimate const& sampled, double exact, double most_error) {
    CAPTURE(sampled.mean);
    CAPTURE(sampled.std_error);
    CHECK(std::abs(sampled.mean - exact) < 5 * sampled.std_error);
    CHECK(sampled.std_error < most_error);
}

/// Inputs of length sqrt(2) at a right angle, so that |x|^2/n_0 = 1.
FiniteWidths networks(isserlis::mlp::UnitKind kind, std::vector<std::uint64_t> hidden) {
    FiniteWidths out;
    out.unit = {.kind = kind};
    out.width = static_cast<double>(hidden.front());
    out.hidden = std::move(hidden);
    out.x = {std::sqrt(2.0), 0};
    out.y = {0, std::sqrt(2.0)};
    return out;
}

}  // namespace

TEST_SUITE("monte_carlo/width_correction_sampler") {
    // Behind l hidden layers E z^4 = 3 (1 + 2/n)^l: with three c(n) = 6 + 12/n + 8/n^2, and 2 c(2n) - c(n) = 6 - 4/n^2. Means of
    // z^2 and of the tangent kernel, l + 1, are those of infinite width.
    TEST_CASE("linear units by hand, remainder included") {
        auto model = networks(isserlis::mlp::UnitKind::identity, {4, 4, 4});
        model.kernel_x = 1;
        model.tangent_x = 4;
        auto const sampled = sample_width_corrections(model, 60'000, 3);
        agrees(sampled.vertex, 6 - 4.0 / 16, 0.6);
        agrees(sampled.kernel, 0, 0.1);
        agrees(sampled.tangent, 0, 0.3);
        agrees(sampled.kernel_xy, 0, 0.1);
        agrees(sampled.tangent_xy, 0, 0.3);
        // z_i(x) z_i(y) z_j(x) z_j(y) has the mean of Q_xy^2, q_l = E Q_xy^2, s_l = E Q_xx Q_yy: q' = q + (q + s)/n,
        // s' = s + 2 q/n, from 0 and 1; behind one layer q = 1/n without a remainder.
        auto one = networks(isserlis::mlp::UnitKind::identity, {4});
        one.kernel_x = 1;
        one.tangent_x = 2;
        agrees(sample_width_corrections(one, 60'000, 3).vertex_xy, 1, 0.1);
    }

    // docs/formulas/pair_correction.md: V_xy = 4 (1 - 1/pi^2) of ReLU at variance 2, V = 20, without remainders in layer 2.
    TEST_CASE("ReLU with one hidden layer by hand, biases among the parameters") {
        double const pi = std::acos(-1.0);
        auto model = networks(isserlis::mlp::UnitKind::relu, {6});
        model.weight_variance = 2;
        model.kernel_x = 2;
        model.kernel_xy = 2 / pi;
        model.tangent_x = 4;
        model.tangent_xy = 2 / pi;
        auto const sampled = sample_width_corrections(model, 60'000, 3);
        agrees(sampled.vertex, 20, 1);
        agrees(sampled.vertex_xy, 4 * (1 - 1 / (pi * pi)), 0.2);
        agrees(sampled.kernel, 0, 0.3);
        agrees(sampled.tangent, 0, 0.6);
        agrees(sampled.tangent_xy, 0, 0.3);
        // With biases of variance 1 and linear units: K = 2, then 3; Theta = 2, then 3 + 2.
        auto biased = networks(isserlis::mlp::UnitKind::identity, {6});
        biased.bias_variance = 1;
        biased.kernel_x = 3;
        biased.tangent_x = 5;
        agrees(sample_width_corrections(biased, 60'000, 3).tangent, 0, 0.6);
        CHECK_THROWS_AS((void)sample_width_corrections(FiniteWidths{}, 10, 1), isserlis::DomainError);
    }
}
