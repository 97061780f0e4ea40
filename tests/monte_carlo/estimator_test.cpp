// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/monte_carlo/estimator.hpp>

using isserlis::monte_carlo::PowerSums;
using isserlis::monte_carlo::RunningVariance;

TEST_SUITE("monte_carlo/estimator") {
    // 1, 2, 3, 4 by hand: mean 5/2, squared deviations 5, variance 5/3, standard error sqrt(5/12).
    TEST_CASE("mean and variance of 1, 2, 3, 4, in one stream or in two") {
        for (int split = 0; split <= 4; ++split) {
            RunningVariance left;
            RunningVariance right;
            for (int i = 1; i <= 4; ++i) (i <= split ? left : right).push(i);
            left.merge(right);
            CHECK(left.count() == 4);
            CHECK(left.mean() == doctest::Approx(2.5).epsilon(1e-15));
            CHECK(left.variance() == doctest::Approx(5.0 / 3).epsilon(1e-15));
            CHECK(left.estimate().std_error == doctest::Approx(std::sqrt(5.0 / 12)).epsilon(1e-15));
            CHECK(left.estimate().samples == 4);
        }
    }

    TEST_CASE("no samples and one sample have variance 0") {
        RunningVariance running;
        CHECK(running.variance() == 0);
        running.push(7);
        CHECK(running.mean() == 7);
        CHECK(running.variance() == 0);
        CHECK(running.estimate().std_error == 0);
    }

    // The values are 10^9 + {0, 1}: variance n/(4 (n - 1)) by hand, where E X^2 - (E X)^2 would keep no digit.
    TEST_CASE("the variance survives a large mean") {
        RunningVariance running;
        for (int i = 0; i < 1000; ++i) running.push(1e9 + i % 2);
        CHECK(running.variance() == doctest::Approx(250.0 / 999).epsilon(1e-9));
    }

    // Means of 1, 2, 3, 4 by hand: 10/4, 30/4, 100/4, 354/4; the variance of X^2 is 354/4 - (30/4)^2 with divisor 4.
    TEST_CASE("power means of 1, 2, 3, 4, in one stream or in two") {
        for (int split = 0; split <= 4; ++split) {
            PowerSums left(4);
            PowerSums right(4);
            for (int i = 1; i <= 4; ++i) (i <= split ? left : right).push(i);
            left.merge(right);
            CHECK(left.mean(1) == 2.5);
            CHECK(left.mean(2) == 7.5);
            CHECK(left.mean(3) == 25);
            CHECK(left.mean(4) == 88.5);
            CHECK(left.estimate(2).std_error == doctest::Approx(std::sqrt((88.5 - 56.25) / 3)).epsilon(1e-15));
        }
    }

    // Naive summation in double returns 0 here.
    TEST_CASE("power sums do not lose small terms beside large ones") {
        PowerSums left(1);
        PowerSums right(1);
        left.push(1e17);
        for (int i = 0; i < 10; ++i) left.push(1);
        right.push(-1e17);
        left.merge(right);
        CHECK(left.mean(1) == doctest::Approx(10.0 / 12).epsilon(1e-15));
    }
}
