// SPDX-License-Identifier: MIT
// What kills the mutants of tests/mutation/run.sh: independent legs only - enumeration of real weights, gate patterns,
// numerical sums of our own, values by hand - for every formula header. It prints the first line that fails and
// exits 1. Compile time is what matters here, so there is no test framework and no symbolic ring.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/formula/chi_mean.hpp>
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/formula/initialisation.hpp>
#include <isserlis/formula/log_squared_norm.hpp>
#include <isserlis/formula/network_size.hpp>
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/formula/standardised_moments.hpp>
#include <isserlis/network/scheme.hpp>

#include "../formula/layers.hpp"
#include "../formula/real_network.hpp"
#include "../formula/special_functions.hpp"

using namespace isserlis;           // a program of its own, never linked with anything
using namespace isserlis::testing;  // nolint

namespace {

using Count = std::uint64_t;

void require(bool holds, int line) {
    if (holds) return;
    std::fprintf(stderr, "killed at killer.cpp:%d\n", line);
    std::_Exit(1);
}
#define REQUIRE(condition) require((condition), __LINE__)

bool near(long double a, long double b) { return std::abs(a - b) <= 1e-11L * std::max(1.0L, std::abs(b)); }

template <class Call>
bool throws(Call const& call) {
    try {
        call();
    } catch (Error const&) {
        return true;
    }
    return false;
}

// ---- weights ------------------------------------------------------------------------------------------------------

/// Textbook fourth moments; variances by hand from each scheme's source at fan_in 6, fan_out 4.
void laws_and_schemes() {
    auto kurtosis_of = [](LawKind kind) {
        WeightLaw<Rational> law;
        law.kind = kind;
        law.kurtosis_value = 7;
        return law.kurtosis();
    };
    REQUIRE(kurtosis_of(LawKind::gaussian) == 3);
    REQUIRE(kurtosis_of(LawKind::uniform) == ratio(9, 5));
    REQUIRE(kurtosis_of(LawKind::rademacher) == 1);
    REQUIRE(kurtosis_of(LawKind::laplace) == 6);
    REQUIRE(kurtosis_of(LawKind::kurtosis) == 7);
    auto variance = [](Scheme scheme, ActivationKind kind, Rational const& slope, bool last) {
        Activation<Rational> activation;
        activation.kind = kind;
        activation.slope = slope;
        return weight_variance(scheme, activation, Rational(6), Rational(4), last);
    };
    Rational const half = ratio(1, 2);
    REQUIRE(variance(Scheme::he, ActivationKind::relu, half, false) == ratio(1, 3));
    REQUIRE(variance(Scheme::he, ActivationKind::leaky, half, false) == ratio(4, 15));
    REQUIRE(variance(Scheme::he, ActivationKind::linear, half, false) == ratio(1, 6));
    REQUIRE(variance(Scheme::he, ActivationKind::crelu, half, false) == ratio(1, 6));
    for (auto const scheme : {Scheme::xavier, Scheme::lecun_uniform, Scheme::standard, Scheme::ntk}) {
        REQUIRE(variance(scheme, ActivationKind::relu, half, false) == ratio(1, 6));
        REQUIRE(variance(scheme, ActivationKind::relu, half, true) == ratio(1, 6));
    }
    REQUIRE(variance(Scheme::xavier_average, ActivationKind::relu, half, false) == ratio(1, 5));
    REQUIRE(variance(Scheme::mean_field, ActivationKind::relu, half, false) == ratio(1, 3));
    REQUIRE(variance(Scheme::mean_field, ActivationKind::relu, half, true) == ratio(1, 36));
    Activation<double> crelu;
    crelu.kind = ActivationKind::crelu;
    REQUIRE(near(weight_variance(Scheme::proportional, crelu, 4.0, 9.0, false), 1.0L / 6));
}

/// 2,10:3,1 is 2-10-10-10-1.
void runs_of_layers() {
    auto const layers = layers_between(std::vector<WidthRun<int, Count>>{{2, 1}, {10, 3}, {1, 1}});
    REQUIRE(layers.size() == 3);
    REQUIRE(layers[0].fan_in == 2 && layers[0].fan_out == 10 && layers[0].count == 1);
    REQUIRE(layers[1].fan_in == 10 && layers[1].fan_out == 10 && layers[1].count == 2);
    REQUIRE(layers[2].fan_in == 10 && layers[2].fan_out == 1 && layers[2].count == 1);
    REQUIRE(layers_between(std::vector<WidthRun<int, Count>>{{5, 2}}).size() == 1);
}

// ---- products -----------------------------------------------------------------------------------------------------

ProductMoments<Rational> recursion(Rational const& first, std::vector<ProductStep<Rational>> const& steps) {
    return product_moments(first, std::span<ProductStep<Rational> const>(steps));
}

void product_equals_enumeration(std::vector<int> const& shape, std::vector<DiscreteLaw> const& laws) {
    EnumeratedProduct const b(shape, laws);
    std::vector<ProductStep<Rational>> steps;
    std::vector<ProductStep<double>> rough;
    for (std::size_t r = 1; r + 1 < shape.size(); ++r) {
        steps.push_back({.inner_width = Rational(shape[r]), .fourth_moment = laws[r].kurtosis()});
        rough.push_back(
            {.inner_width = static_cast<double>(shape[r]), .fourth_moment = laws[r].kurtosis().convert_to<double>()});
    }
    auto const out = recursion(laws[0].kurtosis(), steps);
    REQUIRE(b.second({0, 0}, {0, 0}) == out.second_moment);
    REQUIRE(b.fourth({0, 0}, {0, 0}, {0, 0}, {0, 0}) == out.rho);
    REQUIRE(b.fourth({0, 0}, {0, 0}, {1, 0}, {1, 0}) == out.gamma);
    REQUIRE(b.fourth({0, 0}, {0, 0}, {0, 1}, {0, 1}) == out.nu);
    REQUIRE(b.fourth({0, 0}, {0, 0}, {1, 1}, {1, 1}) == out.tau);
    REQUIRE(b.fourth({0, 0}, {0, 1}, {1, 0}, {1, 1}) == out.eta);
    auto const d =
        product_moments(laws[0].kurtosis().convert_to<double>(), std::span<ProductStep<double> const>(rough));
    REQUIRE(near(d.second_moment, out.second_moment.convert_to<double>()));
    REQUIRE(near(d.rho, out.rho.convert_to<double>()));
    REQUIRE(near(d.gamma, out.gamma.convert_to<double>()));
    REQUIRE(near(d.nu, out.nu.convert_to<double>()));
    REQUIRE(near(d.tau, out.tau.convert_to<double>()));
    REQUIRE(near(d.eta, out.eta.convert_to<double>()));
}

/// Lemma A.6 letter by letter.
ProductMoments<Rational> as_printed(Rational const& first, std::vector<ProductStep<Rational>> const& steps) {
    ProductMoments<Rational> b{.second_moment = 1, .rho = first, .gamma = 1, .nu = 1, .tau = 1, .eta = 0};
    for (auto const& s : steps) {
        for (Count i = 0; i < s.count; ++i) {
            Rational const m = s.inner_width;
            Rational const r = s.fourth_moment;
            b = {.second_moment = m * b.second_moment,
                 .rho = m * r * b.rho + 3 * m * (m - 1) * b.gamma,
                 .gamma = m * b.rho + m * (m - 1) * b.gamma,
                 .nu = m * r * b.nu + m * (m - 1) * b.tau + 2 * m * (m - 1) * b.eta,
                 .tau = m * b.nu + m * (m - 1) * b.tau,
                 .eta = m * b.nu + m * (m - 1) * b.eta};
        }
    }
    return b;
}

void products() {
    auto const signs = rademacher();
    auto const two = three_point(2, 1);
    auto const uniform_like = three_point(9, 5);
    product_equals_enumeration({2, 2}, {uniform_like});
    product_equals_enumeration({2, 2, 2}, {signs, signs});
    product_equals_enumeration({2, 2, 2}, {signs, two});
    product_equals_enumeration({2, 3, 2}, {signs, signs});
    product_equals_enumeration({2, 1, 2}, {uniform_like, two});
    product_equals_enumeration({2, 1, 2, 2}, {two, signs, lopsided()});
    // Repeats, denominators of every kind, widths that are no integers.
    for (auto const& steps : std::vector<std::vector<ProductStep<Rational>>>{
             {{Rational(3), ratio(9, 5), 2}, {Rational(2), ratio(9, 5), 1}},
             {{ratio(5, 2), ratio(7, 2), 3}, {ratio(5, 2), ratio(7, 2), 1}, {Rational(4), Rational(2), 12}},
             {{ratio(1, 2), ratio(3, 2), 1}, {Rational(1), ratio(4, 3), 2}, {ratio(7, 3), ratio(4, 3), 0}}}) {
        REQUIRE(recursion(ratio(5, 3), steps) == as_printed(ratio(5, 3), steps));
    }
    // The Gaussian closed form against Lemma A.6, for runs of every length.
    struct Net {
        std::vector<LayerRun<Rational, Count>> layers;
        std::vector<ProductStep<Rational>> steps;
    };
    auto run = [](int in, int out, Count count) { return layer(Rational(in), Rational(out), count); };
    for (auto const& [layers, steps] :
         std::vector<Net>{{{run(5, 2, 1), run(2, 3, 1)}, {{2, 3}}},
                          {{run(5, 1, 1), run(1, 1, 2), run(1, 4, 1)}, {{1, 3, 3}}},
                          {{run(4, 4, 3), run(4, 2, 1), run(2, 2, 2)}, {{4, 3, 3}, {2, 3, 2}}},
                          {{run(3, 3, 2), run(3, 7, 0), run(3, 1, 1)}, {{3, 3, 2}}}}) {
        REQUIRE(gaussian_product_moments(layers) == as_printed(3, steps));
    }
}

void stretches() {
    // By hand from p = prod (1 + 2/d), m = prod (1 - 1/d).
    auto of = [](std::vector<WidthRun<Rational, Count>> const& widths) { return phi_psi(widths); };
    REQUIRE((of({}) == PhiPsi<Rational>{1, 0}));
    REQUIRE((of({{Rational(2), 1}, {Rational(3), 1}}) == PhiPsi<Rational>{ratio(7, 3), 1}));
    REQUIRE((of({{Rational(1), 1}}) == PhiPsi<Rational>{2, 1}));
    REQUIRE((of({{Rational(2), 2}}) == PhiPsi<Rational>{ratio(33, 12), ratio(5, 4)}));
    REQUIRE((of({{Rational(1), 2}, {Rational(2), 1}}) == PhiPsi<Rational>{12, 6}));
    // Enumerated matrices of kurtosis 3: sum_ik E b_i1^2 b_k2^2 = d^2 (phi - psi), sum_ik E b_i1 b_i2 b_k1 b_k2 = d^2
    // psi.
    auto const law = three_point(3, 1);
    EnumeratedProduct const b({2, 2, 2}, {law, law});
    Rational norms = 0;
    Rational crossed = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
            norms += b.fourth({i, 0}, {i, 0}, {k, 1}, {k, 1});
            crossed += b.fourth({i, 0}, {i, 1}, {k, 0}, {k, 1});
        }
    }
    auto const out = of({{Rational(2), 2}});
    REQUIRE(norms == 16 * (out.phi - out.psi));
    REQUIRE(crossed == 16 * out.psi);
}

