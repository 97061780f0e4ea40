// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/growth_bounds.hpp>

#include <algorithm>

#include "jacobian_networks.hpp"

using namespace isserlis;
using isserlis::testing::AnyNetwork;
using isserlis::testing::Net;

namespace {

using Stages = std::vector<TransferStage<Rational>>;
using Layers = std::vector<TransferLayer<Rational>>;

TransferLayer<Rational> one_sided(TransferLayer<Rational> layer, bool above) {
    layer.kurtosis = above ? std::max(layer.kurtosis, Rational(3)) : std::min(layer.kurtosis, Rational(3));
    return layer;
}
Stages one_sided(Stages stages, bool above) {
    for (auto& stage : stages)
        for (auto& l : stage.layers) l = one_sided(l, above);
    return stages;
}
Layers one_sided(Layers layers, bool above) {
    for (auto& l : layers) l = one_sided(l, above);
    return layers;
}

TransferLayer<Rational> he(int fan_in, int fan_out, Rational const& kurtosis = 3) {
    return {.fan_in = fan_in, .fan_out = fan_out, .variance = ratio(2, fan_in), .kurtosis = kurtosis, .gate = {}};
}

void check_between(LayerJacobian<Rational> const& exact, Rational const& lower, Rational const& upper,
                   Rational const& kurtosis) {
    Rational const square = exact.reduced.mean * exact.reduced.mean;
    CHECK(exact.reduced.second >= lower * square);
    CHECK(exact.reduced.second <= upper * square);
    auto const bounds = growth_variance<Rational>(exact.jacobian.mean, lower, upper, std::max(kurtosis, Rational(3)));
    CHECK(exact.jacobian.variance >= bounds.lower);
    CHECK(exact.jacobian.variance <= bounds.upper);
}

bool is_gaussian(Stages const& stages) {
    return std::all_of(stages.begin(), stages.end(), [](auto const& b) {
        return std::all_of(b.layers.begin(), b.layers.end(), [](auto const& l) { return l.kurtosis == 3; });
    });
}

}  // namespace

