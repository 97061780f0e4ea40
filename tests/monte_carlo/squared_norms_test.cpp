// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/squared_norms.hpp>
#include <numbers>

#include "within_five.hpp"

using isserlis::test::check_within_five;

namespace {

using isserlis::ActivationKind;
using isserlis::LawKind;
using isserlis::monte_carlo::Estimate;
using isserlis::monte_carlo::LayerNorms;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::Precision;
using isserlis::monte_carlo::squared_norms;
using isserlis::monte_carlo::TieRule;

/// He ReLU net of widths 2, 3, 2 with a gated head and |x|^2 = 1.
NetworkModel he_model() {
    NetworkModel model;
    model.widths = {2, 3, 2};
    model.gated_head = true;
    model.laws.assign(2, {});
    model.variances = {2.0 / 2, 2.0 / 3};
    model.input = {0.6, 0.8};
    return model;
}

NetworkModel one_layer(std::size_t fan_in, std::size_t fan_out, ActivationKind kind, LawKind law) {
    NetworkModel model;
    model.widths = {fan_in, fan_out};
    model.activation.kind = kind;
    model.gated_head = true;
    model.laws = {{.kind = law}};
    model.variances = {1.0};
    model.input.assign(fan_in, 1 / std::sqrt(static_cast<double>(fan_in)));
    model.ties = TieRule::fair_coin;
    return model;
}

bool same_bits(std::vector<LayerNorms> const& a, std::vector<LayerNorms> const& b) {
    for (std::size_t q = 0; q < a.size(); ++q) {
        for (std::size_t k = 0; k < a[q].raw.size(); ++k)
            if (a[q].raw[k].mean != b[q].raw[k].mean || a[q].raw[k].std_error != b[q].raw[k].std_error) return false;
        for (std::size_t k = 0; k < a[q].central.size(); ++k)
            if (a[q].central[k].mean != b[q].central[k].mean) return false;
        if (a[q].log_norm.mean() != b[q].log_norm.mean() || a[q].log_norm.variance() != b[q].log_norm.variance() ||
            a[q].dead != b[q].dead)
            return false;
    }
    return a.size() == b.size();
}

}  // namespace

