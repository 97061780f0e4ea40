// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/formula/orthogonal_norm.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/rational_function.hpp>

#include "layers.hpp"

using isserlis::ActivationKind;
using isserlis::Exponent;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Reading;
using isserlis::relative_orthogonal_norm_moments;
using isserlis::testing::layer;
using isserlis::testing::network;

namespace {

using Count = std::uint64_t;
constexpr unsigned highest = 8;

/// One layer of unit variance.
std::vector<Rational> one_layer(int fan_in, int fan_out, ActivationKind kind, Rational const& slope = 0) {
    auto const net = network<Rational, Count>({layer(Rational(fan_in), Rational(fan_out), Count{1})}, kind, slope);
    return relative_orthogonal_norm_moments(net, {Rational(std::max(fan_in, fan_out))}, Reading::activation, highest);
}

TEST_SUITE("orthogonal_norm") {
    // sqrt(m) Q has orthonormal columns times sqrt(m): |W x|^2 = m |x|^2, no random number.
    TEST_CASE("linear layers that do not narrow are isometries") {
        for (int fan_in = 1; fan_in <= 5; ++fan_in)
            for (int fan_out = fan_in; fan_out <= 6; ++fan_out) {
                auto const moments = one_layer(fan_in, fan_out, ActivationKind::linear);
                for (unsigned p = 0; p <= highest; ++p) CHECK(moments[p] == power(Rational(fan_out), p));
            }
    }

    // k of m coordinates of a direction: their squares add to a Beta(k/2, (m - k)/2), E X^p = prod (k + 2j)/(m + 2j).
    // k = 2, m = 4: X is uniform on [0, 1], so E X^p = 1/(p + 1). k = 1, m = 3: Archimedes, a coordinate is uniform on
    // [-1, 1], E u^(2p) = 1/(2p + 1), and half of that through a ReLU. k = 1, m = 2: E cos^(2p) = C(2p, p)/4^p.
    TEST_CASE("layers that narrow") {
        auto const two_of_four = one_layer(4, 2, ActivationKind::linear);
        auto const one_of_three = one_layer(3, 1, ActivationKind::linear);
        auto const gated = one_layer(3, 1, ActivationKind::relu);
        auto const cosine = one_layer(2, 1, ActivationKind::linear);
        Rational binomial = 1;  // C(2p, p)/4^p
        for (int p = 1; p <= static_cast<int>(highest); ++p) {
            auto const at = static_cast<unsigned>(p);
            CHECK(two_of_four[at] == power(Rational(4), at) * ratio(1, p + 1));
            CHECK(one_of_three[at] == power(Rational(3), at) * ratio(1, 2 * p + 1));
            CHECK(gated[at] == power(Rational(3), at) * ratio(1, 4 * p + 2));
            binomial = binomial * ratio(2 * p - 1, 2 * p);
            CHECK(cosine[at] == power(Rational(2), at) * binomial);
        }
    }

    // (cos t, sin t) through two ReLUs: 1 in one quarter, 0 in another, cos^2 or sin^2 in the others, with slope s
    // squared in place of 0: |h|^2 = 1, s^2, or c + s^2 (1 - c) with c = cos^2 t.
    TEST_CASE("two gated units over the angles of the circle") {
        auto const relu = one_layer(2, 2, ActivationKind::relu);
        Rational binomial = 1;
        for (int p = 1; p <= static_cast<int>(highest); ++p) {
            auto const at = static_cast<unsigned>(p);
            binomial = binomial * ratio(2 * p - 1, 2 * p);
            CHECK(relu[at] == power(Rational(2), at) * (ratio(1, 4) + ratio(1, 2) * binomial));
        }
        // s^2 = 1/4, p = 2: (1 + 1/16)/4 + E (1 + 3c)^2/32, E c = 1/2, E c^2 = 3/8: 17/64 + 59/256 = 127/256.
        CHECK(one_layer(2, 2, ActivationKind::leaky, ratio(1, 2))[2] == 4 * ratio(127, 256));
        // A unit of width 1 is a sign: open or not.
        auto const single = one_layer(1, 1, ActivationKind::relu);
        for (unsigned p = 1; p <= highest; ++p) CHECK(single[p] == ratio(1, 2));
    }

    // E (sum g_i u_i^2)^2 = n/2 * 3/(n (n + 2)) + n (n - 1)/4 * 1/(n (n + 2)) = (n + 5)/(4 (n + 2)), since E u_i^4 =
    // 3/(n (n + 2)) and E u_i^2 u_j^2 = 1/(n (n + 2)) on a sphere. With variance 2/n that is (n + 5)/(n + 2) a layer,
    // where independent normal weights have (n + 5)/n. The linear head takes n/(n + 2) * 3/n.
    TEST_CASE("symbolic width and depth") {
        using R = RationalFunction;
        R const n = R::symbol("n");
        auto const hidden = layer(n, n, Exponent::symbol("L"), R(R(2) / n));
        auto const net = network<R, Exponent>({hidden}, ActivationKind::relu);
        auto const moments = relative_orthogonal_norm_moments(net, {n}, Reading::activation, 2);
        CHECK(moments[1] == R(1));
        CHECK(moments[2] == power(R((n + R(5)) / (n + R(2))), Exponent::symbol("L")));
        auto const headed =
            network<R, Exponent>({hidden, layer(n, R(1), Exponent(1), R(R(1) / n))}, ActivationKind::relu);
        auto const output = relative_orthogonal_norm_moments(headed, {n, n}, Reading::preactivation, 2);
        CHECK(output[1] == R(R(1) / n));
        CHECK(output[2] == R(power(R((n + R(5)) / (n + R(2))), Exponent::symbol("L")) * R(3) / (n * (n + R(2)))));
    }

    TEST_CASE("what is refused") {
        auto const net = network<Rational, Count>({layer(Rational(2), Rational(3), Count{1})}, ActivationKind::relu);
        CHECK_THROWS_AS((void)relative_orthogonal_norm_moments(net, {}, Reading::activation, 2), isserlis::DomainError);
        CHECK_THROWS_AS((void)relative_orthogonal_norm_moments(net, {Rational(4)}, Reading::activation, 2),
                        isserlis::DomainError);
        auto const sides = network<Rational, Count>(net.layers, ActivationKind::crelu);
        CHECK_THROWS_AS((void)relative_orthogonal_norm_moments(sides, {Rational(3)}, Reading::activation, 2),
                        isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)relative_orthogonal_norm_moments(net, {Rational(3)}, Reading::activation, 31),
                        isserlis::UnsupportedError);
    }
}

}  // namespace
