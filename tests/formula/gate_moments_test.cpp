// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/gate_moments.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"

using isserlis::Gate;
using isserlis::gated_chi_square_moments;
using isserlis::Integer;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

template <class R>
Gate<R> of_slope(R const& slope) {
    return {R(1), slope};
}

/// E (chi^2_n)^p = n (n + 2) .. (n + 2p - 2).
Rational chi_square_moment(int n, unsigned p) {
    Rational out = 1;
    for (unsigned k = 0; k < p; ++k) out *= n + 2 * static_cast<int>(k);
    return out;
}

Rational choose(unsigned n, unsigned k) {
    Rational out = 1;
    for (unsigned i = 1; i <= k; ++i) out *= ratio(n - k + i, i);
    return out;
}

/// Every pattern of open gates; given it, a chi-square of the open units plus s^2 times one of the others.
Rational by_patterns(int n, Rational const& slope, unsigned p) {
    Rational sum = 0;
    for (unsigned pattern = 0; pattern < (1U << static_cast<unsigned>(n)); ++pattern) {
        int const open = __builtin_popcount(pattern);
        for (unsigned j = 0; j <= p; ++j) {
            sum += choose(p, j) * chi_square_moment(open, j) * power(slope, 2 * (p - j)) *
                   chi_square_moment(n - open, p - j);
        }
    }
    return sum / power(Rational(2), static_cast<std::uint64_t>(n));
}

}  // namespace

