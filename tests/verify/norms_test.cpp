// SPDX-License-Identifier: MIT
// Each check is shown to agree with the right value and to refuse a wrong one.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/norms.hpp>
#include <vector>

using isserlis::Check;
using isserlis::check_squared_norms;
using isserlis::ExactNorms;
using isserlis::LawKind;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::RunControl;

namespace {

constexpr std::uint64_t samples = 40'000;

/// One linear layer 2 -> 6, variance 1/2, |x|^2 = 1: q = chi^2_6 / 2, a Gamma law of shape 3 and scale 1.
NetworkModel chi_square_model() {
    return {.widths = {2, 6},
            .activation = {.kind = isserlis::ActivationKind::linear},
            .laws = {{.kind = LawKind::gaussian}},
            .variances = {0.5},
            .input = {0.6, 0.8}};
}

/// Gamma(3): E q^k = 3 4 .. (k + 2); central moments 1, 0, 3, 6, 45 (and further), E log q = psi(3).
ExactNorms gamma_three() {
    ExactNorms out;
    out.raw = {1, 3, 12, 60, 360, 2520, 20160, 181440, 1814400};
    for (std::size_t k = 0; k < out.raw.size(); ++k) {
        double central = 0;
        double choose = 1;
        for (std::size_t j = 0; j <= k; ++j) {
            central += choose * out.raw[j] * std::pow(-3.0, static_cast<double>(k - j));
            choose = choose * static_cast<double>(k - j) / static_cast<double>(j + 1);
        }
        out.central.push_back(central);
    }
    out.log_mean = 1 + 0.5 - 0.57721566490153286;
    return out;
}

RunControl parallel(unsigned threads) {
    RunControl control;
    control.threads = threads;
    return control;
}

isserlis::NormChecks check(ExactNorms const& exact, std::uint64_t seed = 1, unsigned order = 4) {
    return check_squared_norms(chi_square_model(), {exact}, false, order, samples, seed, RunControl{}).front();
}

}  // namespace