TEST_SUITE("monte_carlo/squared_norms") {
    // q_l = q_(l-1) (2/n_(l-1)) S_l with independent S_l = sum of n_l terms b chi^2_1, b a fair coin. A term has
    // moments 1/2, 3/2, 15/2, 105/2, so S has n/2, n(n+5)/4, n(n^2+15n+44)/8, n(n^3+30n^2+251n+558)/16. With n = 3 and
    // 2:
    //   S_1: 3/2, 6, 147/4, 603/2;  S_2: 1, 7/2, 39/2, 297/2; factors 1 and 2/3 per power.
    //   q_1: 3/2, 6, 147/4, 603/2;  q_2: 1, 28/3 = n_2(n_1+5)(n_2+5)/(n_0^2 n_1), 637/3, 8844.
    TEST_CASE("He ReLU 2-3-2 has E q = n_l/n_0 and E q^2 with a factor 1 + 5/n a layer") {
        for (auto const precision : {Precision::float64, Precision::float32}) {
            NetworkModel model = he_model();
            model.precision = precision;
            auto const layers = squared_norms(model, 25'000, 1, false, 2, std::vector{1.5, 1.0});
            check_within_five(layers[0].raw[0], 1.5, 6 - 2.25);
            check_within_five(layers[0].raw[1], 6, 301.5 - 36);
            check_within_five(layers[1].raw[0], 1, 25.0 / 3);
            check_within_five(layers[1].raw[1], 28.0 / 3, 78812.0 / 9);
            // E (q-1)^4 = 8844 - 4 637/3 + 6 28/3 - 4 + 1 = 24142/3.
            check_within_five(layers[1].central[0], 25.0 / 3, 24142.0 / 3 - 625.0 / 9);
            // Layer 1 is dead in 1/8 of the nets, layer 2 in 1/4 of the rest besides: 1 - (7/8)(3/4) = 11/32.
            CHECK(std::abs(static_cast<double>(layers[0].dead) / 2.5e4 - 0.125) < 5 * std::sqrt(7.0 / 64 / 2.5e4));
            CHECK(std::abs(static_cast<double>(layers[1].dead) / 2.5e4 - 11.0 / 32) <
                  5 * std::sqrt(11 * 21.0 / 1024 / 2.5e4));
            CHECK(layers[1].dead + layers[1].log_norm.count() == 25'000);
        }
    }

    // |z^1|^2 is chi^2_3 (mean 3, variance 6) and |z^2|^2 = (2/3) S_1 chi^2_2: mean 2, E q^2 = (4/9) 6 8 = 64/3.
    TEST_CASE("pre-activations are taken before every gate") {
        auto const layers = squared_norms(he_model(), 20'000, 2, true, 1, std::nullopt);
        check_within_five(layers[0].raw[0], 3, 6);
        check_within_five(layers[1].raw[0], 2, 64.0 / 3 - 4);
        CHECK(layers[0].dead == 0);
        CHECK(layers[0].central.empty());
    }

    // |h|^2 is chi^2_3 when |x| = 1 and the variance is 1: moments 3, 15, and E chi^8 = 3 5 7 9 = 945.
    TEST_CASE("linear and concatenated ReLU layers have a chi-square norm") {
        for (auto const kind : {ActivationKind::linear, ActivationKind::crelu, ActivationKind::crelu_tied}) {
            NetworkModel model = one_layer(2, 3, kind, LawKind::gaussian);
            model.input = {0.6, -0.8};
            auto const layer = squared_norms(model, 20'000, 3, false, 2, std::nullopt).front();
            check_within_five(layer.raw[0], 3, 6);
            check_within_five(layer.raw[1], 15, 945 - 225);
        }
    }

    // q is chi^2_2, twice an exponential: E log q = log 2 - Euler's gamma, Var log q = pi^2/6 (trigamma at 1); its
    // fourth central moment is 3 pi^4/20, hence the error of the sampled variance.
    TEST_CASE("the logarithm of a chi-square norm has its known mean and variance") {
        constexpr double n = 40'000;
        constexpr double variance = std::numbers::pi * std::numbers::pi / 6;
        auto const layer =
            squared_norms(one_layer(1, 2, ActivationKind::linear, LawKind::gaussian), 40'000, 4, false, 1, std::nullopt)
                .front();
        check_within_five(layer.log_norm.estimate(), std::numbers::ln2 - std::numbers::egamma, variance);
        double const fourth = 3 * std::pow(std::numbers::pi, 4) / 20;
        CHECK(std::abs(layer.log_norm.variance() - variance) < 5 * std::sqrt((fourth - variance * variance) / n));
    }

    // x = (1,1)/sqrt(2), one ReLU unit of Rademacher weights: z = 0 with probability 1/2, +-sqrt(2) with 1/4 each.
    // So E y^2 = 1/2 and E y^4 = 1, with or without the coin, and 3/4 of the outputs are dead.
    TEST_CASE("Rademacher ties are refused, or decided by a coin that no norm depends on") {
        NetworkModel model = one_layer(2, 1, ActivationKind::relu, LawKind::rademacher);
        auto const layer = squared_norms(model, 20'000, 5, false, 1, std::nullopt).front();
        check_within_five(layer.raw[0], 0.5, 0.75);
        CHECK(std::abs(static_cast<double>(layer.dead) / 2e4 - 0.75) < 5 * std::sqrt(3.0 / 16 / 2e4));
        CHECK(layer.log_norm.mean() == doctest::Approx(std::numbers::ln2).epsilon(1e-12));
        CHECK(layer.log_norm.variance() < 1e-20);

        model.ties = TieRule::refuse;
        CHECK_THROWS_AS((void)squared_norms(model, 100, 5, false, 1, std::nullopt), isserlis::UnsupportedError);
    }

    // E (q-c)^3 = E q^3 - 3 c E q^2 + 3 c^2 E q - c^3, which holds for sampled means too.
    TEST_CASE("central and raw power means of the same samples agree") {
        double const c = 1.25;
        auto const layer = squared_norms(he_model(), 3000, 6, false, 3, std::vector{c, c})[1];
        double const q1 = layer.raw[0].mean;
        double const q2 = layer.raw[1].mean;
        double const q3 = layer.raw[2].mean;
        CHECK(layer.central[1].mean == doctest::Approx(q3 - 3 * c * q2 + 3 * c * c * q1 - c * c * c).epsilon(1e-12));
        CHECK(layer.central[0].mean == doctest::Approx(q2 - 2 * c * q1 + c * c).epsilon(1e-12));
    }

    TEST_CASE("a seed gives the same bits in 1, 2 and 5 threads, and another seed others") {
        for (auto const precision : {Precision::float64, Precision::float32}) {
            NetworkModel model = he_model();
            model.precision = precision;
            auto const run = [&](std::uint64_t seed, unsigned threads) {
                return squared_norms(model, 3001, seed, false, 2, std::vector{1.5, 1.0},
                                     {.threads = threads, .progress = {}});
            };
            auto const one = run(7, 1);
            CHECK(same_bits(run(7, 2), one));
            CHECK(same_bits(run(7, 5), one));
            CHECK_FALSE(same_bits(run(8, 1), one));
        }
    }

    TEST_CASE("the run can be interrupted") {
        std::atomic<bool> const stop = true;
        CHECK_THROWS_AS((void)squared_norms(he_model(), 1000, 1, false, 1, std::nullopt,
                                            {.threads = 2, .progress = {}, .stop = &stop}),
                        isserlis::Interrupted);
    }

    TEST_CASE("impossible requests are refused before anything is drawn") {
        auto const sample = [](NetworkModel const& model, std::uint64_t samples, int max_power, std::size_t centers) {
            (void)squared_norms(model, samples, 1, false, max_power, std::vector<double>(centers, 1.0));
        };
        CHECK_NOTHROW(sample(he_model(), 2, 1, 2));
        CHECK_THROWS_AS(sample(he_model(), 1, 1, 2), isserlis::DomainError);
        CHECK_THROWS_AS(sample(he_model(), 10, 0, 2), isserlis::DomainError);
        CHECK_THROWS_AS(sample(he_model(), 10, 33, 2), isserlis::DomainError);
        CHECK_THROWS_AS(sample(he_model(), 10, 2, 3), isserlis::DomainError);
        NetworkModel model = he_model();
        model.widths.back() = 0;
        CHECK_THROWS_AS(sample(model, 10, 2, 2), isserlis::DomainError);
        model = he_model();
        model.input = {1e120, 1e120};
        CHECK_THROWS_AS(sample(model, 10, 2, 2), isserlis::UnsupportedError);
    }
}
