// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/biased_norm.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <array>
#include <cstdint>
#include <vector>

using namespace isserlis;

TEST_SUITE("formula/biased_norm") {
    namespace {

    template <class R, class Count>
    LayerRun<R, Count> layer(R fan_in, R fan_out, Count count, R variance, R bias) {
        LayerRun<R, Count> out{.fan_in = fan_in, .fan_out = fan_out, .count = count, .variance = variance};
        out.bias = {.variance = bias};
        return out;
    }

    using Net = FullyConnected<Rational, std::uint64_t>;

    /// 2,3,4,1 with weights of variance 1, 2/3, 1/2 and biases of 1/2, 1/3, 2.
    Net three_layers() {
        Net out;
        out.layers = {layer<Rational, std::uint64_t>(2, 3, 1, 1, ratio(1, 2)),
                      layer<Rational, std::uint64_t>(3, 4, 1, ratio(2, 3), ratio(1, 3)),
                      layer<Rational, std::uint64_t>(4, 1, 1, ratio(1, 2), 2)};
        out.activation.kind = ActivationKind::relu;
        return out;
    }

    }  // namespace

    // z^1_i is N(0, 3/2) at |x|^2 = 1, half of the gates are open: E |h^1|^2 = 3 * 3/4, E |h^1|^4 = 3*8/4 * (3/2)^2.
    // Then E |h^2|^2 = 4/2 (2/3 * 9/4 + 1/3), E |h^2|^4 = 4*9/4 (4/9 * 27/2 + 2 * 2/9 * 9/4 + 1/9), and
    // E z^2 = 11/3 * 1/2 + 2, E z^4 = 3 (64/4 + 2 * 11/3 + 4).
    TEST_CASE("three ReLU layers by hand") {
        auto const net = three_layers();
        auto const moments = [&](std::uint64_t layers, Reading reading) {
            return biased_norm_moments(first_layers(net, layers), Rational(1), reading, 2);
        };
        CHECK(moments(1, Reading::activation) == std::vector<Rational>{1, ratio(9, 4), ratio(27, 2)});
        CHECK(moments(2, Reading::activation) == std::vector<Rational>{1, ratio(11, 3), 64});
        CHECK(moments(3, Reading::preactivation) == std::vector<Rational>{1, ratio(23, 6), 82});
    }

    TEST_CASE("without biases it is the product over the layers") {
        Net net = three_layers();
        for (auto& run : net.layers) run.bias.reset();
        net.activation = {.kind = ActivationKind::leaky, .slope = ratio(-1, 3)};
        auto const relative = relative_norm_moments(net, Reading::preactivation, 5);
        auto const raw = biased_norm_moments(net, Rational(3), Reading::preactivation, 5);
        Rational scale = 1;
        for (unsigned p = 0; p <= 5; ++p, scale *= 3) CHECK(raw[p] == relative[p] * scale);
    }

    TEST_CASE("many equal layers are as one after the other, also where eigenvalues meet") {
        // Width 4: variance 1/2 makes M_1 v = 1, the eigenvalue of the constant; 3/4 makes M_1 v = 3/2, and none meet.
        for (Rational const& variance : {ratio(1, 2), ratio(3, 4)}) {
            Net net;
            net.activation.kind = ActivationKind::relu;
            net.layers = {layer<Rational, std::uint64_t>(4, 4, 100, variance, ratio(1, 3))};
            auto const at_once = biased_norm_moments(net, Rational(2), Reading::activation, 4);
            net.layers.front().count = 1;
            net.layers.assign(100, net.layers.front());
            CHECK(at_once == biased_norm_moments(net, Rational(2), Reading::activation, 4));
        }
    }

    TEST_CASE("a formula in the depth has the values at its numbers") {
        auto const n = RationalFunction::symbol("n");
        auto const b = RationalFunction::symbol("b");
        FullyConnected<RationalFunction, Exponent> net;
        net.activation.kind = ActivationKind::relu;
        net.layers = {layer<RationalFunction, Exponent>(n, n, Exponent::symbol("L"), RationalFunction(2) / n, b)};
        auto const formula = biased_norm_moments(net, RationalFunction(1), Reading::activation, 3);
        for (int depth = 3; depth <= 5; ++depth) {
            Net numbers;
            numbers.activation.kind = ActivationKind::relu;
            numbers.layers = {
                layer<Rational, std::uint64_t>(3, 3, static_cast<std::uint64_t>(depth), ratio(2, 3), ratio(1, 5))};
            auto const expected = biased_norm_moments(numbers, Rational(1), Reading::activation, 3);
            for (std::size_t p = 0; p <= 3; ++p)
                CHECK(formula[p].evaluate({{"n", 3}, {"b", ratio(1, 5)}, {"L", depth}}) == Surd(expected[p]));
        }
    }

    // Weights and biases +-1, x = 1: z^1 is 2, 0, 0, -2, so E q = 1 and E q^2 = 4 behind a ReLU; z^2 = +-2 +- 1 with
    // probability 1/4, else +-1: E z^2 = 5/4 + 3/4 and E z^4 = 41/4 + 3/4.
    TEST_CASE("signs by hand") {
        Net net;
        net.activation.kind = ActivationKind::relu;
        net.layers = {layer<Rational, std::uint64_t>(1, 1, 2, 1, 1)};
        net.layers[0].law.kind = net.layers[0].bias->law.kind = LawKind::rademacher;
        auto const hidden =
            biased_fourth_norm_moments(first_layers(net, 1), Rational(1), Rational(1), Reading::activation);
        CHECK(hidden == std::vector<Rational>{1, 1, 4});
        CHECK(biased_fourth_norm_moments(net, Rational(1), Rational(1), Reading::preactivation) ==
              std::vector<Rational>{1, 2, 11});
    }

    // Every network 2,2,2 of weights +-2 and biases +-1/2, all 2^12 of them, at x = (1, 3): no pre-activation is 0.
    TEST_CASE("all networks of signs") {
        Net net;
        net.activation = {.kind = ActivationKind::leaky, .slope = ratio(-1, 3)};
        net.layers = {layer<Rational, std::uint64_t>(2, 2, 2, 4, ratio(1, 4))};
        net.layers[0].law.kind = net.layers[0].bias->law.kind = LawKind::rademacher;
        Rational second = 0;
        Rational fourth = 0;
        for (unsigned code = 0; code < 1U << 12U; ++code) {
            auto const sign = [&](unsigned bit) { return Rational((code >> bit & 1U) != 0 ? 1 : -1); };
            std::array<Rational, 2> h{1, 3};
            for (unsigned l = 0; l < 2; ++l) {
                std::array<Rational, 2> z;
                for (unsigned i = 0; i < 2; ++i)
                    z[i] = 2 * sign(6 * l + 3 * i) * h[0] + 2 * sign(6 * l + 3 * i + 1) * h[1] +
                           sign(6 * l + 3 * i + 2) * ratio(1, 2);
                if (l == 1) {
                    h = z;
                    break;
                }
                for (unsigned i = 0; i < 2; ++i) h[i] = z[i] > 0 ? z[i] : Rational(z[i] * ratio(-1, 3));
            }
            Rational const q = h[0] * h[0] + h[1] * h[1];
            second += q / 4096;
            fourth += q * q / 4096;
        }
        CHECK(biased_fourth_norm_moments(net, Rational(10), Rational(82), Reading::preactivation) ==
              std::vector<Rational>{1, second, fourth});
    }

    TEST_CASE("for Gaussian weights and biases both recursions are one, at many layers too") {
        for (std::uint64_t const count : {3U, 102U}) {
            Net net = three_layers();
            net.layers.insert(net.layers.begin() + 2, layer<Rational, std::uint64_t>(4, 4, count, ratio(1, 2), 1));
            CHECK(biased_fourth_norm_moments(net, Rational(2), Rational(3), Reading::activation) ==
                  biased_norm_moments(net, Rational(2), Reading::activation, 2));
        }
    }

    TEST_CASE("many layers of signs are as one after the other, and without biases those of norms alone") {
        Net net;
        net.activation = {.kind = ActivationKind::leaky, .slope = ratio(-1, 3)};
        net.layers = {layer<Rational, std::uint64_t>(3, 3, 102, ratio(1, 2), ratio(1, 4))};
        net.layers[0].law.kind = net.layers[0].bias->law.kind = LawKind::rademacher;
        auto single = net;
        single.layers.front().count = 1;
        single.layers.assign(102, single.layers.front());
        CHECK(biased_fourth_norm_moments(net, Rational(2), Rational(3), Reading::activation) ==
              biased_fourth_norm_moments(single, Rational(2), Rational(3), Reading::activation));
        net.layers[0].bias.reset();
        net.layers[0].count = 4;
        auto const moments = biased_fourth_norm_moments(net, Rational(2), Rational(3), Reading::activation);
        CHECK(moments[1] == 2 * relative_norm_moments(net, Reading::activation, 1)[1]);
        CHECK(moments[2] ==
              4 * power(ratio(1, 2), 8) * relative_fourth_norm_moment(net, Reading::activation, Rational(ratio(3, 4))));
    }

    TEST_CASE("what is no Gaussian network is refused") {
        Net net = three_layers();
        net.layers[1].bias->law.kind = LawKind::uniform;
        CHECK_THROWS_WITH_AS((void)biased_norm_moments(net, Rational(1), Reading::activation, 2),
                             doctest::Contains("run 2 of the layers"), UnsupportedError);
        net.layers[1].bias.reset();
        net.layers[0].law.kind = LawKind::laplace;
        CHECK_THROWS_AS((void)biased_norm_moments(net, Rational(1), Reading::activation, 2), UnsupportedError);
        CHECK_THROWS_AS((void)biased_norm_moments(three_layers(), Rational(1), Reading::activation, 31),
                        UnsupportedError);
        CHECK(biased_norm_moments(first_layers(three_layers(), 1), Rational(1), Reading::activation, 30).size() == 31);
    }
}
