// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/initialisation.hpp>
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/network/scheme.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "layers.hpp"
#include "real_network.hpp"

using isserlis::Activation;
using isserlis::ActivationKind;
using isserlis::Exponent;
using isserlis::FullyConnected;
using isserlis::Integer;
using isserlis::output_variance;
using isserlis::output_variance_printed;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Scheme;
using isserlis::squared_norm_gain;
using isserlis::Surd;
using isserlis::update_ratio;
using isserlis::weight_variance;
using isserlis::testing::any_int;
using isserlis::testing::holds;
using isserlis::testing::layer;
using isserlis::testing::network;

namespace {

using Count = std::uint64_t;

template <class R>
FullyConnected<R, Count> initialised(std::vector<int> const& widths, ActivationKind kind, Scheme scheme,
                                     R const& slope = R(0)) {
    auto net = isserlis::testing::network_of_widths(std::vector<R>(widths.begin(), widths.end()), kind, slope);
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        auto& run = net.layers[l];
        run.variance = weight_variance(scheme, net.activation, run.fan_in, run.fan_out, l + 1 == net.layers.size());
    }
    return net;
}

std::vector<int> any_widths(int most_layers) {
    std::vector<int> out;
    for (int i = any_int(2, most_layers + 1); i > 0; --i) out.push_back(any_int(1, 40));
    return out;
}

/// E|dP_l|^2 of a deep linear network of random signs with a constant gradient g at the output, over every assignment:
/// dP_l = (W_n .. W_(l+1))' g (W_(l-1) .. W_1 x)'.
std::vector<Rational> enumerated_updates(std::vector<int> const& widths, std::vector<std::int64_t> const& x,
                                         std::vector<std::int64_t> const& g) {
    std::size_t const layers = widths.size() - 1;
    std::vector<isserlis::testing::DiscreteLaw> laws;
    for (std::size_t l = 0; l < layers; ++l) {
        laws.insert(laws.end(), static_cast<std::size_t>(widths[l]) * static_cast<std::size_t>(widths[l + 1]),
                    isserlis::testing::rademacher());
    }
    std::vector<std::int64_t> sums(layers, 0);
    isserlis::testing::for_each_assignment(laws, [&](std::vector<int> const& weights, std::int64_t) {
        // Forward: the input of every layer. Backward: the gradient at its output.
        std::vector<std::vector<std::int64_t>> inputs = {x};
        std::vector<std::size_t> offsets;
        std::size_t offset = 0;
        for (std::size_t l = 0; l < layers; ++l) {
            offsets.push_back(offset);
            std::vector<std::int64_t> out(static_cast<std::size_t>(widths[l + 1]), 0);
            for (auto& y : out) {
                for (auto const v : inputs[l]) y += weights[offset++] * v;
            }
            inputs.push_back(out);
        }
        std::vector<std::int64_t> back = g;
        for (std::size_t l = layers; l-- > 0;) {
            std::int64_t in_norm = 0;
            std::int64_t back_norm = 0;
            for (auto const v : inputs[l]) in_norm += v * v;
            for (auto const v : back) back_norm += v * v;
            sums[l] += in_norm * back_norm;
            std::vector<std::int64_t> below(inputs[l].size(), 0);
            for (std::size_t i = 0; i < back.size(); ++i) {
                for (std::size_t j = 0; j < below.size(); ++j)
                    below[j] += weights[offsets[l] + i * below.size() + j] * back[i];
            }
            back = below;
        }
    });
    std::vector<Rational> out;
    for (auto const s : sums) out.push_back(ratio(Integer(s), isserlis::power(Integer(2), laws.size())));
    return out;
}

}  // namespace

