// SPDX-License-Identifier: MIT
// Each check is shown to agree with the right value and to refuse a wrong one.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/norms.hpp>
#include <vector>

TEST_SUITE("verify/norms") {
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
        few.raw[2] = 14;  // a few errors off, and their size is a guess
        CHECK(check(few).raw[1].verdict == Check::Verdict::inconclusive);
        few.raw[2] = 100;
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

    // q = chi^2_2: E q^k = 1, 2, 8, 48, 384, about its mean 1, 0, 4, 16, 144. Of 100 samples the mean has the standard error
    // sqrt((8 - 4)/100), the second moment sqrt((384 - 64)/100), the variance sqrt((144 - 16)/100); 48 and the two last ones
    // have what was sampled, over the powers of the deviation 2 that scale them.
    TEST_CASE("a comparison by hand") {
        isserlis::ExactNorms law{.raw = {1, 2, 8, 48, 384}, .central = {1, 0, 4, 16, 144}, .log_mean = {}};
        isserlis::monte_carlo::LayerNorms seen;
        for (double const mean : {2.1, 7.0, 40.0, 300.0}) seen.raw.push_back({mean, 3.0, 100});
        for (double const mean : {4.5, 20.0, 160.0}) seen.central.push_back({mean, 8.0, 100});
        auto const checks = isserlis::compare_squared_norms({law}, {seen}, 3).at(0);
        auto const same = [](Check const& check, double mean, double error, Check::ErrorKind kind) {
            CHECK(check.mean == doctest::Approx(mean));
            CHECK(check.std_error == doctest::Approx(error));
            CHECK(check.std_error_kind == kind);
            CHECK(check.samples == 100);
        };
        REQUIRE(checks.raw.size() == 3);
        same(checks.raw[0], 2.1, 0.2, Check::ErrorKind::exact);
        same(checks.raw[1], 7, std::sqrt(3.2), Check::ErrorKind::exact);
        same(checks.raw[2], 40, 3, Check::ErrorKind::sampled);
        same(checks.variance.value(), 4.5, std::sqrt(1.28), Check::ErrorKind::exact);
        same(checks.skewness.value(), 20.0 / 8, 1, Check::ErrorKind::sampled);
        same(checks.kurtosis.value(), 10, 0.5, Check::ErrorKind::sampled);
        CHECK(checks.skewness->z == doctest::Approx(0.5));  // 16/8
        CHECK(checks.kurtosis->z == doctest::Approx(2));    // 144/16
        CHECK_FALSE(checks.log_mean);

        law.raw = {1, 2, 4.5};  // of variance 1/2
        same(isserlis::compare_squared_norms({law}, {seen}, 1).at(0).raw.at(0), 2.1, std::sqrt(0.005),
             Check::ErrorKind::exact);
        law.raw = {1, 2, 8, 48, 384};

        // Tails that 100 samples do not see: what is left has an exact standard error.
        law.tail_weight = 100;
        CHECK(isserlis::compare_squared_norms({law}, {seen}, 3).at(0).raw.size() == 3);
        law.tail_weight = 101;
        auto const tailed = isserlis::compare_squared_norms({law}, {seen}, 3).at(0);
        CHECK(tailed.raw.size() == 2);
        CHECK(tailed.variance);
        law.central.resize(3);
        CHECK_FALSE(isserlis::compare_squared_norms({law}, {seen}, 3).at(0).variance);
        law.tail_weight = 0;
        auto const short_law = isserlis::compare_squared_norms({law}, {seen}, 3).at(0);
        same(short_law.variance.value(), 4.5, 8, Check::ErrorKind::sampled);
        CHECK_FALSE(short_law.skewness);
    }

    // log q of chi^2_2 is that of an exponential variable, of skewness at most 2: 100 samples have the threshold
    // 5.3478 + 51/6 2/10 + 130/100 = 8.348.
    TEST_CASE("a logarithm has the threshold of an exponential variable") {
        isserlis::monte_carlo::LayerNorms seen;
        for (unsigned k = 1; k <= 4; ++k) seen.raw.push_back({1.0, 1.0, 100});
        for (int i = 0; i < 50; ++i) {
            seen.log_norm.push(9);
            seen.log_norm.push(11);
        }
        auto const verdict = [&](double errors) {
            double const off = errors * seen.log_norm.estimate().std_error;
            isserlis::ExactNorms const law{.raw = {1, 2}, .central = {}, .log_mean = 10 + off};
            return isserlis::compare_squared_norms({law}, {seen}, 1).at(0).log_mean.value().verdict;
        };
        CHECK(verdict(8.3) == Check::Verdict::agrees);
        CHECK(verdict(8.4) == Check::Verdict::disagrees);
    }

    // As many checks as there are exact moments: up to half their order without a look at the tails.
    TEST_CASE("few exact moments") {
        isserlis::monte_carlo::LayerNorms seen;
        for (double const mean : {2.1, 7.0, 40.0, 300.0}) seen.raw.push_back({mean, 3.0, 100});
        for (double const mean : {0.5, 0.1, 0.7}) seen.central.push_back({mean, 8.0, 100});
        auto const of = [&](std::vector<double> const& raw, std::vector<double> const& central, double tail_weight) {
            isserlis::ExactNorms const law{.raw = raw, .central = central, .log_mean = 0.5, .tail_weight = tail_weight};
            return isserlis::compare_squared_norms({law}, {seen}, 3).at(0);
        };
        CHECK(of({1, 2, 8, 48}, {}, 101).raw.size() == 1);
        CHECK(of({1, 2, 8}, {}, 101).raw.size() == 1);
        CHECK(of({1, 2}, {}, 101).raw.empty());
        auto const trusted = of({1, 2, 8, 48}, {}, 0);
        REQUIRE(trusted.raw.size() == 3);
        CHECK(trusted.raw[0].std_error_kind == Check::ErrorKind::exact);
        CHECK(trusted.raw[1].std_error_kind == Check::ErrorKind::sampled);
        CHECK(trusted.raw[1].std_error == 3);
        CHECK_FALSE(of({1, 2}, {1, 0, 0.5, 0}, 101).variance);
        CHECK(of({1, 2}, {1, 0, 0.5, 0}, 0).variance);
        CHECK_FALSE(of({1, 2}, {1, 0, 0.5, 0}, 0).skewness);
        CHECK_FALSE(of({1, 2}, {1, 0}, 0).variance);
        CHECK(of({1, 2}, {1, 0, 0.5, 0, 0.75}, 101).skewness);  // a deviation below 1
        CHECK_FALSE(of({1, 2}, {1, 0}, 0).log_mean);
        seen.log_norm.push(0.4);
        CHECK_FALSE(of({1, 2}, {1, 0}, 0).log_mean);
        seen.log_norm.push(0.7);
        CHECK(of({1, 2}, {1, 0}, 0).log_mean.value().mean == doctest::Approx(0.55));
        seen.central.clear();
        for (double const mean : {4.2, 16.5, 150.0}) seen.central.push_back({mean, 8.0, 100});
        // sqrt((356 - 16^2)/100) over 2^3, sqrt((24336 - 144^2)/100) over 2^4.
        auto const long_law = of({1, 2}, {1, 0, 4, 16, 144, 0, 356, 0, 24336}, 101);
        CHECK(long_law.skewness->std_error == doctest::Approx(0.125));
        CHECK(long_law.skewness->std_error_kind == Check::ErrorKind::exact);
        CHECK(long_law.kurtosis->std_error == doctest::Approx(6.0 / 16));
        CHECK(long_law.kurtosis->std_error_kind == Check::ErrorKind::exact);
    }

    // q = 3 in every network: computed to 1e-9 of it, in floating point. Moments of equal powers may round below 0.
    TEST_CASE("a norm that is constant is compared without an error, and to rounding only") {
        isserlis::ExactNorms const law{.raw = {1, 3, 9 - 1e-14}, .central = {1, 0, 0, 0, 0}, .log_mean = std::log(3.0)};
        auto const compared = [&](double spread, double low, double high) {
            isserlis::monte_carlo::LayerNorms seen;
            seen.raw = {{3, 0, 100}, {9, 0, 100}};
            seen.central = {{spread, 0, 100}, {0, 0, 100}, {0, 0, 100}};
            for (int i = 0; i < 50; ++i) {
                seen.log_norm.push(std::log(low));
                seen.log_norm.push(std::log(high));
            }
            return isserlis::compare_squared_norms({law}, {seen}, 2).at(0);
        };
        auto const exact = compared(8e-18, 3 - 1e-10, 3 + 1e-10);
        REQUIRE(exact.raw.size() == 2);
        CHECK(exact.raw.at(0).std_error == 0);
        CHECK(exact.raw.at(0).verdict == Check::Verdict::agrees);
        CHECK(exact.variance->verdict == Check::Verdict::agrees);
        CHECK(exact.variance->mean == 0);
        CHECK_FALSE(exact.skewness);
        CHECK(exact.log_mean->verdict == Check::Verdict::agrees);
        CHECK(exact.log_mean->std_error == 0);
        CHECK(compared(1e-17, 3, 3).variance->verdict != Check::Verdict::agrees);
        CHECK(compared(0, 3.001, 3.001).log_mean->verdict == Check::Verdict::disagrees);
        // The variance alone says that it is constant.
        isserlis::ExactNorms shorter = law;
        shorter.central.resize(3);
        isserlis::monte_carlo::LayerNorms seen;
        seen.raw = {{3, 0, 100}};
        seen.central = {{0, 0, 100}};
        for (double const q : {3 - 1e-10, 3 + 1e-10, 3 + 2e-10}) seen.log_norm.push(std::log(q));
        CHECK(isserlis::compare_squared_norms({shorter}, {seen}, 1).at(0).log_mean->std_error == 0);
        auto const wide = compared(0, 2, 4.5);
        CHECK(wide.log_mean->std_error > 0.01);
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
        // Of an orthogonal matrix of r rows and c >= r columns as many more as r c r/16.
        model = {.widths = {32, 16, 4}, .activation = {}, .laws = {}, .variances = {}, .input = {}};
        model.orthogonal = {true, false};
        CHECK(isserlis::weights_of(model) == 512 + 512 + 64);
    }
}