// ---- norms --------------------------------------------------------------------------------------------------------

Rational chi_square_moment(int n, unsigned p) {
    Rational out = 1;
    for (unsigned k = 0; k < p; ++k) out *= n + 2 * static_cast<int>(k);
    return out;
}

/// All gate patterns of n units.
Gate<Rational> of_slope(Rational const& slope) { return {1, slope}; }

Rational by_patterns(int n, Rational const& slope, unsigned p) {
    Rational sum = 0;
    for (unsigned pattern = 0; pattern < (1U << static_cast<unsigned>(n)); ++pattern) {
        int const open = __builtin_popcount(pattern);
        Rational choose = 1;
        for (unsigned j = 0; j <= p; ++j) {
            sum += choose * chi_square_moment(open, j) * power(slope, 2 * (p - j)) * chi_square_moment(n - open, p - j);
            choose *= ratio(p - j, j + 1);
        }
    }
    return sum / power(Rational(2), static_cast<Count>(n));
}

void gates() {
    REQUIRE(of_slope(Rational(0)).moment(0) == 1);
    REQUIRE(of_slope(Rational(0)).moment(4) == ratio(1, 2));
    REQUIRE(of_slope(Rational(3)).moment(2) == 5);
    REQUIRE(of_slope(Rational(-2)).moment(3) == ratio(-7, 2));
    for (auto const& slope : {Rational(0), ratio(-1, 2), Rational(1)}) {
        for (int n = 1; n <= 3; ++n) {
            auto const out = gated_chi_square_moments(Rational(n), of_slope(slope), 6);
            REQUIRE(out.size() == 7);
            for (unsigned p = 0; p <= 6; ++p) REQUIRE(out[p] == by_patterns(n, slope, p));
        }
    }
    REQUIRE(gated_chi_square_moments(Rational(2), of_slope(Rational(0)), 0) == std::vector<Rational>{1});
    REQUIRE(gated_chi_square_moments(Rational(2), of_slope(Rational(1)), 30)[30] == chi_square_moment(2, 30));
}

