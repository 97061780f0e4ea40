// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <ctime>
#include <isserlis/formula/dense_jacobian.hpp>
#include <random>

#include "../timed.hpp"
#include "jacobian_networks.hpp"

using namespace isserlis;

namespace {

using Dense = DenseJacobian<Fractions<Rational>>;

/// L ReLU layers of width n, gated to the end, variance 2 alpha/(n l).
std::vector<TransferLayer<Rational>> equal_layers(int n, int depth, Rational const& alpha = 1) {
    std::vector<TransferLayer<Rational>> out;
    for (int l = 1; l <= depth; ++l) out.push_back({n, n, alpha * ratio(2, n * l), 3, Gate<Rational>{}});
    return out;
}

double seconds_at(int depth) {
    std::clock_t const start = std::clock();
    Dense const dense(equal_layers(4, depth), 0, 1, 1);
    CHECK(dense.at(static_cast<std::size_t>(depth / 2), 1).jacobian.variance > 0);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_SUITE("formula/dense_jacobian") {
    // residual.md, section 9, E17, and issue 5: n = 4, L = 5, alpha = 1, k = 1.
    TEST_CASE("the printed dense network has the moments of the specification") {
        Dense const dense(equal_layers(4, 5), 0, 1, 1);
        auto const found = dense.at(1, 1);
        CHECK(found.reduced.mean == ratio(1, 2));
        CHECK(found.reduced.second == ratio(534681, 327680));
        CHECK(found.jacobian.second == ratio(207333, 81920));
    }

    // residual.md, section 6, closed forms for Gaussian ReLU layers of equal width, q = 1 + 5/n.
    TEST_CASE("equal widths have the closed forms of the specification") {
        for (int n = 1; n <= 4; ++n) {
            for (int depth = 1; depth <= 6; ++depth) {
                for (Rational const& alpha : {Rational(1), ratio(1, 2), ratio(7, 3)}) {
                    CAPTURE(n);
                    CAPTURE(depth);
                    Rational const q = 1 + ratio(5, n);
                    auto const squares = [&](Rational const& base, Rational const& c, int l) {
                        return Rational(base * base + c * alpha * alpha / (n * l * l));
                    };
                    auto const k_of = [&](int l) { return squares(Rational(1 + (alpha - 1) / l), 5, l); };
                    auto const p_of = [&](int l) { return squares(Rational(1 + alpha / l), 5, l); };
                    auto const m_of = [&](int l) { return squares(Rational(1 + alpha / l), -1, l); };
                    auto const product = [](int from, int to, auto const& f) {
                        Rational out = 1;
                        for (int l = from; l <= to; ++l) out *= f(l);
                        return out;
                    };
                    Dense const dense(equal_layers(n, depth, alpha), 0, 1, 1);
                    auto const mean_of = [&](int l) { return Rational(1 + (alpha - 1) / l); };
                    CHECK(dense.output().mean == product(1, depth, mean_of));
                    CHECK(dense.output().second == product(1, depth, k_of));
                    for (int k = 1; k <= depth; ++k) {
                        CAPTURE(k);
                        auto const found = dense.at(static_cast<std::size_t>(k), 1);
                        if (k == depth) {
                            CHECK(found.jacobian.second == ratio(n * (n + 1), 4) * product(1, depth - 1, p_of));
                            CHECK(found.reduced == dense.output());
                            continue;
                        }
                        Rational const around = product(1, k, k_of) * product(k + 2, depth, k_of);
                        CHECK(found.reduced.mean ==
                              alpha / (k + 1) * product(1, k, mean_of) * product(k + 2, depth, mean_of));
                        CHECK(found.reduced.second == alpha * alpha * q / ((k + 1) * (k + 1)) * around);
                        CHECK(found.jacobian.mean == n * k / (2 * alpha) * found.reduced.mean);
                        Rational const crossed = ratio(2, 3) * (1 - ratio(1, n)) * (1 - ratio(1, n));
                        CHECK(found.jacobian.second == product(1, k - 1, p_of) * n * n * alpha * alpha /
                                                           (4 * depth * depth) *
                                                           (q * q / 3 * product(k + 1, depth - 1, p_of) +
                                                            crossed * product(k + 1, depth - 1, m_of)));
                    }
                }
            }
        }
    }

    // residual.md, section 6: n = 4, alpha = 1, X4 = 1, L = 1000.
    TEST_CASE("every kurtosis leaves the output bounded at depth 1000, against the printed exp(2 |Delta| L/n)") {
        auto const second = [](Rational const& kappa) {
            auto layers = equal_layers(4, 1000);
            for (auto& l : layers) l.kurtosis = kappa;
            return static_cast<double>(Dense(layers, 0, 1, 1).output().second);
        };
        CHECK(second(1) == doctest::Approx(3.57).epsilon(0.002));
        CHECK(second(ratio(9, 5)) == doctest::Approx(4.01).epsilon(0.002));
        CHECK(second(3) == doctest::Approx(4.763).epsilon(0.002));
        CHECK(second(6) == doctest::Approx(7.32).epsilon(0.002));
    }

    // Issue 5: 10^4 layers exact, time(2L)/time(L) <= 3.
    TEST_CASE("time is quasi-linear in depth, up to ten thousand layers" * timed()) {
        double ratio = 10;
        for (int attempt = 0; attempt < 3 && ratio > 3; ++attempt) {
            double const once = seconds_at(5000);
            ratio = seconds_at(10'000) / std::max(once, 0.01);
        }
        CHECK(ratio <= 3);
    }

    // A real concatenated ReLU network, drawn: P and N apart, the input as it is; J by P^2, whose rows carry on through
    // the side of W^3 that the sign of y^2 chooses.
    TEST_CASE("the part P of a dense matrix, beside drawn networks") {
        std::vector<TransferLayer<Rational>> const layers(
            3, {.fan_in = 2, .fan_out = 2, .variance = ratio(1, 4), .kurtosis = 3});
        for (unsigned const first : {0U, 1U}) {
            CAPTURE(first);
            Dense const dense(layers, first, 1, ratio(337, 625));
            std::mt19937_64 random(5 + first);
            std::normal_distribution<double> weight(0, 0.5);
            auto const layer = [&](std::vector<double> const& h) {
                std::vector<double> z(2, 0.0);
                for (double& out : z) {
                    for (double const x : h) {
                        double const positive = weight(random);
                        double const negative = weight(random);
                        out += (x > 0 ? positive : negative) * x;
                    }
                }
                return z;
            };
            double mean = 0;
            double second = 0;
            double fourth = 0;
            constexpr int draws = 200'000;
            for (int i = 0; i < draws; ++i) {
                std::vector<double> const x{0.6, -0.8};
                auto const y1 = layer(x);
                std::vector<double> below = y1;
                if (first == 0) below.insert(below.begin(), x.begin(), x.end());
                double kept = 0;
                for (double const h : below) kept += h > 0 ? h * h : 0;
                double above = 0;  // two neurons, two outputs
                for (int j = 0; j < 4; ++j) above += std::pow(weight(random), 2);
                double const norm = kept * above;
                mean += norm / draws;
                second += norm * norm / draws;
                fourth += std::pow(norm, 4) / draws;
            }
            auto const found = dense.positive_part(2, ratio(9, 25));
            CHECK(std::abs(static_cast<double>(found.mean) - mean) < 5 * std::sqrt(second / draws));
            CHECK(std::abs(static_cast<double>(found.second) - second) < 5 * std::sqrt(fourth / draws));
        }
    }

    // Widths 2, 3, 5, 2 with variances 1/7, 1/2, 1/3, all open. W^3 reads y^1 and y^2 = W^2 y^1, so that B_1 = W^3 M with
    // M = (1; D), D = W^2 of N = 15 entries, and S = 1 + D^T D: E tr S = 3 + 15/2, E (tr S)^2 = 9 + 45 + (225 + 30)/4 = 471/4,
    // E tr S^2 = 3 + 15 + 15 9/4 = 207/4. E |B_1|^2 = 2/3 21/2 = 7, E |B_1|^4 = (2 (2 207/4 + 471/4) + 2 471/4)/9 = 226/3;
    // B_2 has 10 entries: 10/3 and 120/9.
    TEST_CASE("the part P between unequal widths, by hand") {
        auto const layer = [](int n, Rational const& variance) {
            return TransferLayer<Rational>{.fan_in = 2, .fan_out = n, .variance = variance, .kurtosis = 3};
        };
        std::vector<TransferLayer<Rational>> const layers{layer(3, ratio(1, 7)), layer(5, ratio(1, 2)),
                                                          layer(2, ratio(1, 3))};
        Dense const sums_from_one(layers, 1, 1, ratio(337, 625));
        auto const first = sums_from_one.positive_part(1, ratio(9, 25));
        CHECK(first.mean == ratio(63, 25));
        CHECK(first.second == ratio(6102, 625));
        CHECK(first.variance == ratio(2133, 625));
        // Half of y^1: E |y^1|^2 = 3/7, E |y^1|^4 = 15/49, E sum y_i^4 = 9/49, half of them 3/14 and (15 + 9)/(4 49).
        auto const second = sums_from_one.positive_part(2, ratio(9, 25));
        CHECK(second.mean == ratio(5, 7));
        CHECK(second.second == ratio(80, 49));
        CHECK(second.variance == ratio(55, 49));
        // With x = (1, -sqrt 3) beside it, of which 1 is kept: 1 + 6/7 and 1 + 12/7 + 96/49.
        auto const both = Dense(layers, 0, 4, 10).positive_part(2, 1);
        CHECK(both.mean == ratio(130, 21));
        CHECK(both.second == ratio(9160, 147));
        CHECK(both.variance == ratio(10580, 441));
    }
}
