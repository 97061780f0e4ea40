// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/log_squared_norm.hpp>
#include <isserlis/ring/decimal.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "../ring/survives.hpp"
#include "layers.hpp"
#include "special_functions.hpp"

TEST_SUITE("formula/log_squared_norm") {
    using isserlis::ActivationKind;
    using isserlis::Integer;
    using isserlis::Interval;
    using isserlis::log_chi_square_mean;
    using isserlis::log_leaky_chi_square_mean;
    using isserlis::log_relu_chi_square_mean;
    using isserlis::power;
    using isserlis::ratio;
    using isserlis::Rational;
    using isserlis::Reading;
    using isserlis::relative_log_norm_mean;
    using isserlis::Surd;
    using isserlis::testing::any_int;
    using isserlis::testing::holds;
    using isserlis::testing::layer;
    using isserlis::testing::network;

    namespace {

    using Count = std::uint64_t;
    constexpr unsigned bits = 160;
    constexpr unsigned coarse = 72;  // enough for 1e-12, and for leaky units much faster

    long double middle(Interval const& x) {
        return (mpfr_get_ld(x.lower(), MPFR_RNDN) + mpfr_get_ld(x.upper(), MPFR_RNDN)) / 2;
    }
    bool overlap(Interval const& a, Interval const& b) {
        return mpfr_lessequal_p(a.lower(), b.upper()) != 0 && mpfr_lessequal_p(b.lower(), a.upper()) != 0;
    }
    double width(Interval const& x) {
        mpfr_t difference;
        mpfr_init2(difference, 60);
        mpfr_sub(difference, x.upper(), x.lower(), MPFR_RNDU);
        double const out = mpfr_get_d(difference, MPFR_RNDU);
        mpfr_clear(difference);
        return out;
    }
    bool close(long double a, long double b) { return std::abs(a - b) <= 1e-12L * std::max(1.0L, std::abs(b)); }

    /// E log chi^2_K, K binomial(n, 1/2) given K >= 1, with binomials from lgamma.
    long double relu_by_hand(int n) {
        long double sum = 0;
        long double alive = 0;
        for (int k = 1; k <= n; ++k) {
            long double const weight = std::exp(std::lgamma(n + 1.0L) - std::lgamma(k + 1.0L) -
                                                std::lgamma(n - k + 1.0L) - n * std::log(2.0L));
            sum += weight * (std::log(2.0L) + isserlis::testing::digamma(k / 2.0L));
            alive += weight;
        }
        return sum / alive;
    }

    /// E log(A + s^2 B) for independent chi-squares with k and n - k degrees, averaged over K: A + s^2 B = R (T + s^2 (1 -
    /// T)) with R ~ chi^2_n and T ~ Beta(k/2, (n - k)/2), integrated over T = 1/(1 + e^-x).
    long double leaky_by_hand(int n, long double s2) {
        long double sum = 0;
        for (int k = 0; k <= n; ++k) {
            long double const a = k / 2.0L;
            long double const b = (n - k) / 2.0L;
            long double mean = 0;
            if (k == n) {
                mean = 0;
            } else if (k == 0) {
                mean = std::log(s2);
            } else {
                long double const log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
                mean = isserlis::testing::integral_over_line([&](long double x) {
                    // log of T and 1 - T without cancellation.
                    long double const log_t = x > 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
                    long double const log_u = log_t - x;
                    long double const density = std::exp(a * log_t + b * log_u - log_beta);
                    return density == 0 ? 0.0L : density * std::log(std::exp(log_t) + s2 * std::exp(log_u));
                });
            }
            long double const weight = std::exp(std::lgamma(n + 1.0L) - std::lgamma(k + 1.0L) -
                                                std::lgamma(n - k + 1.0L) - n * std::log(2.0L));
            sum += weight * (mean + std::log(2.0L) + isserlis::testing::digamma(n / 2.0L));
        }
        return sum;
    }

    }  // namespace

    // psi(1/2) = -euler - 2 log 2, psi(1) = -euler: E log chi^2_1 = -euler - log 2 and E log chi^2_2 = log 2 - euler.
    // euler from OEIS A001620, log 2 from A002162.
    TEST_CASE("one and two degrees of freedom have their textbook values") {
        CHECK(isserlis::decimal([](unsigned b) { return log_chi_square_mean(1, b); }, 30) ==
              "-1.27036284546147817002374421154");
        CHECK(isserlis::decimal([](unsigned b) { return log_chi_square_mean(2, b); }, 30) ==
              "0.115931515658412448810720031376");
        // One ReLU unit that is alive is one normal; two are (2 E log chi^2_1 + E log chi^2_2)/3.
        CHECK(overlap(log_relu_chi_square_mean(1, bits), log_chi_square_mean(1, bits)));
        Interval const two =
            (Interval(2L, bits) * log_chi_square_mean(1, bits) + log_chi_square_mean(2, bits)) / Interval(3L, bits);
        CHECK(overlap(log_relu_chi_square_mean(2, bits), two));
    }

    TEST_CASE("chi-square and ReLU means equal sums in long double, to 1e-12") {
        for (int const n : {1, 2, 3, 4, 5, 8, 13, 40, 100, 333, 1000}) {
            INFO("n = ", n);
            CHECK(close(middle(log_chi_square_mean(n, bits)), std::log(2.0L) + isserlis::testing::digamma(n / 2.0L)));
            CHECK(close(middle(log_relu_chi_square_mean(n, bits)), relu_by_hand(n)));
        }
    }

    TEST_CASE("enclosures are as tight as the precision asked") {
        for (int const n : {1, 7, 1000}) {
            CHECK(width(log_chi_square_mean(n, bits)) < std::ldexp(1.0, -140));
            CHECK(width(log_relu_chi_square_mean(n, bits)) < std::ldexp(1.0, -140));
            CHECK(width(log_leaky_chi_square_mean(n, Surd(ratio(1, 100)), bits)) < std::ldexp(1.0, -160));
        }
        isserlis::LogMeanMemo memo;
        auto net = isserlis::testing::network_of_widths<Surd>({3, 5, 1}, ActivationKind::relu);
        net.layers[0].variance = Surd(3);
        CHECK(width(relative_log_norm_mean(net, Reading::preactivation, bits)) < std::ldexp(1.0, -160));
        CHECK(width(isserlis::relative_log_jacobian_mean(net, bits, memo)) < std::ldexp(1.0, -160));
    }

    // Recurrence psi(x + 1) = psi(x) + 1/x.
    TEST_CASE("two more degrees of freedom add 2/n") {
        holds([] {
            int const n = any_int(1, 100'000);
            Interval const step = log_chi_square_mean(n + 2, bits) - log_chi_square_mean(n, bits);
            RC_ASSERT(overlap(step, Interval(ratio(2, n), bits)));
        });
    }

    // Hand: one unit is |g| |xi|, so log|s|/2 more than a normal. Two: polar angle, int log(cos^2 + s^2 sin^2) = 2
    // log((1+s)/2).
    TEST_CASE("one and two leaky units have closed forms") {
        for (auto const& s : {ratio(1, 2), ratio(1, 100), Rational(3), ratio(99, 100)}) {
            INFO("s = ", isserlis::to_string(s));
            Interval const log_s = log(Interval(s, coarse));
            Interval const one = log_leaky_chi_square_mean(1, Surd(s * s), coarse);
            CHECK(overlap(one, log_chi_square_mean(1, coarse) + log_s));
            // Both open, both leaky (2 log s more), or one of each (twice).
            Interval const mixed = Interval(2L, coarse) * log(Interval((1 + s) / 2, coarse));
            Interval const two = log_chi_square_mean(2, coarse) +
                                 (Interval(2L, coarse) * log_s + Interval(2L, coarse) * mixed) / Interval(4L, coarse);
            CHECK(overlap(log_leaky_chi_square_mean(2, Surd(s * s), coarse), two));
        }
    }

    // The sum begins where n (1 + s^2)/2 units are none, and ends where 1/s is: both ends of what is served.
    TEST_CASE("closed forms hold for many units and for extreme slopes") {
        constexpr unsigned fine = 140;
        Integer const many = isserlis::max_log_norm_width;
        CHECK(overlap(log_leaky_chi_square_mean(many, Surd(1), coarse), log_chi_square_mean(many, fine)));
        for (auto const& s : {Rational(power(Integer(10), 20)), ratio(1, power(Integer(10), 20))}) {
            INFO("s = ", isserlis::to_string(s));
            Interval const log_s = log(Interval(s, fine));
            CHECK(overlap(log_leaky_chi_square_mean(1, Surd(s * s), coarse), log_chi_square_mean(1, fine) + log_s));
            Interval const mixed = Interval(2L, fine) * log(Interval((1 + s) / 2, fine));
            Interval const two = log_chi_square_mean(2, fine) +
                                 (Interval(2L, fine) * log_s + Interval(2L, fine) * mixed) / Interval(4L, fine);
            CHECK(overlap(log_leaky_chi_square_mean(2, Surd(s * s), coarse), two));
        }
    }

    // Second method: condition on K, integrate over the beta-distributed share of the open units.
    TEST_CASE("leaky means equal quadrature over the share of the open units, to 1e-12") {
        for (int const n : {1, 2, 3, 4, 7, 10}) {
            for (auto const& s : {ratio(1, 100), ratio(1, 3), ratio(3, 2)}) {
                INFO("n = ", n, ", s = ", isserlis::to_string(s));
                long double const s2 = static_cast<long double>(Rational(s * s).convert_to<double>());
                CHECK(close(middle(log_leaky_chi_square_mean(n, Surd(s * s), coarse)), leaky_by_hand(n, s2)));
            }
        }
    }

    TEST_CASE("leaky units of slope 1 are normal, and of slope near 0 lose what dead layers contribute") {
        for (int const n : {1, 5, 50})
            CHECK(overlap(log_leaky_chi_square_mean(n, Surd(1), coarse), log_chi_square_mean(n, coarse)));
        // E log Q = (1 - 2^-n) E[log Q | alive] + 2^-n (log s^2 + E log chi^2_n) + o(1) as s -> 0, here for n = 4.
        Rational const s2 = ratio(1, power(Integer(10), 30));
        Interval const sixteenth(ratio(1, 16), coarse);
        Interval const limit = (Interval(1L, coarse) - sixteenth) * log_relu_chi_square_mean(4, coarse) +
                               sixteenth * (log(Interval(s2, coarse)) + log_chi_square_mean(4, coarse));
        CHECK(std::abs(middle(log_leaky_chi_square_mean(4, Surd(s2), coarse)) - middle(limit)) < 1e-12L);
    }

    // E log chi^2_n < log E chi^2_n = log n (Jensen), by about 1/n; a ReLU layer by about 5/(2n), half of Var/mean^2.
    TEST_CASE("the typical norm is below the mean one, by half the relative variance in wide layers") {
        for (int const n : {10, 100, 1000}) {
            long double const linear = std::log(static_cast<long double>(n)) - middle(log_chi_square_mean(n, bits));
            long double const relu = std::log(n / 2.0L) - middle(log_relu_chi_square_mean(n, bits));
            CHECK(linear > 0);
            CHECK(relu > 0);
            if (n < 1000) continue;
            CHECK(static_cast<double>(linear * n) == doctest::Approx(1).epsilon(0.01));
            CHECK(static_cast<double>(relu * n) == doctest::Approx(2.5).epsilon(0.02));
        }
    }

    TEST_CASE("layers add up: variances, hidden units and the head as it is read") {
        Surd const v1 = isserlis::sqrt(ratio(1, 6));
        Surd const v2(ratio(2, 3));
        auto net = network(std::vector{layer(Surd(2), Surd(3), Count{1}, v1), layer(Surd(3), Surd(3), Count{4}, v2),
                                       layer(Surd(3), Surd(5), Count{1}, v2)},
                           ActivationKind::relu);
        long double const logs = std::log(1 / 6.0L) / 2 + 5 * std::log(2 / 3.0L);
        long double const hidden = 5 * relu_by_hand(3);
        long double const head = std::log(2.0L) + isserlis::testing::digamma(2.5L);
        CHECK(close(middle(relative_log_norm_mean(net, Reading::preactivation, coarse)), logs + hidden + head));
        CHECK(close(middle(relative_log_norm_mean(net, Reading::activation, coarse)), logs + hidden + relu_by_hand(5)));
        long double const plain = 5 * (std::log(2.0L) + isserlis::testing::digamma(1.5L));
        for (auto const kind : {ActivationKind::linear, ActivationKind::crelu, ActivationKind::crelu_tied}) {
            net.activation.kind = kind;
            CHECK(close(middle(relative_log_norm_mean(net, Reading::activation, coarse)), logs + plain + head));
        }
        net.activation = {.kind = ActivationKind::leaky, .slope = Surd(ratio(-1, 3))};
        long double const leaky = 5 * leaky_by_hand(3, 1 / 9.0L);
        CHECK(close(middle(relative_log_norm_mean(net, Reading::preactivation, coarse)), logs + leaky + head));
        CHECK(close(middle(relative_log_norm_mean(net, Reading::activation, coarse)),
                    logs + leaky + leaky_by_hand(5, 1 / 9.0L)));
        net.activation.slope = isserlis::sqrt(Rational(2));
        CHECK(close(middle(relative_log_norm_mean(net, Reading::preactivation, coarse)),
                    logs + 5 * leaky_by_hand(3, 2.0L) + head));
        net.activation.slope = Surd(-1);
        CHECK(close(middle(relative_log_norm_mean(net, Reading::activation, coarse)), logs + plain + head));
        net.activation.slope = Surd(0);
        CHECK(close(middle(relative_log_norm_mean(net, Reading::preactivation, coarse)), logs + hidden + head));
    }

    TEST_CASE("runs of layers equal the same layers one by one") {
        auto const run =
            network(std::vector{layer(Surd(7), Surd(7), Count{5}, Surd(ratio(2, 7)))}, ActivationKind::relu);
        auto const single =
            network(std::vector(5, layer(Surd(7), Surd(7), Count{1}, Surd(ratio(2, 7)))), ActivationKind::relu);
        for (auto const read : {Reading::activation, Reading::preactivation}) {
            CHECK(overlap(relative_log_norm_mean(run, read, bits), relative_log_norm_mean(single, read, bits)));
        }
    }

    TEST_CASE("what is not served is refused") {
        Integer const wide = 1'000'001;
        CHECK_THROWS_AS(log_relu_chi_square_mean(wide, 64), isserlis::UnsupportedError);
        CHECK_NOTHROW(log_chi_square_mean(power(Integer(10), 50), 64));
        CHECK_THROWS_AS(log_chi_square_mean(0, 64), isserlis::DomainError);
        CHECK_THROWS_AS(log_leaky_chi_square_mean(5, Surd(0), 64), isserlis::DomainError);
        CHECK_THROWS_AS(log_leaky_chi_square_mean(5, Surd(-1), 64), isserlis::DomainError);
        CHECK_THROWS_AS(log_leaky_chi_square_mean(wide, Surd(ratio(1, 4)), 64), isserlis::UnsupportedError);
        for (unsigned const digits : {201U, 400U}) {
            Rational const square = power(Integer(10), digits);
            CHECK_THROWS_AS(log_leaky_chi_square_mean(1, Surd(square), 64), isserlis::UnsupportedError);
            CHECK_THROWS_AS(log_leaky_chi_square_mean(1, Surd(1 / square), 64), isserlis::UnsupportedError);
        }
        // A head that is read before its units is as wide as may be.
        auto const head = network(std::vector{layer(Surd(2), Surd(3), Count{1}, Surd(1)),
                                              layer(Surd(3), Surd(Rational(wide)), Count{1}, Surd(1))},
                                  ActivationKind::relu);
        CHECK(overlap(relative_log_norm_mean(head, Reading::preactivation, 64),
                      log_relu_chi_square_mean(3, 64) + log_chi_square_mean(wide, 64)));
        CHECK_THROWS_AS((void)relative_log_norm_mean(head, Reading::activation, 64), isserlis::UnsupportedError);
    }

    // Widths have no bound in the grammar: 10^400 is past every double.
    TEST_CASE("a leaky layer of any width is served or refused, in finite time") {
        for (unsigned const digits : {20U, 300U, 400U}) {
            INFO("n = 10^", digits);
            CHECK(isserlis::testing::survives(
                [&] {
                    Integer const n = power(Integer(10), digits);
                    try {
                        Interval const mean = log_leaky_chi_square_mean(n, Surd(ratio(1, 4)), 64);
                        // log(n (1 + s^2)/2) to leading order.
                        long double const leading =
                            static_cast<long double>(digits) * std::log(10.0L) + std::log(0.625L);
                        return std::abs(middle(mean) - leading) < 1e-6L;
                    } catch (isserlis::UnsupportedError const&) {
                        return true;
                    }
                },
                2));
        }
    }

    // By hand: 1,2,1 with unit variances has J_1 = sum_i D_i w_i xi_i .. of squared norm |x|^2 chi^2_K, and J_2 the same;
    // given K >= 1 two units are (2 E log chi^2_1 + E log chi^2_2)/3. A chain of linear units 1,1,1,1 has two factors.
    TEST_CASE("Jacobians of one output are products of the hidden layers") {
        using isserlis::relative_log_jacobian_mean;
        using isserlis::testing::network_of_widths;
        isserlis::LogMeanMemo memo;
        auto const of = [&](isserlis::FullyConnected<Surd, Count> const& net) {
            return relative_log_jacobian_mean(net, bits, memo);
        };
        Interval const one = log_chi_square_mean(1, bits);
        auto const relu = network_of_widths<Surd>({1, 2, 1}, ActivationKind::relu);
        CHECK(overlap(of(relu), log_relu_chi_square_mean(2, bits)));
        auto const linear = network_of_widths<Surd>({1, 1, 1, 1}, ActivationKind::linear);
        CHECK(overlap(of(linear), one + one));
        // The gate of the head is 1 or s: half of log s^2 more.
        auto head = network_of_widths<Surd>({3, 1}, ActivationKind::leaky, Surd(ratio(1, 2)));
        CHECK(overlap(of(head), Interval(0L, bits)));
        head.gated_head = true;
        CHECK(overlap(of(head), Interval(0L, bits) - log(Interval(2L, bits))));
        head.activation.slope = isserlis::sqrt(Rational(2));
        CHECK(overlap(of(head), log(Interval(2L, bits)) / Interval(2L, bits)));
        for (int const slope : {1, -1}) {
            head.activation.slope = Surd(slope);
            CHECK(overlap(of(head), Interval(0L, bits)));
        }
        auto gated = relu;
        gated.gated_head = true;
        CHECK(overlap(of(gated), log_relu_chi_square_mean(2, bits)));
        // Variances multiply all of them.
        auto scaled = network_of_widths<Surd>({1, 2, 1}, ActivationKind::relu);
        for (auto& run : scaled.layers) run.variance = Surd(3);
        CHECK(overlap(of(scaled), of(relu) + Interval(2L, bits) * log(Interval(3L, bits))));
        CHECK_THROWS_AS((void)of(network_of_widths<Surd>({1, 2, 2}, ActivationKind::relu)), isserlis::DomainError);
    }
}