FullyConnected<Rational, Count> described(RealNetwork<std::int64_t> const& real, std::vector<DiscreteLaw> const& laws) {
    auto net = network_of_widths(std::vector<Rational>(real.widths.begin(), real.widths.end()), real.kind,
                                 Rational(real.slope));
    net.gated_head = real.gated_head;
    for (std::size_t l = 0; l < laws.size(); ++l) {
        net.layers[l].law.kind = LawKind::kurtosis;
        net.layers[l].law.kurtosis_value = laws[l].kurtosis();
    }
    return net;
}

void network_equals_enumeration(RealNetwork<std::int64_t> const& real, std::vector<DiscreteLaw> const& laws) {
    auto const enumerated = enumerated_norm(real, laws);
    Integer squares = 0;
    Integer fourths = 0;
    for (auto const x : real.input) {
        squares += x * x;
        fourths += x * x * x * x;
    }
    auto const net = described(real, laws);
    auto const reading = real.gated_head ? Reading::activation : Reading::preactivation;
    Rational const norm(squares);
    REQUIRE(enumerated.mean == norm * squared_norm_gain(net));
    auto const moments = relative_norm_moments(net, reading, 2);
    REQUIRE(enumerated.mean == norm * moments[1]);
    bool gaussian = true;
    for (auto const& law : laws) gaussian = gaussian && law.kurtosis() == 3;
    if (gaussian) REQUIRE(enumerated.square == norm * norm * moments[2]);
    REQUIRE(enumerated.square ==
            norm * norm * relative_fourth_norm_moment(net, reading, ratio(fourths, squares * squares)));
}