TEST_SUITE("formula/growth_bounds") {
    // [Residual 2019, eq. (76)]: (1 + 5/4)(1 + 5/2) = 63/8, and 2/n for a linear head: (9/4)(1 + 2/2) = 9/2.
    TEST_CASE("two layers of 4 and 2 neurons") {
        Stages stages{{.layers = {he(3, 4)}}, {.layers = {he(4, 2)}}};
        CHECK(ChainGrowth(stages).output() == ratio(63, 8));
        CHECK(ChainGrowth(stages).reduced(0) == ratio(63, 8));
        stages[1].layers[0].gate = Gate<Rational>::open();
        CHECK(ChainGrowth(stages).output() == ratio(9, 2));
        // Signs: Delta = -4, so that a layer of 4 grows by 1 + (5 - 4)/4.
        CHECK(layer_growth(he(3, 4, 1)) == ratio(5, 4));
    }

    // [Residual 2019, eq. (94)] at alpha = 1, m = 2: beta = 1 + 2(1 + 2/n) + (1 + 5/n)(1 + 2/n), over (1 + mu)^2 = 4.
    TEST_CASE("a residual block of width 2") {
        TransferLayer<Rational> last{.fan_in = 2, .fan_out = 2, .variance = ratio(1, 2), .kurtosis = 3};
        Stages const stages{{.layers = {he(2, 2), last}, .skip = true, .count = 3}};
        Rational const beta = 1 + 4 + ratio(7, 2) * 2;
        CHECK(ChainGrowth(stages).output() == power(Rational(beta / 4), 3));
        CHECK(ChainGrowth(stages).reduced(0) == 7 * power(Rational(beta / 4), 2));
    }

    TEST_CASE("vanilla and residual networks of any law lie between the bounds; Gaussian ones on both") {
        AnyNetwork any(11);
        int gaussian = 0;
        for (int round = 0; round < 300; ++round) {
            CAPTURE(round);
            Net const net = round % 2 == 0 ? any.chain() : any.residual();
            Stages const stages = transfer_stages(net);
            Rational const flat = 1 / net.input_width;
            Rational const fourth = flat + (1 - flat) * ratio(any.any(0, 4), 4);
            ChainJacobian<Fractions<Rational>> const chain(stages, 1, fourth);
            ChainGrowth const low(one_sided(stages, false));
            ChainGrowth const high(one_sided(stages, true));
            auto const y = chain.output();
            CHECK(y.second >= low.output() * y.mean * y.mean);
            CHECK(y.second <= high.output() * y.mean * y.mean);
            if (is_gaussian(stages)) {
                ++gaussian;
                CHECK(y.second == low.output() * y.mean * y.mean);
            }
            chain.for_each(1, [&](StagePlace<> const& at, LayerJacobian<Rational> const& found) {
                check_between(found, low.reduced(at.run), high.reduced(at.run),
                              stages[at.run].layers[at.matrix - 1].kurtosis);
            });
        }
        CHECK(gaussian > 3);
    }

    TEST_CASE("dense networks of any law lie between the bounds, summed from y^0 or y^1") {
        AnyNetwork any(12);
        for (int round = 0; round < 300; ++round) {
            CAPTURE(round);
            auto const first = static_cast<unsigned>(round % 2);
            Net const net = any.dense(first);
            Layers const layers = dense_layers(net);
            DenseJacobian<Fractions<Rational>> const dense(layers, first, 1, 1);
            dense.for_each(1, [&](std::size_t k, LayerJacobian<Rational> const& found) {
                check_between(found, dense_growth(one_sided(layers, false), first, k),
                              dense_growth(one_sided(layers, true), first, k), layers[k - 1].kurtosis);
            });
        }
    }

    // The two columns as printed: residual.md, E4 (Delta = -1/4 for signs at n = 4), Lemma 2 and Theorem 2.
    TEST_CASE("the printed growths") {
        TransferLayer<Surd> const signs{.fan_in = 4, .fan_out = 4, .variance = ratio(1, 2), .kurtosis = 1, .gate = {}};
        CHECK(printed_delta(signs) == Surd(ratio(-1, 4)));
        std::vector<TransferStage<Surd>> const stages{{.layers = {signs}, .count = 5}};
        auto const [lower, upper] = lemma_2_growth(stages, {Surd(ratio(1, 4))});
        CHECK(lower.rate == Surd(4 * ratio(19, 32)));  // four layers of (5 - 1/4)/8
        CHECK(upper.rate == Surd(4 * ratio(21, 16)));
        CHECK(lower.factor == Surd(ratio(35, 16)));  // the last: 1 + (5 - 1/4)/4
        CHECK(upper.factor == Surd(ratio(37, 16)));
        // n = 20, alpha = 1/5, m = 2: rho = (1/25)(5/4) = 1/20, C_1 = 4/5; at one stage mu = 1/25.
        auto const [low, high] = theorem_2_growth<Surd>(20, Surd(ratio(1, 5)), 0, 2, std::uint64_t{1});
        CHECK(low.factor == Surd(ratio(4 * 625, 5 * 400)));
        CHECK(low.rate == Surd(ratio(1, 800)));
        CHECK(high.factor == Surd(ratio(625, 400)));
        CHECK(high.rate == Surd(ratio(1, 10)));  // 2 L rho
        // m = 3: rho^(3/2) = rho sqrt(rho).
        auto const third = theorem_2_growth<Surd>(20, Surd(ratio(1, 5)), 0, 3, std::uint64_t{10}).second;
        CHECK(third.rate * third.rate == Surd(400 * ratio(1, 8000)));
        // n = 20, alpha = 1/2, m = 2, |Delta| = 1, three stages: rho = (1/4)(6/5) and (1/4)(13/10), mu = (1/4)(5/4)^2, C_1 = 20/24.
        auto const [below, above] = theorem_2_growth<Surd>(20, Surd(ratio(1, 2)), 1, 2, std::uint64_t{3});
        CHECK(below.factor == Surd(ratio(5, 6) * ratio(9, 100) / ratio(625, 4096)));
        CHECK(below.rate == Surd(3 * ratio(9, 200)));
        CHECK(above.factor == Surd(ratio(169, 1600) / ratio(625, 4096)));
        CHECK(above.rate == Surd(2 * 3 * ratio(13, 40)));
    }

    // E ||J||^2 = 2: 4 (3/4 - 1) and 4 (5 - 1).
    TEST_CASE("bounds of a variance by hand") {
        auto const bounds = growth_variance<Rational>(2, 3, 5, 4);
        CHECK(bounds.lower == Rational(-1));
        CHECK(bounds.upper == Rational(16));
    }
}
