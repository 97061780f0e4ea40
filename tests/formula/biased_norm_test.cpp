// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/biased_norm.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <cstdint>
#include <vector>

using namespace isserlis;

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

TEST_SUITE("formula/biased_norm") {
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

    TEST_CASE("what is no Gaussian network is refused") {
        Net net = three_layers();
        net.layers[1].bias->law.kind = LawKind::uniform;
        CHECK_THROWS_AS((void)biased_norm_moments(net, Rational(1), Reading::activation, 2), UnsupportedError);
        net.layers[1].bias.reset();
        net.layers[0].law.kind = LawKind::laplace;
        CHECK_THROWS_AS((void)biased_norm_moments(net, Rational(1), Reading::activation, 2), UnsupportedError);
        CHECK_THROWS_AS((void)biased_norm_moments(three_layers(), Rational(1), Reading::activation, 31),
                        UnsupportedError);
    }
}
