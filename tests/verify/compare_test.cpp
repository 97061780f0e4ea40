// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/verify/heavy_tails.hpp>
#include <limits>
#include <random>
#include <string>

using isserlis::Check;
using isserlis::compare;
using Kind = Check::ErrorKind;
using Verdict = Check::Verdict;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_SUITE("verify/compare") {
    TEST_CASE("z is the gap in standard errors; what was given is kept") {
        auto const c = compare(10, 10.5, 0.25, Kind::exact, 42);
        CHECK(c.z == 2);
        CHECK(c.mean == 10.5);
        CHECK(c.std_error == 0.25);
        CHECK(c.std_error_kind == Kind::exact);
        CHECK(c.samples == 42);
        CHECK(c.verdict == Verdict::agrees);
        CHECK(compare(10, 9.5, 0.25, Kind::sampled, 42).z == -2);
    }

    TEST_CASE("more than five standard errors disagree, on both sides; five do not") {
        CHECK(compare(10, 10 + 5 * 0.125, 0.125, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(10, 10 - 5 * 0.125, 0.125, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(10, 10 + 5.001 * 0.125, 0.125, Kind::exact, 9).verdict == Verdict::disagrees);
        CHECK(compare(-10, -10 - 5.001 * 0.125, 0.125, Kind::exact, 9).verdict == Verdict::disagrees);
    }

    TEST_CASE("a sampled error is compared by the quantile of Student's t that is as seldom") {
        // 2.8665e-7 to each side: t_29 = 6.37, t_99 = 5.35 by integrating the density.
        CHECK(isserlis::sampled_threshold(30) == doctest::Approx(6.37).epsilon(2e-3));
        CHECK(isserlis::sampled_threshold(100) == doctest::Approx(5.348).epsilon(1e-3));
        CHECK(isserlis::sampled_threshold(1'000'000'000) == doctest::Approx(5));
        // One degree of freedom, by hand: 5 + 130/4 + 17640/96 + 295800/384; of one sample, which has none, the same.
        CHECK(isserlis::sampled_threshold(2) == doctest::Approx(991.5625));
        CHECK(isserlis::sampled_threshold(1) == doctest::Approx(991.5625));
        CHECK(compare(10, 10 - 6.3 * 0.125, 0.125, Kind::sampled, 30).verdict == Verdict::agrees);
        CHECK(compare(10, 10 - 6.4 * 0.125, 0.125, Kind::sampled, 30).verdict == Verdict::disagrees);
        CHECK(compare(10, 10 - 99 * 0.0125, 0.0125, Kind::sampled, 29).verdict == Verdict::inconclusive);
        CHECK(compare(10, 10 - 9 * 0.125, 0.125, Kind::exact, 2).verdict == Verdict::disagrees);
    }

    TEST_CASE("samples that are all 0, or that few of them carry, refute nothing") {
        using isserlis::compare_sampled;
        CHECK(compare(1, 0, 0, Kind::sampled, 1000).verdict == Verdict::inconclusive);
        CHECK(compare(1, 2, 0, Kind::sampled, 1000).verdict == Verdict::disagrees);  // a constant
        CHECK(compare_sampled(1000, 1, 0.021, 1000).verdict == Verdict::inconclusive);
        CHECK(compare_sampled(1000, 1, 0.019, 1000).verdict == Verdict::disagrees);
        CHECK(compare_sampled(1.5, 1, 0.0051, 1000).verdict == Verdict::inconclusive);
        // All the same, or one with a tenth of the variance: networks that are dead, beside a loss that is not 0 there.
        CHECK(compare_sampled(1.5, 1, 0, 1000).verdict == Verdict::inconclusive);
        CHECK(compare_sampled(1.5, 1, 0, 1000).power == 0.0);
        CHECK(compare_sampled(1.5, 1.5, 0, 1000).verdict == Verdict::agrees);
        CHECK(compare_sampled(1.5, 1.5, 0, 1000).power == 0.0);  // had it been another value, nothing would be refuted
        CHECK(compare_sampled(1, 2, 0, 1000).power == 0.0);
        CHECK_FALSE(compare_sampled(0, 2, 0, 1000).power);
        // All the same is an error up to 1e-9 of the exact value, here 1e-7.
        CHECK(compare_sampled(100, 50, 0.9e-7, 1000).verdict == Verdict::inconclusive);
        CHECK(compare_sampled(100, 50, 0.9e-7, 1000).power == 0.0);
        CHECK(compare_sampled(100, 50, 1.1e-7, 1000).verdict == Verdict::disagrees);
        CHECK(compare_sampled(1.5, 1, 1e-3, 1000, 0.09).verdict == Verdict::disagrees);
        CHECK(compare_sampled(1.5, 1, 1e-3, 1000, 0.11).verdict == Verdict::inconclusive);
    }

    TEST_CASE("a standard error too large for the value confirms nothing") {
        CHECK(compare(1, 1, 0.11, Kind::exact, 9).verdict == Verdict::inconclusive);
        CHECK(compare(-1, -1, 0.11, Kind::exact, 9).verdict == Verdict::inconclusive);
        CHECK(compare(1, 1, 0.09, Kind::exact, 9).verdict == Verdict::agrees);
    }

    TEST_CASE("a value of 0 has no relative error to ask for") {
        CHECK(compare(0, 0.1, 0.1, Kind::sampled, 9).verdict == Verdict::agrees);
        CHECK(compare(0, 1, 0.1, Kind::sampled, 90).verdict == Verdict::disagrees);
        CHECK(compare(0, 0, 0, Kind::sampled, 9).verdict == Verdict::agrees);
        CHECK(compare(0, 1e-30, 0, Kind::sampled, 90).verdict == Verdict::disagrees);
    }

    TEST_CASE("constants have to be equal up to rounding") {
        CHECK(compare(3, 3, 0, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(3, 3 * (1 + 1e-12), 0, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(3, 3.001, 0, Kind::exact, 9).verdict == Verdict::disagrees);
        CHECK(compare(3, 2.999, 0, Kind::exact, 9).verdict == Verdict::disagrees);
        CHECK(compare(3, 3.001, 0, Kind::exact, 9).z == infinity);
        CHECK(compare(3, 2.999, 0, Kind::exact, 9).z == -infinity);
        CHECK(compare(1e-300, 2e-300, 0, Kind::exact, 9).verdict == Verdict::disagrees);
    }

    // Abramowitz and Stegun 26.7.5 at z = 5: 5 + 130/(4 nu) + 17640/(96 nu^2) + 295800/(384 nu^3), nu = samples - 1.
    TEST_CASE("the threshold of a sampled error, by hand") {
        CHECK(isserlis::sampled_threshold(2) == doctest::Approx(991.5625).epsilon(1e-12));
        CHECK(isserlis::sampled_threshold(3) == doctest::Approx(163.4765625).epsilon(1e-12));
    }

    TEST_CASE("where verdicts change") {
        CHECK(compare(1, 1 + 0.95e-8, 0, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(compare(1, 1 + 1.05e-8, 0, Kind::exact, 9).verdict == Verdict::disagrees);
        CHECK(compare(1, 1, 0, Kind::exact, 9).power == 1.0);
        CHECK(compare(10, 10, 1, Kind::exact, 9).verdict == Verdict::agrees);
        CHECK(isserlis::compare_sampled(1000, 10, 0.2, 1000).verdict == Verdict::disagrees);
        CHECK(isserlis::compare_sampled(1000, 10, 0.201, 1000).verdict == Verdict::inconclusive);
        CHECK(isserlis::compare_sampled(0, 10, 0.05, 1000).verdict == Verdict::disagrees);
        CHECK(std::isnan(compare(3, infinity, 0.01, Kind::exact, 1000).z));
        CHECK(std::isnan(compare(3, 3, infinity, Kind::exact, 1000).z));
        CHECK(std::isnan(compare(infinity, 3, 0.01, Kind::exact, 1000).z));
        CHECK(isserlis::compare_with_upper_bound(0, 0, 0, 1000).verdict == Verdict::holds);
        CHECK(isserlis::compare_with_upper_bound(0, 0, 0, 1000).z == 0);
        // A constant has an error up to 1e-9 of the bound, here 1e-7, and a gap up to 1e-8 of it, here 1e-6, is rounding.
        CHECK(isserlis::compare_with_upper_bound(100, 100 + 0.9e-6, 0.9e-7, 1000).z == 0);
        CHECK(isserlis::compare_with_upper_bound(100, 100 + 1.1e-6, 0.9e-7, 1000).z == infinity);
        CHECK(std::isnan(isserlis::compare_with_upper_bound(infinity, 3, 0.01, 1000).z));
        CHECK(std::isnan(isserlis::compare_with_upper_bound(3, 3, infinity, 1000).z));
    }

    // P(Z > -2.326348) = 0.99 of a normal variable.
    TEST_CASE("power: how probable a refutation is when the true mean is 10 % off") {
        CHECK(compare(10, 10, 0.2, Kind::exact, 9).power.value() == doctest::Approx(0.5).epsilon(1e-9));
        CHECK(compare(-10, -10, 1 / 7.326348, Kind::exact, 9).power.value() == doctest::Approx(0.99).epsilon(1e-6));
        CHECK(compare(10, 10, 1 / 2.673652, Kind::exact, 9).power.value() == doctest::Approx(0.01).epsilon(1e-4));
        CHECK(compare(10, 10, 1.1, Kind::exact, 9).power.value() < 1e-300);  // 100 of them then
        // Noncentral t, by integrating normal tails over the density of the sampled error; N, distance in errors.
        CHECK(compare(10, 10, 0.2, Kind::sampled, 30).power.value() == doctest::Approx(0.15593).epsilon(5e-3));
        CHECK(compare(10, 10, 0.125, Kind::sampled, 30).power.value() == doctest::Approx(0.90147).epsilon(1e-3));
        CHECK(compare(10, 10, 1.0 / 7, Kind::sampled, 100).power.value() == doctest::Approx(0.94021).epsilon(1e-3));
        // Abramowitz and Stegun 26.7.10 itself.
        CHECK(compare(1, 1, 0.015, Kind::sampled, 40).power.value() == doctest::Approx(0.7295104935).epsilon(1e-8));
        // An error of 1 in units of the standard error: both tails, Q(4) + Q(6) = 3.167124e-5 + 9.866e-10; of 30 samples
        // 2.277670e-5 + 1.0036e-8.
        CHECK(compare(10, 10, 1, Kind::exact, 9).power.value() / 3.167222842e-5 == doctest::Approx(1).epsilon(1e-6));
        CHECK(compare(10, 10, 1, Kind::sampled, 30).power.value() / 2.2786739e-5 == doctest::Approx(1).epsilon(1e-6));
        CHECK(isserlis::compare_sampled(10, 10, 0.01, 1000).power.value() == doctest::Approx(0.5052).epsilon(1e-2));
        CHECK(isserlis::compare_sampled(10, 10, 0.1, 1000).power.value() < 1e-100);
    }

    TEST_CASE("power: certain of constants, none where nothing refutes, not stated of bounds and of 0") {
        CHECK(compare(3, 3, 0, Kind::exact, 2).power == 1.0);
        CHECK(compare(3, 3, 0, Kind::sampled, 29).power == 0.0);
        CHECK(compare(3, 3, 0.01, Kind::sampled, 29).power == 0.0);
        CHECK(compare(3, 0, 0, Kind::sampled, 1000).power == 0.0);
        CHECK(compare(3, infinity, 0.01, Kind::exact, 1000).power == 0.0);
        CHECK(compare(3, 3, infinity, Kind::exact, 1000).power == 0.0);
        CHECK_FALSE(compare(0, 0, 0.01, Kind::exact, 1000).power);
        CHECK_FALSE(isserlis::compare_with_upper_bound(3, 2, 0.01, 1000).power);
    }

    TEST_CASE("power is the share of samples, of a mean that is 10 % off, whose verdict is disagrees") {
        std::mt19937_64 random(20191125);
        std::normal_distribution<double> normal(11, 4);
        constexpr int runs = 4000;
        constexpr std::uint64_t samples = 900;  // errors of 4/30: 7.5 of them are 10 %
        int refuted = 0;
        double stated = 0;
        for (int run = 0; run < runs; ++run) {
            double sum = 0;
            double squares = 0;
            for (std::uint64_t i = 0; i < samples; ++i) {
                double const x = normal(random);
                sum += x;
                squares += x * x;
            }
            auto const n = static_cast<double>(samples);
            double const mean = sum / n;
            double const error = std::sqrt((squares / n - mean * mean) / (n - 1));
            Check const c = compare(10, mean, 1.4 * error, Kind::sampled, samples);
            refuted += compare(10, mean, error, Kind::sampled, samples).verdict == Verdict::disagrees ? 1 : 0;
            stated += compare(10, mean, error, Kind::sampled, samples).power.value();
            CHECK(c.power.value() < 0.9);
        }
        CHECK(refuted == doctest::Approx(stated).epsilon(0.01));
        CHECK(refuted < runs);
    }

    TEST_CASE("beside an exact error the sampled one has to see the gap too") {
        using isserlis::compare_with_exact_error;
        // 40 true errors away, and the sample's own error is the gap: one network did it.
        auto const carried = compare_with_exact_error(10, 15, 0.125, 5, 1000);
        CHECK(carried.verdict == Verdict::inconclusive);
        CHECK(carried.z == 1);
        CHECK(carried.std_error == 5);
        CHECK(carried.std_error_kind == Kind::sampled);
        auto const refuted = compare_with_exact_error(10, 15, 0.125, 0.125, 1000);
        CHECK(refuted.verdict == Verdict::disagrees);
        CHECK(refuted.z == 40);
        CHECK(refuted.std_error == 0.125);
        CHECK(refuted.std_error_kind == Kind::exact);
        // sampled_threshold(1000) = 5.0325; where the sampled error is the smaller, the true one decides.
        CHECK(compare_with_exact_error(10, 15, 0.125, 5 / 5.03, 1000).verdict == Verdict::inconclusive);
        CHECK(compare_with_exact_error(10, 15, 0.125, 5 / 5.04, 1000).verdict == Verdict::disagrees);
        CHECK(compare_with_exact_error(10, 10.6, 0.125, 1e-3, 1000).verdict == Verdict::agrees);
        CHECK(compare_with_exact_error(10, 10.6, 0.125, 9, 1000).std_error_kind == Kind::exact);
        CHECK(compare_with_exact_error(10, 10.6, 0.125, 9, 1000).sampled_error == 9.0);
        CHECK(carried.sampled_error == 5.0);
        CHECK_FALSE(compare_with_exact_error(10, 10.6, 0.125, std::nan(""), 1).sampled_error);
        CHECK(compare_with_exact_error(10, 10.7, 0.125, 1e-3, 1000).verdict == Verdict::disagrees);
        CHECK(compare_with_exact_error(10, 15, 0.125, 1, 1000).z == 5);
        // An error above a tenth of the value asks for 100 of them, 0.9 being a tenth of the value.
        CHECK(compare_with_exact_error(10, 10, 1.1, 1, 1000).power.value() < 1e-100);
        // A constant has an error up to 1e-9 of its value, and two networks refute another one.
        CHECK(compare_with_exact_error(100, 100, 0.9e-7, 1, 2).power == 1.0);
        CHECK(compare_with_exact_error(100, 100, 1.1e-7, 1, 2).power == 0.0);
        // Two networks refute nothing, three what is beyond 163.48 sampled errors; of constants one is enough.
        CHECK(compare_with_exact_error(10, 15, 0.125, 0, 2).verdict == Verdict::inconclusive);
        CHECK(std::isnan(compare_with_exact_error(10, 15, 0.125, 0, 2).z));
        CHECK(compare_with_exact_error(10, 15, 0.125, 5 / 163.4, 3).verdict == Verdict::inconclusive);
        CHECK(compare_with_exact_error(10, 15, 0.125, 5 / 163.5, 3).verdict == Verdict::disagrees);
        CHECK(compare_with_exact_error(10, 15, 0.125, infinity, 1000).verdict == Verdict::inconclusive);
        CHECK(compare_with_exact_error(10, 15, 0.125, infinity, 1000).power == 0.0);
        CHECK(compare_with_exact_error(10, 11, 0, 5, 2).verdict == Verdict::disagrees);
        CHECK(compare_with_exact_error(10, 10, 0, 5, 2).power == 1.0);
        CHECK(compare_with_exact_error(10, 10, 0.125, 0, 2).power == 0.0);
        CHECK(compare_with_exact_error(10, 10, 1e-6, 1e-6, 1000).power == 1.0);
        CHECK(compare_with_exact_error(10, 11, 1e-6, 1, 1000).verdict == Verdict::inconclusive);
        CHECK_FALSE(compare_with_exact_error(0, 0, 0.125, 0, 1000).power);
        // E x = 30, E x^2 = 925, 100 samples: an error of 1/2.
        CHECK(isserlis::compare_with_second_moment(30, 925, 33, 0.5, 100).verdict == Verdict::disagrees);
        CHECK(isserlis::compare_with_second_moment(30, 925, 33, 3, 100).verdict == Verdict::inconclusive);
        CHECK(isserlis::compare_with_second_moment(30, 925, 31, 3, 100).std_error == 0.5);
        CHECK(isserlis::compare_with_second_moment(30, 900 - 1e-13, 30, 3, 100).std_error == 0);
    }

    // Var Z^3 = 15. A mean of ten is 5 of its errors off once in 670 samples, since one of them is: 10 P(|Z| > 3.9).
    TEST_CASE("right values of heavy tails are not refuted by their exact errors") {
        std::mt19937_64 random(20241125);
        std::normal_distribution<double> normal;
        constexpr int samples = 10;
        int by_one = 0;
        for (int run = 0; run < 20'000; ++run) {
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < samples; ++i) {
                double const x = std::pow(normal(random), 3);
                sum += x;
                squares += x * x;
            }
            double const mean = sum / samples;
            double const sampled = std::sqrt((squares / samples - mean * mean) / (samples - 1));
            double const error = std::sqrt(15.0 / samples);
            by_one += compare(0, mean, error, Kind::exact, samples).verdict == Verdict::disagrees ? 1 : 0;
            CHECK(isserlis::compare_with_exact_error(0, mean, error, sampled, samples).verdict != Verdict::disagrees);
        }
        CHECK(by_one > 10);
    }

    TEST_CASE("power by both errors is the share that is refuted") {
        std::mt19937_64 random(20211125);
        constexpr int runs = 4000;
        for (int const samples : {10, 60, 900}) {
            double const deviation = std::sqrt(samples) / 6.5;  // 10 % of 10 are 6.5 errors
            std::normal_distribution<double> normal(11, deviation);
            double const error = deviation / std::sqrt(samples);
            int refuted = 0;
            double stated = 0;
            for (int run = 0; run < runs; ++run) {
                double sum = 0;
                double squares = 0;
                for (int i = 0; i < samples; ++i) {
                    double const x = normal(random);
                    sum += x;
                    squares += x * x;
                }
                double const mean = sum / samples;
                double const sampled = std::sqrt((squares / samples - mean * mean) / (samples - 1));
                auto const count = static_cast<std::uint64_t>(samples);
                Check const c = isserlis::compare_with_exact_error(10, mean, error, sampled, count);
                refuted += c.verdict == Verdict::disagrees ? 1 : 0;
                stated = c.power.value();
            }
            CAPTURE(samples);
            CHECK(std::fabs(refuted / static_cast<double>(runs) - stated) < 0.025);  // 3 deviations
            CHECK(refuted < runs);
        }
        // Of three samples the sampled error over the true one, S, has P(S > s) = exp(-s^2). Z, 160 errors away, is beyond
        // 163.4765625 S with probability 1 - E exp(-a Z^2) = 1 - exp(-160^2 a/(1 + 2a))/sqrt(1 + 2a), a = 163.4765625^-2.
        auto const three = isserlis::compare_with_exact_error(10, 10, 1.0 / 160, 1, 3);
        CHECK(three.power.value() == doctest::Approx(0.6162964923).epsilon(1e-6));
        // Without fluctuations of the sampled error: P(Z > -2.326348) = 0.99.
        auto const many = isserlis::compare_with_exact_error(10, 10, 1 / 7.326348, 1, 1'000'000'000);
        CHECK(many.power.value() == doctest::Approx(0.99).epsilon(1e-5));
    }

    TEST_CASE("the threshold of a skewed variable, by hand, and of minus an exponential one") {
        CHECK(isserlis::skewed_threshold(100, 2) == doctest::Approx(isserlis::sampled_threshold(100) + 1.7 + 1.3));
        CHECK(isserlis::compare_skewed(10, 10 - 8.3 * 0.01, 0.01, 100, 2).verdict == Verdict::agrees);
        CHECK(isserlis::compare_skewed(10, 10 - 8.4 * 0.01, 0.01, 100, 2).verdict == Verdict::disagrees);
        CHECK(isserlis::compare_skewed(10, 10 - 99 * 0.01, 0.01, 29, 2).verdict == Verdict::inconclusive);
        // Of one sample, 991.5625 + 51/6 2 + 130.
        CHECK(isserlis::skewed_threshold(1, 2) == doctest::Approx(1138.5625).epsilon(1e-12));
        // A value of 0 is never small beside its error; 7 errors are beyond t's 5.35 and within 8.35.
        // J of the one layer of 2,1 has norm 1 in every network; rounded, its logarithm was refuted.
        CHECK(isserlis::compare_log_mean(0, 2e-16, 0, 30).verdict == Verdict::agrees);
        CHECK(isserlis::compare_log_mean(0, 2e-16, 1e-17, 30).verdict == Verdict::agrees);
        CHECK(isserlis::compare_log_mean(0, 2e-9, 0, 30).verdict == Verdict::disagrees);
        CHECK(isserlis::compare_log_mean(10, 10 - 8.4 * 0.01, 0.01, 100).verdict == Verdict::disagrees);
        CHECK(isserlis::compare_skewed(0, -0.7, 0.1, 100, 2).verdict == Verdict::agrees);
        CHECK(isserlis::compare_skewed(0, -0.9, 0.1, 100, 2).verdict == Verdict::disagrees);
        for (double const value : {1.0, 10.0}) {
            auto const blunt = isserlis::compare_skewed(value, value, 0.11 * value, 1000, 2);
            CHECK(blunt.verdict == Verdict::inconclusive);
            CHECK(blunt.power.value() < 1e-100);
        }
        // Below 30 samples nothing is refuted. With 30 the threshold is 6.3708 + 17/sqrt(30) + 130/30 = 13.808, and 10 % are
        // 10 errors: normal tails by Abramowitz and Stegun 26.7.10, (13.689 - 10)/2.070 = 1.782 deviations.
        CHECK(isserlis::compare_skewed(10, 10, 0.1, 29, 2).power == 0.0);
        CHECK(isserlis::compare_skewed(10, 10, 0.1, 30, 2).power.value() == doctest::Approx(0.03741).epsilon(1e-4));
        std::mt19937_64 random(20221125);
        std::exponential_distribution<double> exponential;
        constexpr int samples = 30;
        int by_t = 0;
        for (int run = 0; run < 50'000; ++run) {
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < samples; ++i) {
                double const x = -exponential(random);
                sum += x;
                squares += x * x;
            }
            double const mean = sum / samples;
            double const error = std::sqrt((squares / samples - mean * mean) / (samples - 1));
            by_t += std::fabs(mean + 1) > isserlis::sampled_threshold(samples) * error ? 1 : 0;
            CHECK(isserlis::compare_skewed(-1, mean, error, samples, 2).verdict != Verdict::disagrees);
        }
        CHECK(by_t > 5);  // of a symmetric variable once in 1.7 million
    }

    TEST_CASE("a bound is violated on its wrong side alone, beyond the quantile of its samples") {
        using isserlis::compare_with_lower_bound;
        using isserlis::compare_with_upper_bound;
        CHECK(compare_with_upper_bound(10, 2, 0.125, 9).verdict == Verdict::holds);
        // `sampled_threshold(1000)` is 5.0325: 5 + (5^3 + 5)/(4 999) + 2.2e-4.
        CHECK(compare_with_upper_bound(10, 10 + 5.03 * 0.125, 0.125, 1000).verdict == Verdict::holds);
        CHECK(compare_with_upper_bound(10, 10 + 5.04 * 0.125, 0.125, 1000).verdict == Verdict::fails);
        CHECK(compare_with_lower_bound(10, 20, 0.125, 9).verdict == Verdict::holds);
        CHECK(compare_with_lower_bound(10, 10 - 5.03 * 0.125, 0.125, 1000).verdict == Verdict::holds);
        CHECK(compare_with_lower_bound(10, 10 - 5.04 * 0.125, 0.125, 1000).verdict == Verdict::fails);
        // Two networks on the wrong side, which happens: `hessian 2,2,1 --check 2 --seed 173` had "fails" at z = 9.7.
        CHECK(compare_with_upper_bound(10, 10.1, 0.125, 2).verdict == Verdict::inconclusive);
        CHECK(compare_with_upper_bound(10, 12, 0.125, 29).verdict == Verdict::inconclusive);
        CHECK(compare_with_upper_bound(10, 12, 0.125, 30).verdict == Verdict::fails);
        CHECK(compare_with_lower_bound(10, 9.5, 0.25, 9).z == -2);
        CHECK(compare_with_lower_bound(10, 9.5, 0.25, 9).mean == 9.5);
        CHECK(compare_with_upper_bound(3, 3 * (1 + 1e-12), 0, 9).verdict == Verdict::holds);
        CHECK(compare_with_upper_bound(3, 3.001, 0, 30).verdict == Verdict::fails);
        CHECK(compare_with_upper_bound(3, 3.001, 0, 9).verdict == Verdict::inconclusive);
        CHECK(compare_with_upper_bound(3, infinity, 1, 9).verdict == Verdict::inconclusive);
    }

    TEST_CASE("what is not a number never agrees") {
        CHECK(compare(not_a_number, 1, 0.1, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, not_a_number, 0.1, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, 1, not_a_number, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, not_a_number, 0, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(not_a_number, not_a_number, 0, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, 1, infinity, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(infinity, 1, 0.1, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(infinity, infinity, infinity, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(infinity, 5, 0, Kind::exact, 9).verdict != Verdict::agrees);
        CHECK(compare(1, infinity, 0, Kind::exact, 9).verdict != Verdict::agrees);
    }

    TEST_CASE("names are those of the JSON contract") {
        CHECK(std::string(name(Kind::exact)) == "exact");
        CHECK(std::string(name(Kind::sampled)) == "sampled");
        CHECK(std::string(name(Verdict::agrees)) == "agrees");
        CHECK(std::string(name(Verdict::disagrees)) == "disagrees");
        CHECK(std::string(name(Verdict::inconclusive)) == "inconclusive");
    }
}