TEST_SUITE("verify/norms") {
    TEST_CASE("the moments of a Gamma law agree, with several seeds and known standard errors") {
        CHECK(gamma_three().central[2] == 3);
        CHECK(gamma_three().central[3] == 6);
        CHECK(gamma_three().central[4] == 45);
        for (std::uint64_t const seed : {1U, 2U, 3U}) {
            auto const checks = check(gamma_three(), seed);
            REQUIRE(checks.raw.size() == 4);
            for (auto const& c : checks.raw) CHECK(c.verdict == Check::Verdict::agrees);
            REQUIRE(checks.variance);
            REQUIRE(checks.skewness);
            REQUIRE(checks.kurtosis);
            REQUIRE(checks.log_mean);
            CHECK(checks.variance->verdict == Check::Verdict::agrees);
            CHECK(checks.skewness->verdict == Check::Verdict::agrees);
            CHECK(checks.kurtosis->verdict == Check::Verdict::agrees);
            CHECK(checks.log_mean->verdict == Check::Verdict::agrees);
            // Var q = 3, so the error of the mean is sqrt(3/N).
            CHECK(checks.raw[0].std_error == doctest::Approx(std::sqrt(3.0 / static_cast<double>(samples))));
            CHECK(checks.raw[0].std_error_kind == Check::ErrorKind::exact);
            // Var of (q - 3)^2 is 45 - 9.
            CHECK(checks.variance->std_error == doctest::Approx(std::sqrt(36.0 / static_cast<double>(samples))));
            CHECK(checks.log_mean->std_error_kind == Check::ErrorKind::sampled);
            CHECK(checks.raw[0].samples == samples);
        }
    }

    TEST_CASE("every single check can fail: a wrong value disagrees") {
        double const off = 1.2;
        for (std::size_t k = 1; k <= 4; ++k) {
            ExactNorms wrong = gamma_three();
            wrong.raw[k] *= off;
            CAPTURE(k);
            CHECK(check(wrong).raw[k - 1].verdict == Check::Verdict::disagrees);
            wrong = gamma_three();
            wrong.raw[k] /= off;
            // Moments beyond the second have errors of several per cent: half as much is refused too.
            if (k > 2) wrong.raw[k] /= off;
            CHECK(check(wrong).raw[k - 1].verdict == Check::Verdict::disagrees);
        }
        for (std::size_t const k : {2U, 3U, 4U}) {
            ExactNorms wrong = gamma_three();
            wrong.central[k] *= k == 4 ? 2 : 1.5;
            auto const checks = check(wrong);
            Check const c = k == 2 ? *checks.variance : k == 3 ? *checks.skewness : *checks.kurtosis;
            CAPTURE(k);
            CHECK(c.verdict == Check::Verdict::disagrees);
        }
        ExactNorms wrong = gamma_three();
        wrong.log_mean = *wrong.log_mean + 0.05;
        CHECK(check(wrong).log_mean->verdict == Check::Verdict::disagrees);
    }

    TEST_CASE("the right numbers for another network disagree: variance, width, activation, reading") {
        auto const verdict = [](NetworkModel const& model, bool pre, bool gated) {
            auto copy = model;
            copy.gated_head = gated;
            return check_squared_norms(copy, {gamma_three()}, pre, 2, samples, 1, RunControl{}).front().raw[0].verdict;
        };
        auto model = chi_square_model();
        CHECK(verdict(model, false, false) == Check::Verdict::agrees);
        model.variances = {0.52};
        CHECK(verdict(model, false, false) == Check::Verdict::disagrees);
        model = chi_square_model();
        model.widths = {2, 7};
        CHECK(verdict(model, false, false) == Check::Verdict::disagrees);
        model = chi_square_model();
        model.activation.kind = isserlis::ActivationKind::relu;
        CHECK(verdict(model, false, true) == Check::Verdict::disagrees);
        CHECK(verdict(model, true, true) == Check::Verdict::agrees);  // --pre reads z, before the gate
        CHECK(verdict(model, false, false) == Check::Verdict::agrees);
        model = chi_square_model();
        model.input = {0.6, 0.9};
        CHECK(verdict(model, false, false) == Check::Verdict::disagrees);
    }

    TEST_CASE("a law with the wrong kurtosis is seen in the second moment") {
        auto model = chi_square_model();
        model.laws = {{.kind = LawKind::laplace}};
        auto const checks = check_squared_norms(model, {gamma_three()}, false, 2, samples, 1, RunControl{}).front();
        CHECK(checks.raw[0].verdict == Check::Verdict::agrees);
        CHECK(checks.raw[1].verdict == Check::Verdict::disagrees);
    }

    TEST_CASE("moments that are not known are not checked, and the error is then the sampled one") {
        ExactNorms few;
        few.raw = {1, 3, 12};
        auto const checks = check(few);
        CHECK(checks.raw.size() == 2);
        CHECK(checks.raw[1].std_error_kind == Check::ErrorKind::sampled);
        CHECK(checks.raw[1].verdict == Check::Verdict::agrees);
        CHECK_FALSE(checks.variance);
        CHECK_FALSE(checks.log_mean);
        few.raw[2] = 14;
        CHECK(check(few).raw[1].verdict == Check::Verdict::disagrees);
    }

    TEST_CASE("the same seed gives the same numbers with any number of threads") {
        auto const one = check(gamma_three(), 5);
        for (unsigned const threads : {2U, 3U}) {
            auto const many =
                check_squared_norms(chi_square_model(), {gamma_three()}, false, 4, samples, 5, parallel(threads))
                    .front();
            CHECK(many.raw[3].mean == one.raw[3].mean);
            CHECK(many.log_mean->mean == one.log_mean->mean);
        }
        CHECK(check(gamma_three(), 6).raw[0].mean != one.raw[0].mean);
    }

    TEST_CASE("errors: a wrong number of layers, work without end, an interrupt") {
        CHECK_THROWS_AS((void)check_squared_norms(chi_square_model(), {}, false, 1, 10, 1, RunControl{}),
                        isserlis::DomainError);
        CHECK_THROWS_AS((void)check_squared_norms(chi_square_model(), {gamma_three()}, false, 1, 1'000'000'000'000'000,
                                                  1, RunControl{}),
                        isserlis::UnsupportedError);
        std::atomic<bool> const stop = true;
        RunControl stopped;
        stopped.stop = &stop;
        CHECK_THROWS_AS((void)check_squared_norms(chi_square_model(), {gamma_three()}, false, 1, 1'000'000, 1, stopped),
                        isserlis::Interrupted);
        CHECK_THROWS_AS(isserlis::require_feasible(1e6, 1'000'000'000), isserlis::UnsupportedError);
        CHECK_NOTHROW(isserlis::require_feasible(1e4, 1'000'000));
    }

    TEST_CASE("weights are counted, twice for untied concatenated ReLU") {
        auto model = chi_square_model();
        CHECK(isserlis::weights_of(model) == 12);
        model.activation.kind = isserlis::ActivationKind::crelu;
        CHECK(isserlis::weights_of(model) == 24);
        model.activation.kind = isserlis::ActivationKind::crelu_tied;
        CHECK(isserlis::weights_of(model) == 12);
    }
}
