// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/orthogonal_norm.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <optional>

#include "layers.hpp"

using isserlis::ActivationKind;
using isserlis::Exponent;
using isserlis::FullyConnected;
using isserlis::Integer;
using isserlis::Interval;
using isserlis::log_chi_square_mean;
using isserlis::LogMeanMemo;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::rational_orthogonal_log_norm_mean;
using isserlis::RationalFunction;
using isserlis::Reading;
using isserlis::relative_orthogonal_log_norm_mean;
using isserlis::relative_orthogonal_norm_moments;
using isserlis::Surd;
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

constexpr unsigned bits = 96;

FullyConnected<Surd, Count> one_surd_layer(int fan_in, int fan_out, ActivationKind kind, Rational const& slope = 0) {
    return network<Surd, Count>({layer(Surd(fan_in), Surd(fan_out), Count{1})}, kind, Surd(slope));
}

/// E log(|h|^2/(m |x|^2)) of one layer of unit variance: without its scale.
double log_of_share(int fan_in, int fan_out, ActivationKind kind, Rational const& slope = 0) {
    LogMeanMemo memo;
    int const larger = std::max(fan_in, fan_out);
    auto const net = one_surd_layer(fan_in, fan_out, kind, slope);
    Interval const mean = relative_orthogonal_log_norm_mean(net, {Surd(larger)}, Reading::activation, bits, memo) -
                          log(Interval(static_cast<long>(larger), bits));
    CHECK(mpfr_get_d(mean.upper(), MPFR_RNDU) - mpfr_get_d(mean.lower(), MPFR_RNDD) < 1e-14);
    return mpfr_get_d(mean.lower(), MPFR_RNDN);
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

    // Shares of a direction that are elementary: 2 of 4 coordinates have a uniform one, int log u = -1; 1 of 3 is the
    // square of a uniform one (Archimedes), -2; 1 of 2 is cos^2, -2 log 2 (Euler). Two gated units over the circle: of
    // three quarters with an open unit one has share 1 and two cos^2; with slope s all four, int log(cos^2 + s^2 sin^2) =
    // 2 log((1 + s)/2).
    TEST_CASE("mean logarithms by hand") {
        using Kind = ActivationKind;
        double const two = std::log(2.0);
        CHECK(log_of_share(3, 5, Kind::linear) == doctest::Approx(0));
        CHECK(log_of_share(5, 5, Kind::linear) == doctest::Approx(0));
        CHECK(log_of_share(4, 2, Kind::linear) == doctest::Approx(-1));
        CHECK(log_of_share(3, 1, Kind::linear) == doctest::Approx(-2));
        CHECK(log_of_share(2, 1, Kind::linear) == doctest::Approx(-2 * two));
        CHECK(log_of_share(2, 2, Kind::relu) == doctest::Approx(-4 * two / 3));
        CHECK(log_of_share(1, 1, Kind::relu) == doctest::Approx(0));
        for (int const k : {2, 3, 10}) {
            double const s = 1.0 / k;
            CHECK(log_of_share(2, 2, Kind::leaky, ratio(1, k)) ==
                  doctest::Approx((2 * std::log(s) + 4 * std::log((1 + s) / 2)) / 4));
            CHECK(log_of_share(3, 1, Kind::leaky, ratio(-1, k)) == doctest::Approx(-2 + std::log(s)));
        }
        // Stirling: log m - E log chi^2_m = 1/m + 1/(3 m^2) - .., so that wide inputs make weights as good as Gaussian.
        int const m = 10'000;
        double const gaussian = mpfr_get_d(log_chi_square_mean(3, bits).lower(), MPFR_RNDN);
        CHECK((log_of_share(m, 3, Kind::linear) + std::log(m) - gaussian) * m == doctest::Approx(1 + 1.0 / (3 * m)));
    }

    TEST_CASE("layers add up, and count as they are read") {
        auto net = network<Surd, Count>({layer(Surd(4), Surd(2), Count{1}, Surd(ratio(1, 3))),
                                         layer(Surd(2), Surd(2), Count{5}, Surd(ratio(3, 2)))},
                                        ActivationKind::relu);
        LogMeanMemo memo;
        auto const mean = [&](Reading reading) {
            return mpfr_get_d(relative_orthogonal_log_norm_mean(net, {Surd(4), Surd(2)}, reading, bits, memo).lower(),
                              MPFR_RNDN);
        };
        // 2 of 4 through gates: (1/3)(-1) + (2/3) E log of 1 of 4, which is psi(1/2) - psi(2) = -2 log 2 - 1.
        double const gate = -4 * std::log(2.0) / 3;
        double const scales = std::log(4.0 / 3) + 5 * std::log(3.0);
        CHECK(mean(Reading::activation) == doctest::Approx(scales - 1 + 6 * gate));
        CHECK(mean(Reading::preactivation) == doctest::Approx(scales - 1 + 5 * gate));
    }

    // What an enclosure cannot settle: 0, and decimals that end.
    TEST_CASE("rational mean logarithms are known as such") {
        using Kind = ActivationKind;
        auto const known = [](FullyConnected<Surd, Count> const& net, std::vector<std::optional<Surd>> const& larger,
                              Surd const& square = Surd(1), Reading reading = Reading::activation) {
            return rational_orthogonal_log_norm_mean(net, larger, reading, square);
        };
        // m v = 1 keeps lengths, whatever the width; |x|^2 may make up for another scale.
        auto const wide = power(Integer(10), 40);
        auto square = network<Surd, Count>({layer(Surd(wide), Surd(wide), Count{7}, Surd(ratio(Integer(1), wide)))},
                                           Kind::linear);
        CHECK(known(square, {Surd(wide)}) == Rational(0));
        CHECK_FALSE(known(square, {Surd(wide)}, Surd(2)));
        CHECK(known(one_surd_layer(3, 3, Kind::linear), {Surd(3)}, Surd(ratio(1, 3))) == Rational(0));
        CHECK(known(one_surd_layer(2, 2, Kind::linear), {Surd(2)}, isserlis::sqrt(ratio(1, 4))) == Rational(0));
        // 4 u, u uniform: log 4 - 1, which 1/4 makes -1. 4 cos^2: log 4 - 2 log 2.
        CHECK(known(one_surd_layer(4, 2, Kind::linear), {Surd(4)}, Surd(ratio(1, 4))) == Rational(-1));
        CHECK_FALSE(known(one_surd_layer(4, 2, Kind::linear), {Surd(4)}));
        CHECK(known(one_surd_layer(2, 1, Kind::linear), {Surd(2)}, Surd(2)) == Rational(0));
        // Three gated layers of two units: -4 log 2; once only, 2^(4/3) is no surd.
        auto const three = network<Surd, Count>({layer(Surd(2), Surd(2), Count{3}, Surd(1))}, Kind::relu);
        CHECK(known(three, {Surd(2)}, Surd(2)) == Rational(0));
        CHECK_FALSE(known(three, {Surd(2)}, Surd(2), Reading::preactivation));
        auto const four = network<Surd, Count>({layer(Surd(2), Surd(2), Count{4}, Surd(1))}, Kind::relu);
        CHECK(known(four, {Surd(2)}, Surd(1), Reading::preactivation) == Rational(0));
        // Slope 1/4: log(sqrt(1/4) (5/4)/2) = log(5/16), of two units of scale 2.
        CHECK(known(one_surd_layer(2, 2, Kind::leaky, ratio(1, 4)), {Surd(2)}, Surd(ratio(8, 5))) == Rational(0));
        CHECK(known(one_surd_layer(1, 1, Kind::leaky, ratio(-1, 4)), {Surd(1)}, Surd(4)) == Rational(0));
        CHECK(known(one_surd_layer(2, 2, Kind::leaky, ratio(-1, 4)), {Surd(2)}, Surd(ratio(8, 5))) == Rational(0));
        CHECK_FALSE(known(one_surd_layer(3, 3, Kind::leaky, ratio(1, 4)), {Surd(3)}));
        CHECK_FALSE(known(one_surd_layer(3, 3, Kind::leaky, ratio(1, 4)), {Surd(3)}, Surd(ratio(16, 15))));
        // psi(1/2) - psi(7/2) = -(2 + 2/3 + 2/5), psi(1) - psi(4) = -(1 + 1/2 + 1/3), psi(1) - psi(3/2) = 2 log 2 - 2.
        CHECK(known(one_surd_layer(7, 1, Kind::linear), {Surd(7)}, Surd(ratio(1, 7))) == ratio(-46, 15));
        CHECK(known(one_surd_layer(8, 2, Kind::linear), {Surd(8)}, Surd(ratio(1, 8))) == ratio(-11, 6));
        CHECK(known(one_surd_layer(3, 2, Kind::linear), {Surd(3)}, Surd(ratio(1, 12))) == Rational(-2));
        CHECK(known(one_surd_layer(4, 2, Kind::relu), {Surd(4)}, Surd(ratio(1, 4)), Reading::preactivation) ==
              Rational(-1));
        // Of three ReLU units one, two or three are open, with 3/7, 3/7 and 1/7: (2 - 8 log 2)/7, less psi(3/2) that is
        // (-12 + 6 log 2)/7 a layer, of which there are seven.
        auto const seven = [](Count lower, Count upper) {
            return network<Surd, Count>(
                {layer(Surd(3), Surd(3), lower, Surd(ratio(1, 3))), layer(Surd(3), Surd(3), upper, Surd(ratio(1, 3)))},
                Kind::relu);
        };
        CHECK(known(seven(3, 4), {Surd(3), Surd(3)}, Surd(ratio(1, 64))) == Rational(-12));
        CHECK(known(seven(3, 5), {Surd(3), Surd(3)}, Surd(ratio(1, 64)), Reading::preactivation) == Rational(-12));
    }

    // Layers are independent, so that their factors multiply and their logarithms add, whichever law each has.
    TEST_CASE("Gaussian and orthogonal layers side by side") {
        auto const narrowing = layer(Rational(4), Rational(2), Count{1});
        auto const square = layer(Rational(2), Rational(2), Count{3}, Rational(ratio(1, 3)));
        auto const net = network<Rational, Count>({narrowing, square}, ActivationKind::relu);
        auto const head = network<Rational, Count>({square}, ActivationKind::relu);
        auto const first = network<Rational, Count>({narrowing}, ActivationKind::relu);
        auto const read = Reading::activation;
        auto const both = relative_orthogonal_norm_moments(net, {Rational(4), std::nullopt}, read, highest);
        auto const none = relative_orthogonal_norm_moments(net, {std::nullopt, std::nullopt}, read, highest);
        auto const gaussian = relative_norm_moments(net, read, highest);
        auto const rotated = relative_orthogonal_norm_moments(first, {Rational(4)}, read, highest);
        auto const rest = relative_norm_moments(head, read, highest);
        for (unsigned p = 0; p <= highest; ++p) {
            CHECK(none[p] == gaussian[p]);
            CHECK(both[p] == rotated[p] * rest[p]);
        }
        LogMeanMemo memo;
        auto const surds = network<Surd, Count>({layer(Surd(4), Surd(2), Count{1}), layer(Surd(2), Surd(1), Count{1})},
                                                ActivationKind::linear);
        auto const mean = relative_orthogonal_log_norm_mean(surds, {Surd(4), std::nullopt}, read, bits, memo);
        // log 4 - 1 of a uniform share, and log 2 + psi(1/2) = -gamma - log 2.
        CHECK(mpfr_get_d(mean.lower(), MPFR_RNDN) ==
              doctest::Approx(std::log(4.0) - 1 - 0.57721566490153286 - std::log(2.0)));
        CHECK_FALSE(rational_orthogonal_log_norm_mean(surds, {Surd(4), std::nullopt}, read, Surd(1)));
    }

    TEST_CASE("what is refused") {
        auto const net = network<Rational, Count>({layer(Rational(2), Rational(3), Count{1})}, ActivationKind::relu);
        CHECK_THROWS_AS((void)relative_orthogonal_norm_moments(net, {}, Reading::activation, 2), isserlis::DomainError);
        CHECK_THROWS_AS((void)relative_orthogonal_norm_moments(net, {Rational(4)}, Reading::activation, 2),
                        isserlis::DomainError);
        LogMeanMemo memo;
        CHECK_THROWS_AS((void)relative_orthogonal_log_norm_mean(one_surd_layer(2, 3, ActivationKind::relu), {Surd(4)},
                                                                Reading::activation, bits, memo),
                        isserlis::DomainError);
        CHECK_THROWS_AS((void)rational_orthogonal_log_norm_mean(one_surd_layer(2, 3, ActivationKind::crelu), {Surd(3)},
                                                                Reading::activation, Surd(1)),
                        isserlis::UnsupportedError);
        auto const sides = network<Rational, Count>(net.layers, ActivationKind::crelu);
        CHECK_THROWS_AS((void)relative_orthogonal_norm_moments(sides, {Rational(3)}, Reading::activation, 2),
                        isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)relative_orthogonal_norm_moments(net, {Rational(3)}, Reading::activation, 31),
                        isserlis::UnsupportedError);
    }
}

}  // namespace