TEST_SUITE("formula/gate_moments") {
    // residual.md, section 1, table: E a^2 and E a^4 of none, ReLU and leaky gates.
    TEST_CASE_TEMPLATE("g2 and g4 of linear, ReLU and leaky gates", R, Rational, double, Surd, RationalFunction) {
        CHECK(of_slope(R(1)).moment(2) == R(1));
        CHECK(of_slope(R(1)).moment(4) == R(1));
        CHECK(of_slope(R(0)).moment(2) == R(1) / R(2));
        CHECK(of_slope(R(0)).moment(4) == R(1) / R(2));
        CHECK(of_slope(R(2)).moment(2) == R(5) / R(2));
        CHECK(of_slope(R(2)).moment(4) == R(17) / R(2));
        CHECK(of_slope(R(-3)).moment(3) == R(-13));
    }

    TEST_CASE("the zeroth moment is 1 for every slope, 0 included") {
        CHECK(of_slope(Rational(0)).moment(0) == 1);
        CHECK(of_slope(0.0).moment(0) == 1.0);
        CHECK(of_slope(RationalFunction::symbol("s")).moment(0) == RationalFunction(1));
    }

    // Hand: n = 1, ReLU: E (g xi)^2 = 1/2, E (g xi)^4 = 3/2, E (g xi)^6 = 15/2.
    TEST_CASE_TEMPLATE("one ReLU unit has half the moments of a chi-square", R, Rational, double, Surd,
                       RationalFunction) {
        auto const out = gated_chi_square_moments(R(1), of_slope(R(0)), 3);
        REQUIRE(out.size() == 4);
        CHECK(out[0] == R(1));
        CHECK(out[1] == R(1) / R(2));
        CHECK(out[2] == R(3) / R(2));
        CHECK(out[3] == R(15) / R(2));
    }

    TEST_CASE("order 0 is the one moment 1") {
        CHECK(gated_chi_square_moments(Rational(9), of_slope(Rational(0)), 0) == std::vector<Rational>{1});
    }

    // Second method: all 2^n gate patterns, n <= 5.
    TEST_CASE("moments up to order 8 equal the sum over all gate patterns, for ReLU, leaky and linear units") {
        for (auto const& slope : {Rational(0), ratio(1, 3), ratio(-1, 2), Rational(1), Rational(2), Rational(-1)}) {
            for (int n = 1; n <= 5; ++n) {
                auto const out = gated_chi_square_moments(Rational(n), of_slope(slope), 8);
                for (unsigned p = 0; p <= 8; ++p) {
                    INFO("n = ", n, ", p = ", p, ", slope = ", isserlis::to_string(slope));
                    CHECK(out[p] == by_patterns(n, slope, p));
                }
            }
        }
    }

    // chi-square moments in closed form, and the binomial mixture for ReLU, at the highest order served.
    TEST_CASE("order 30 is exact, and right to ten digits in floating point") {
        for (int const n : {1, 3, 10}) {
            auto const linear = gated_chi_square_moments(Rational(n), of_slope(Rational(1)), 30);
            auto const relu = gated_chi_square_moments(Rational(n), of_slope(Rational(0)), 30);
            auto const relu_double = gated_chi_square_moments(static_cast<double>(n), of_slope(0.0), 30);
            for (unsigned p = 1; p <= 30; ++p) {
                CHECK(linear[p] == chi_square_moment(n, p));
                Rational mixture = 0;
                for (int k = 0; k <= n; ++k) {
                    mixture += choose(static_cast<unsigned>(n), static_cast<unsigned>(k)) * chi_square_moment(k, p);
                }
                mixture /= power(Rational(2), static_cast<std::uint64_t>(n));
                INFO("n = ", n, ", p = ", p);
                CHECK(relu[p] == mixture);
                CHECK(relu_double[p] == doctest::Approx(mixture.convert_to<double>()).epsilon(1e-10));
            }
        }
    }

    // [Zavatone-Veth 2021] and residual.md, section 4: M_2 = n(n+5)/4, M_3 = n(n+4)(n+11)/8; linear n(n+2),
    // n(n+2)(n+4).
    TEST_CASE("symbolic widths give the published polynomials") {
        auto const n = RationalFunction::symbol("n");
        auto const s = RationalFunction::symbol("s");
        auto const relu = gated_chi_square_moments(n, of_slope(RationalFunction(0)), 3);
        CHECK(relu[1] == n / 2);
        CHECK(relu[2] == n * (n + 5) / 4);
        CHECK(relu[3] == n * (n + 4) * (n + 11) / 8);
        auto const linear = gated_chi_square_moments(n, of_slope(RationalFunction(1)), 3);
        CHECK(linear[2] == n * (n + 2));
        CHECK(linear[3] == n * (n + 2) * (n + 4));
        // c = 6 (1 + s^4)/(1 + s^2)^2 - 1 of residual.md, section 1: M_2 = (n g2)^2 (1 + c/n).
        auto const leaky = gated_chi_square_moments(n, of_slope(s), 2);
        auto const g2 = (1 + s * s) / 2;
        auto const c = 6 * (1 + power(s, 4)) / ((1 + s * s) * (1 + s * s)) - 1;
        CHECK(leaky[2] == n * n * g2 * g2 * (1 + c / n));
    }

    TEST_CASE("symbolic width and slope, substituted, equal numeric ones") {
        auto const symbolic =
            gated_chi_square_moments(RationalFunction::symbol("n"), of_slope(RationalFunction::symbol("s")), 6);
        holds(
            [&] {
                Rational const width = any_int(1, 60);
                Rational const slope = isserlis::testing::positive_rational();
                auto const numeric = gated_chi_square_moments(width, of_slope(slope), 6);
                for (unsigned p = 0; p <= 6; ++p) {
                    RC_ASSERT(symbolic[p].evaluate({{"n", width}, {"s", slope}}) == Surd(numeric[p]));
                }
            },
            30);
    }

    // r q and their definitions: of <pairing, gates, pairing'> / (n g2)^2 n (n - 1) g2^2 + n g4 is the diagonal, n g4 off
    // it; on equal pairings r, on those of sum 0 q. n = 4: ReLU g4/g2^2 = 2, r = (3 + 6)/4; s = 1/2: 34/25, r = (75 + 102)/100.
    TEST_CASE("eigenvalues of a layer by hand") {
        auto const relu = isserlis::gate_eigenvalues(Rational(4), of_slope(Rational(0)));
        CHECK(relu == std::pair(Rational(ratio(9, 4)), Rational(ratio(3, 4))));
        auto const leaky = isserlis::gate_eigenvalues(Rational(4), of_slope(Rational(ratio(1, 2))));
        CHECK(leaky == std::pair(Rational(ratio(177, 100)), Rational(ratio(3, 4))));
    }

    // All layers have an open unit: (1 - 1/2)(1 - 1/4)(1 - 1/8) = 21/64, (1 - 1/4)^2 = 9/16.
    TEST_CASE("the probability of a dead network by hand") {
        CHECK(isserlis::dead_probability({{1, 1}, {2, 1}, {3, 1}}) == ratio(43, 64));
        CHECK(isserlis::dead_probability({{2, 2}}) == ratio(7, 16));
        CHECK(isserlis::dead_probability({{3, 1}, {1, 3}}) == ratio(57, 64));
        CHECK(isserlis::dead_probability({}) == 0);
    }

    // Law of large numbers.
    TEST_CASE("in a wide layer the p-th moment tends to the p-th power of the mean") {
        auto const out = gated_chi_square_moments(1e9, of_slope(0.0), 5);
        for (unsigned p = 1; p <= 5; ++p) CHECK(out[p] / std::pow(out[1], p) == doctest::Approx(1).epsilon(1e-6));
    }
}