void norms() {
    auto const signs = rademacher();
    auto const three = three_point(3, 1);
    auto const heavy = three_point(7, 2);
    for (bool const gated : {false, true}) {
        network_equals_enumeration(
            {.widths = {2, 2, 2}, .kind = ActivationKind::relu, .gated_head = gated, .input = {5, 1}}, {signs, heavy});
        network_equals_enumeration(
            {.widths = {1, 2, 2}, .kind = ActivationKind::leaky, .slope = -2, .gated_head = gated, .input = {3}},
            {heavy, signs});
        network_equals_enumeration(
            {.widths = {1, 2, 1}, .kind = ActivationKind::relu, .gated_head = gated, .input = {1}}, {three, three});
        network_equals_enumeration(
            {.widths = {2, 1, 1}, .kind = ActivationKind::leaky, .slope = 3, .gated_head = gated, .input = {2, -1}},
            {three, three});
    }
    network_equals_enumeration({.widths = {3, 2, 2}, .kind = ActivationKind::linear, .input = {3, 1, -1}},
                               {signs, heavy});
    network_equals_enumeration({.widths = {2, 2, 1}, .kind = ActivationKind::crelu, .input = {3, -1}}, {signs, three});
    network_equals_enumeration(
        {.widths = {2, 2, 2}, .kind = ActivationKind::crelu_tied, .gated_head = true, .input = {3, -1}},
        {signs, heavy});
    // Runs, variances and higher orders: layers are independent factors v^p E (chi^2)^p.
    for (auto const reading : {Reading::activation, Reading::preactivation}) {
        auto const net = network(std::vector{layer(Rational(2), Rational(3), Count{1}, ratio(1, 2)),
                                             layer(Rational(3), Rational(3), Count{2}, ratio(2, 3)),
                                             layer(Rational(3), Rational(2), Count{1}, Rational(5)),
                                             layer(Rational(2), Rational(2), Count{2}, ratio(1, 7))},
                                 ActivationKind::relu);
        auto const out = relative_norm_moments(net, reading, 3);
        REQUIRE(out.size() == 4);
        for (unsigned p = 0; p <= 3; ++p) {
            Rational const v = power(Rational(ratio(1, 2) * ratio(4, 9) * 5 * ratio(1, 49)), p);
            Rational const hidden = power(by_patterns(3, 0, p), 3) * power(by_patterns(2, 0, p), 2);
            Rational const head = reading == Reading::activation ? by_patterns(2, 0, p) : chi_square_moment(2, p);
            REQUIRE(out[p] == v * hidden * head);
        }
        // Kurtosis 3 leaves no trace of the flatness.
        REQUIRE(relative_fourth_norm_moment(net, reading, ratio(2, 3)) *
                    power(Rational(ratio(1, 2) * ratio(4, 9) * 5 * ratio(1, 49)), 2) ==
                out[2]);
    }
    auto const net = network(std::vector{layer(Rational(2), Rational(2), Count{1})}, ActivationKind::relu);
    REQUIRE(relative_norm_moments(net, Reading::preactivation, 30).size() == 31);
    REQUIRE(throws([&] { (void)relative_norm_moments(net, Reading::activation, 31); }));
}

