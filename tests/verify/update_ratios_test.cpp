// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/update_sizes.hpp>
#include <isserlis/verify/update_ratios.hpp>
#include <limits>
#include <string>
#include <vector>

TEST_SUITE("verify/update_ratios") {
    using isserlis::ActivationKind;
    using isserlis::Check;
    using isserlis::check_update_ratios;
    using isserlis::monte_carlo::NetworkModel;
    using isserlis::monte_carlo::RunControl;

    namespace {

    constexpr std::uint64_t samples = 30'000;
    /// Of the product of chi^2_6, chi^2_4 and chi^2_3 over their means: moments 1, 4/3 3/2 5/3 = 10/3, 20/9 3 35/9 = 700/27.
    constexpr double skewness = 5.03;

    /// Widths 2, 6, 4, 3 with variances 1/2, 1/6, 1/4: ratios v_1^2 d_0 d_1/(v_l^2 d_l d_(l-1)) = 1, 9/2, 4 by hand.
    NetworkModel model(ActivationKind kind) {
        return {.widths = {2, 6, 4, 3},
                .activation = {.kind = kind},
                .laws = std::vector<isserlis::WeightLaw<double>>(3),
                .variances = {1.0 / 2, 1.0 / 6, 1.0 / 4},
                .input = {1.0, 0.5}};
    }

    }  // namespace

    TEST_CASE("Theorem 4.6 agrees for linear, ReLU and both concatenated networks with one sample and a linear head") {
        for (ActivationKind const kind :
             {ActivationKind::linear, ActivationKind::relu, ActivationKind::crelu, ActivationKind::crelu_tied}) {
            auto const checks = check_update_ratios(model(kind), {1, 4.5, 4}, samples, 1, RunControl{});
            REQUIRE(checks.size() == 3);
            for (auto const& c : checks) CHECK(c.verdict == Check::Verdict::agrees);
        }
    }

    TEST_CASE("each ratio can fail") {
        for (std::size_t l = 0; l < 3; ++l) {
            for (double const factor : {0.85, 1.15}) {
                std::vector<double> wrong{1, 4.5, 4};
                wrong[l] *= factor;
                auto const checks =
                    check_update_ratios(model(ActivationKind::linear), wrong, samples, 1, RunControl{}, {}, skewness);
                for (std::size_t i = 0; i < 3; ++i) CHECK((checks[i].verdict == Check::Verdict::disagrees) == (i == l));
                // Not knowing the tails, 100 standard errors are asked for.
                auto const unknown =
                    check_update_ratios(model(ActivationKind::linear), wrong, samples, 1, RunControl{});
                CHECK((unknown[l].verdict == Check::Verdict::disagrees) == (l == 0));
            }
        }
        // A skewness that does not exist is none: what is ten times as large is beyond 100 standard errors.
        double const infinite = std::numeric_limits<double>::infinity();
        auto const far =
            check_update_ratios(model(ActivationKind::linear), {1, 45, 4}, samples, 1, RunControl{}, {}, infinite);
        CHECK(far[1].verdict == Check::Verdict::disagrees);
        CHECK(far[2].verdict == Check::Verdict::agrees);
    }

    // Of widths 2 all ratios are 1, 4/(1 2) of the output. With 30 networks some seeds have one that is not dead.
    TEST_CASE("few networks that are not dead refute nothing") {
        NetworkModel const narrow{.widths = {2, 2, 2, 2, 2, 2, 1},
                                  .activation = {.kind = ActivationKind::relu},
                                  .laws = std::vector<isserlis::WeightLaw<double>>(6),
                                  .variances = {1, 1, 1, 1, 1, 1},
                                  .input = {1.0, 0.5}};
        for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
            CAPTURE(seed);
            for (auto const& c : check_update_ratios(narrow, {1, 1, 1, 1, 1, 2}, 30, seed, RunControl{}, {}, 20))
                CHECK(c.verdict != Check::Verdict::disagrees);
        }
    }

    TEST_CASE("the ratios of other variances disagree") {
        auto other = model(ActivationKind::crelu);
        other.variances[1] *= 1.2;
        auto const checks = check_update_ratios(other, {1, 4.5, 4}, samples, 1, RunControl{}, {}, skewness);
        CHECK(checks[1].verdict == Check::Verdict::disagrees);
        CHECK(checks[2].verdict == Check::Verdict::agrees);
    }

    // Rates 2, 1, 3 on top: ratios 1, 9/2 1/4, 4 9/4. Standard errors relative to the two means add up.
    TEST_CASE("rates multiply, and errors are those of both sizes") {
        auto const net = model(ActivationKind::relu);
        auto const checks = check_update_ratios(net, {1, 4.5 / 4, 9}, samples, 1, RunControl{}, {2, 1, 3});
        REQUIRE(checks.size() == 3);
        auto const sizes = isserlis::monte_carlo::update_sizes(net, {1, 1, 1}, samples, 1, RunControl{});
        for (std::size_t l = 0; l < 3; ++l) {
            CHECK(checks[l].verdict == Check::Verdict::agrees);
            double const relative =
                l == 0 ? 0 : sizes[l].std_error / sizes[l].mean + sizes[0].std_error / sizes[0].mean;
            CHECK(checks[l].std_error == doctest::Approx(checks[l].mean * relative).epsilon(1e-12));
        }
    }

    // 2 6 + 6 4 + 4 3 weights, three times: drawn, forward and backward.
    TEST_CASE("a refusal counts the weights") {
        try {
            (void)check_update_ratios(model(ActivationKind::linear), {1, 4.5, 4}, 1'000'000'000'000, 1, RunControl{});
            FAIL("not refused");
        } catch (isserlis::UnsupportedError const& e) {
            CHECK(std::string(e.what()).find(" about 144000 thousand million drawn weights") != std::string::npos);
        }
    }

    TEST_CASE("work without end is refused") {
        CHECK_THROWS_AS((void)check_update_ratios(model(ActivationKind::linear), {1, 4.5, 4}, 1'000'000'000'000'000, 1,
                                                  RunControl{}),
                        isserlis::UnsupportedError);
    }
}