TEST_SUITE("formula/initialisation") {
    // [Hettinger 2019, Thm 4.6]: exactly the proportional variances make all update ratios 1.
    TEST_CASE("under the proportional scheme every layer's first update has the same relative size") {
        holds([] {
            auto const net = initialised<Surd>(any_widths(6), ActivationKind::crelu, Scheme::proportional);
            for (auto const& run : net.layers) RC_ASSERT(update_ratio(run, net.layers.front()) == Surd(1));
        });
        auto const he = initialised<Rational>({2, 10, 10, 1}, ActivationKind::relu, Scheme::he);
        // By hand: v_1^2 d_1 d_0/(v_2^2 d_2 d_1) = (1 * 20)/(1/25 * 100) = 5.
        CHECK(update_ratio(he.layers[1], he.layers[0]) == Rational(5));
        CHECK(update_ratio(he.layers[2], he.layers[0]) == Rational(50));
    }

    // Second method: every sign of every weight of deep linear networks; then variances are put in by homogeneity.
    TEST_CASE("update ratios of deep linear networks equal full enumeration for any variances") {
        for (auto const& widths : std::vector<std::vector<int>>{{2, 3, 1}, {1, 2, 3, 1}, {2, 2, 2, 2}, {3, 1, 2}}) {
            std::vector<std::int64_t> x(static_cast<std::size_t>(widths.front()), 3);
            x.back() = -1;
            std::vector<std::int64_t> g(static_cast<std::size_t>(widths.back()), 2);
            g.front() = 5;
            auto const updates = enumerated_updates(widths, x, g);
            auto net = isserlis::testing::network_of_widths(std::vector<Rational>(widths.begin(), widths.end()),
                                                            ActivationKind::linear);
            int next = 1;
            Rational all = 1;
            for (auto& run : net.layers) {
                run.variance = ratio(next, 7 - next);
                all *= run.variance;
                ++next;
            }
            // |dP_l|^2 holds every weight twice but those of layer l; E|P_l|^2 = v_l d_l d_(l-1).
            auto relative = [&](std::size_t l) {
                auto const& run = net.layers[l];
                return updates[l] * all / run.variance / (run.variance * run.fan_in * run.fan_out);
            };
            for (std::size_t l = 0; l < net.layers.size(); ++l) {
                CHECK(update_ratio(net.layers[l], net.layers[0]) == relative(l) / relative(0));
            }
        }
    }

    // [Hettinger 2019, Cor 4.7]: E|x_n|^2 = sqrt(d_n/d_0) |x_0|^2; vector C47 has 2,8,2,8.
    TEST_CASE("proportional crelu networks change the squared norm by sqrt(d_n/d_0), whatever lies between") {
        holds([] {
            auto const widths = any_widths(7);
            for (auto const kind : {ActivationKind::crelu, ActivationKind::crelu_tied, ActivationKind::linear}) {
                auto const net = initialised<Surd>(widths, kind, Scheme::proportional);
                RC_ASSERT(squared_norm_gain(net) == isserlis::sqrt(ratio(widths.back(), widths.front())));
            }
        });
        CHECK(squared_norm_gain(initialised<Surd>({2, 8, 2, 8}, ActivationKind::crelu, Scheme::proportional)) ==
              Surd(2));
    }

    // He: every hidden layer keeps the norm per unit, the linear head doubles what a gate would halve.
    TEST_CASE_TEMPLATE("He networks end with 2 d_n/d_0 at a linear head and d_n/d_0 at a gated one", R, Rational,
                       double, Surd, RationalFunction) {
        auto net = initialised<R>({4, 7, 3, 2}, ActivationKind::relu, Scheme::he);
        auto const near = [](R const& a, R const& b) {
            if constexpr (std::is_floating_point_v<R>)
                return std::abs(a - b) < 1e-14;
            else
                return a == b;
        };
        CHECK(near(squared_norm_gain(net), R(1)));
        net.gated_head = true;
        CHECK(near(squared_norm_gain(net), R(1) / R(2)));
        auto const leaky = initialised<R>({4, 7, 3, 2}, ActivationKind::leaky, Scheme::he, R(1) / R(2));
        CHECK(near(squared_norm_gain(leaky), R(4) / R(5)));  // 2/4 without the head's 5/8
    }

    // Real networks, every sign of every weight: max(0, z) is applied.
    TEST_CASE("the gain equals full enumeration of real networks") {
        struct Case {
            std::vector<int> widths;
            ActivationKind kind;
            std::int64_t slope;
            bool gated_head;
            std::vector<std::int64_t> input;
        };
        for (auto const& c : std::vector<Case>{{{2, 2, 2}, ActivationKind::relu, 0, false, {5, 1}},
                                               {{2, 2, 2}, ActivationKind::relu, 0, true, {5, 1}},
                                               {{2, 3, 2}, ActivationKind::leaky, -2, true, {5, 1}},
                                               {{1, 2, 2, 1}, ActivationKind::leaky, 3, false, {1}},
                                               {{2, 2, 2}, ActivationKind::crelu, 0, false, {5, -1}},
                                               {{3, 2, 2}, ActivationKind::crelu_tied, 0, true, {5, -1, 2}}}) {
            isserlis::testing::RealNetwork<std::int64_t> const real{
                .widths = c.widths, .kind = c.kind, .slope = c.slope, .gated_head = c.gated_head, .input = c.input};
            auto const enumerated = isserlis::testing::enumerated_norm(
                real,
                std::vector<isserlis::testing::DiscreteLaw>(c.widths.size() - 1, isserlis::testing::rademacher()));
            auto net = isserlis::testing::network_of_widths(std::vector<Rational>(c.widths.begin(), c.widths.end()),
                                                            c.kind, Rational(c.slope));
            net.gated_head = c.gated_head;
            Rational squares = 0;
            for (auto const x : c.input) squares += Rational(x * x);
            CHECK(enumerated.mean == squared_norm_gain(net) * squares);
        }
    }

    // [Hettinger 2019, Lemma 4.11] corrected and as printed (hettinger.md, E3); vector L411-282: 1 against 1/2 at c
    // = 1.
    TEST_CASE("the output variance of 2,8,2 is c^2 where the printed formula says c^2/2") {
        auto const net = initialised<Surd>({2, 8, 2}, ActivationKind::crelu, Scheme::proportional);
        CHECK(output_variance(net, Surd(1)) == Surd(1));
        CHECK(output_variance_printed(Surd(2), Surd(2), Surd(1)) == Surd(ratio(1, 2)));
        CHECK(output_variance(net, Surd(3)) == Surd(9));
        CHECK(output_variance_printed(Surd(2), Surd(2), Surd(3)) == Surd(ratio(9, 2)));
    }

    TEST_CASE("the corrected output variance is c^2 sqrt(d_0/d_n), d_0 times the printed one") {
        holds([] {
            auto const widths = any_widths(6);
            Surd const c(isserlis::testing::positive_rational());
            auto const net = initialised<Surd>(widths, ActivationKind::crelu, Scheme::proportional);
            Surd const corrected = output_variance(net, c);
            RC_ASSERT(corrected == c * c * isserlis::sqrt(ratio(widths.front(), widths.back())));
            RC_ASSERT(corrected ==
                      Surd(widths.front()) * output_variance_printed(Surd(widths.front()), Surd(widths.back()), c));
        });
        CHECK(output_variance_printed(4.0, 9.0, 2.0) == doctest::Approx(4.0 / 6));
        auto const a = RationalFunction::symbol("a");
        auto const b = RationalFunction::symbol("b");
        auto const c = RationalFunction::symbol("c");
        CHECK(output_variance_printed(a, b, c) == c * c / sqrt(a * b));
    }

    // [Hettinger 2019, Lemma 4.11] calls the outputs normal; their kurtosis is 3 prod (1 + 2/d_r) (E4, vector
    // KURT-2x3x2: 5).
    TEST_CASE("outputs are not normal: their kurtosis is rho over the squared second moment") {
        std::vector<isserlis::ProductStep<Rational>> const steps = {{.inner_width = 3, .fourth_moment = 3}};
        auto const b = isserlis::product_moments(Rational(3), std::span<isserlis::ProductStep<Rational> const>(steps));
        // One coordinate of B x for a unit vector x along an axis.
        CHECK(b.rho / (b.second_moment * b.second_moment) == Rational(5));
        auto const p = isserlis::phi_psi(std::vector<isserlis::WidthRun<Rational, Count>>{{Rational(3), 1}});
        CHECK(3 * (p.phi + p.psi) == Rational(5));
    }

    TEST_CASE("symbolic widths, variances, slope and depth, substituted, equal numbers") {
        auto const n = RationalFunction::symbol("n");
        auto const v = RationalFunction::symbol("v");
        auto const s = RationalFunction::symbol("s");
        auto const c = RationalFunction::symbol("c");
        auto const d = RationalFunction::symbol("d0");
        auto symbolic =
            network(std::vector{layer(d, n, Exponent(1), v), layer(n, n, Exponent::symbol("L") - Exponent(1), 2 / n),
                                layer(n, RationalFunction(3), Exponent(1), RationalFunction(1) / sqrt(n))},
                    ActivationKind::leaky, s);
        holds([&] {
            Rational const width = any_int(1, 30);
            Rational const input = any_int(1, 30);
            int const depth = any_int(2, 8);
            Rational const variance = isserlis::testing::positive_rational();
            Rational const slope = isserlis::testing::positive_rational();
            Rational const scale = isserlis::testing::positive_rational();
            bool const gated = any_int(0, 1) == 1;
            auto numeric =
                network(std::vector{layer(Surd(input), Surd(width), Count{1}, Surd(variance)),
                                    layer(Surd(width), Surd(width), static_cast<Count>(depth - 1), Surd(2 / width)),
                                    layer(Surd(width), Surd(3), Count{1}, Surd(1) / isserlis::sqrt(width))},
                        ActivationKind::leaky, Surd(slope));
            numeric.gated_head = gated;
            auto formula = symbolic;
            formula.gated_head = gated;
            std::map<std::string, Rational> const at = {{"n", width},    {"d0", input}, {"L", depth},
                                                        {"v", variance}, {"s", slope},  {"c", scale}};
            RC_ASSERT(squared_norm_gain(formula).evaluate(at) == squared_norm_gain(numeric));
            RC_ASSERT(output_variance(formula, c).evaluate(at) == output_variance(numeric, Surd(scale)));
            RC_ASSERT(update_ratio(formula.layers[2], formula.layers[0]).evaluate(at) ==
                      update_ratio(numeric.layers[2], numeric.layers[0]));
            RC_ASSERT(update_ratio(formula.layers[1], formula.layers[0]).evaluate(at) ==
                      update_ratio(numeric.layers[1], numeric.layers[0]));
        });
    }

    TEST_CASE("the gain runs to any depth") {
        auto const net =
            network(std::vector{layer(Rational(10), Rational(10), Count{100'000}, ratio(1, 5))}, ActivationKind::relu);
        CHECK(squared_norm_gain(net) == Rational(2));
    }

    // Steps of rates h: |dP_l| goes with h_l/v_l, (5 2/(3 11))^2 (3 2)/(2 7) = 100/2541.
    TEST_CASE("label factors are rates") {
        auto upper = layer(Rational(2), Rational(7), Count{1}, Rational(3));
        auto first = layer(Rational(3), Rational(2), Count{1}, Rational(2));
        upper.label_factor = 5;
        first.label_factor = 11;
        CHECK(update_ratio(upper, first) == ratio(100, 2541));
    }

    // |x|^2 = 4, E z_1^2 = 4/2 + 3 = 5 where it was 2 without the bias: 5/2 times (1/2)^2 6/((1/3)^2 15) = 9/10. Data of scale
    // 3 have |x|^2 = 18: E z_1^2 = 9 + 3, of which three neurons keep half, E z_2^2 = 18/3 + 7.
    TEST_CASE("biases that the step leaves, by hand") {
        auto net = network(std::vector{layer(Rational(2), Rational(3), Count{1}, ratio(1, 2)),
                                       layer(Rational(3), Rational(5), Count{1}, ratio(1, 3))},
                           ActivationKind::relu);
        net.layers[0].bias = isserlis::Bias<Rational>{.variance = 3};
        CHECK(isserlis::biased_update_ratio(net, Rational(4)) == ratio(9, 4));
        net.layers[1].bias = isserlis::Bias<Rational>{.variance = 7};
        CHECK(isserlis::biased_update_ratio(net, Rational(4)) == ratio(9, 4));
        CHECK(isserlis::biased_output_variance(net, Rational(3)) == 13);
        net.gated_head = true;
        CHECK(isserlis::biased_output_variance(net, Rational(3)) == ratio(13, 2));
        net.layers.pop_back();
        CHECK(isserlis::biased_update_ratio(net, Rational(4)) == 1);
    }
}