// ---- logarithms and lengths ---------------------------------------------------------------------------------------

long double middle(Interval const& x) { return mpfr_get_ld(x.lower(), MPFR_RNDN); }

long double choose(int n, int k) {
    return std::exp(std::lgamma(n + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(n - k + 1.0L));
}

void logarithms() {
    long double const log_two = std::log(2.0L);
    auto relu = [&](int n) {
        long double sum = 0;
        for (int k = 1; k <= n; ++k) sum += choose(n, k) * (log_two + digamma(k / 2.0L));
        return sum / (std::pow(2.0L, n) - 1);
    };
    for (int const n : {1, 2, 3, 4, 7, 20}) {
        REQUIRE(near(middle(log_chi_square_mean(n, 80)), log_two + digamma(n / 2.0L)));
        REQUIRE(near(middle(log_relu_chi_square_mean(n, 80)), relu(n)));
    }
    // Leaky: one unit is |s| times a normal half of the time; two by the polar angle.
    long double const log_s = std::log(0.5L);
    REQUIRE(near(middle(log_leaky_chi_square_mean(1, Surd(ratio(1, 4)), 80)), log_two + digamma(0.5L) + log_s));
    REQUIRE(near(middle(log_leaky_chi_square_mean(2, Surd(ratio(1, 4)), 80)),
                 log_two + digamma(1) + log_s / 2 + std::log(0.75L)));
    REQUIRE(near(middle(log_leaky_chi_square_mean(5, Surd(1), 80)), log_two + digamma(2.5L)));
    REQUIRE(throws([] { (void)log_leaky_chi_square_mean(5, Surd(0), 80); }));
    REQUIRE(throws([] { (void)log_relu_chi_square_mean(1'000'001, 64); }));
    auto net =
        network(std::vector{layer(Surd(2), Surd(3), Count{1}, Surd(ratio(1, 6))),
                            layer(Surd(3), Surd(3), Count{4}, Surd(ratio(2, 3))),
                            layer(Surd(3), Surd(4), Count{1}, Surd(5)), layer(Surd(4), Surd(2), Count{1}, Surd(7))},
                ActivationKind::relu);
    long double const logs = std::log(1 / 6.0L) + 4 * std::log(2 / 3.0L) + std::log(5.0L) + std::log(7.0L);
    long double const plain_two = log_two + digamma(1);
    REQUIRE(near(middle(relative_log_norm_mean(net, Reading::activation, 80)), logs + 5 * relu(3) + relu(4) + relu(2)));
    REQUIRE(near(middle(relative_log_norm_mean(net, Reading::preactivation, 80)),
                 logs + 5 * relu(3) + relu(4) + plain_two));
    net.activation.kind = ActivationKind::linear;
    REQUIRE(near(middle(relative_log_norm_mean(net, Reading::activation, 80)),
                 logs + 5 * (log_two + digamma(1.5L)) + log_two + digamma(2) + plain_two));
    // A last run of two layers: only its second one is read.
    net.activation.kind = ActivationKind::leaky;
    net.activation.slope = Surd(ratio(1, 2));
    net.layers = {layer(Surd(2), Surd(2), Count{2}, Surd(7))};
    long double const leaky_two = plain_two + log_s / 2 + std::log(0.75L);
    long double const sevens = 2 * std::log(7.0L);
    REQUIRE(near(middle(relative_log_norm_mean(net, Reading::activation, 80)), sevens + 2 * leaky_two));
    REQUIRE(near(middle(relative_log_norm_mean(net, Reading::preactivation, 80)), sevens + leaky_two + plain_two));
}

void lengths() {
    for (int d = 1; d <= 12; ++d) {
        REQUIRE(near(middle(chi_mean(d, 80)),
                     std::sqrt(2.0L) * std::exp(std::lgamma((d + 1) / 2.0L) - std::lgamma(d / 2.0L))));
    }
    REQUIRE(throws([] { (void)chi_mean(0, 80); }));
}

// ---- initialisation, size, scale ----------------------------------------------------------------------------------

void initialisation() {
    // By hand: v_1^2 d_1 d_0/(v_2^2 d_2 d_1) at v = 1/3, 1/5 and d = 2, 3, 7.
    auto const first = layer(Rational(2), Rational(3), Count{1}, ratio(1, 3));
    auto const second = layer(Rational(3), Rational(7), Count{1}, ratio(1, 5));
    REQUIRE(update_ratio(second, first) == ratio(6, 9) / ratio(21, 25));
    auto net = network(std::vector{first, second}, ActivationKind::leaky, ratio(1, 2));
    // (1/3 * 3 * 5/8) (1/5 * 7), and 5/8 more when the head is gated.
    REQUIRE(squared_norm_gain(net) == ratio(7, 8));
    REQUIRE(output_variance(net, Rational(3)) == ratio(7, 8) * 2 * 9 / 7);
    net.gated_head = true;
    REQUIRE(squared_norm_gain(net) == ratio(35, 64));
    auto const deep =
        network(std::vector{layer(Rational(3), Rational(3), Count{3}, Rational(1))}, ActivationKind::linear);
    REQUIRE(squared_norm_gain(deep) == 27);
    REQUIRE(near(output_variance_printed(4.0, 9.0, 3.0), 1.5L));
}

void size_and_scale() {
    auto const layers =
        std::vector{layer(2.0, 10.0, Count{1}), layer(10.0, 10.0, Count{2}), layer(10.0, 1.0, Count{1})};
    REQUIRE(near(scaling_factor(layers).value(), (20 + std::sqrt(20.0L) + std::sqrt(10.0L)) * 1.728L));
    REQUIRE(near(scaling_factor(std::vector{layer(4.0, 9.0, Count{1})}).value(), 6));
    REQUIRE(near(scaling_factor(std::vector{layer(3.0, 3.0, Count{3})}).value(), 25));
    // Unlike roots, as many as it takes to fill every level of a balanced sum: d = 1, 2, .., 10.
    std::vector<LayerRun<double, Count>> ladder;
    long double roots = 0;
    long double growth = 1;
    for (int d = 1; d < 10; ++d) {
        ladder.push_back(layer(static_cast<double>(d), static_cast<double>(d + 1), Count{1}));
        roots += std::sqrt(static_cast<long double>(d * (d + 1)));
        if (d > 1) growth *= (d + 2.0L) / d;
        REQUIRE(near(scaling_factor(ladder).value(), roots * growth));
    }
    auto net = network(layers, ActivationKind::relu);
    REQUIRE(near(parameter_count(net), 230));
    net.activation.kind = ActivationKind::crelu;
    REQUIRE(near(parameter_count(net), 460));
    REQUIRE(minimal_width(Rational(2), Rational(5)).lower == 3);
    REQUIRE(minimal_width(Rational(2), Rational(5)).upper == 7);
}

void standardised() {
    // P(0) = 1/2, P(1) = P(5) = 1/4: mean 3/2, deviations -3/2, -1/2, 7/2, central moments 17/4, 9, 641/16.
    std::vector<Rational> raw;
    for (unsigned k = 0; k <= 6; ++k)
        raw.push_back((k == 0 ? ratio(1, 2) : Rational(0)) + (1 + power(Rational(5), k)) / 4);
    for (unsigned k = 0; k <= 6; ++k) {
        Rational const expected = power(ratio(-3, 2), k) / 2 + (power(ratio(-1, 2), k) + power(ratio(7, 2), k)) / 4;
        REQUIRE(central_moment(raw, k) == expected);
    }
    REQUIRE(kurtosis(raw) == ratio(641, 289));
    std::vector<double> rough;
    for (auto const& m : raw) rough.push_back(m.convert_to<double>());
    REQUIRE(near(kurtosis(rough), 641 / 289.0L));
    REQUIRE(near(skewness(rough), 9 / (4.25L * std::sqrt(4.25L))));
    REQUIRE(throws([] { (void)kurtosis(std::vector<Rational>{1, 5, 25, 125, 625}); }));
    REQUIRE(throws([] { (void)skewness(std::vector<double>{1, 5, 25, 125, 625}); }));
}

}  // namespace

int main() {
    try {
        laws_and_schemes();
        runs_of_layers();
        products();
        stretches();
        gates();
        norms();
        logarithms();
        lengths();
        initialisation();
        size_and_scale();
        standardised();
    } catch (std::exception const& e) {
        std::fprintf(stderr, "killed by an exception: %s\n", e.what());
        return 1;
    }
    return 0;
}
