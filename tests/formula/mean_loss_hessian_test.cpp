// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/mean_loss_hessian.hpp>

#include <array>
#include <cmath>

#include "hessian_networks.hpp"
#include "middle.hpp"

using isserlis::test::middle;
using namespace isserlis;
using isserlis::testing::by_strands;
using isserlis::testing::over;
using isserlis::testing::raw_network;

namespace {

NeuronMoments<double> moments_of(Rational const& slope, Rational const& xx, Rational const& yy, Rational const& xy) {
    auto const angle = pair_angle({.xx = xx, .yy = yy, .xy = xy}, 100);
    auto const m = neuron_moments<Enclosed>(Gate<Enclosed>(1, slope), {.xx = xx, .yy = yy, .xy = xy}, angle);
    return {.gates = middle(m.gates),
            .kernel = middle(m.kernel),
            .squares = middle(m.squares),
            .mixed = middle(m.mixed),
            .fourth = middle(m.fourth)};
}

/// The Hessian of the mean loss over the inputs, entry by entry, of widths 2, 2, 2 and ReLU units of a slope.
struct SmallNetwork {
    static constexpr std::size_t width = 2;
    static constexpr std::size_t size = 8;
    std::array<double, 4> lower;  ///< row by row
    std::array<double, 4> upper;
    double slope;
    double lower_factor;
    double upper_factor;
    std::array<double, 2> lower_bias{};
    std::array<double, 2> upper_bias{};

    using Matrix = std::array<std::array<double, size>, size>;

    void add(Matrix& hessian, std::array<double, 2> const& x, std::array<double, 2> const& y, double share) const {
        std::array<double, 2> gate{};
        std::array<double, 2> hidden{};
        for (std::size_t a = 0; a < width; ++a) {
            double const u = lower[2 * a] * x[0] + lower[2 * a + 1] * x[1] + lower_bias[a];
            gate[a] = u > 0 ? 1 : slope;
            hidden[a] = gate[a] * u;
        }
        double const by_lower = std::sqrt(lower_factor);
        double const by_upper = std::sqrt(upper_factor);
        for (std::size_t i = 0; i < 2; ++i) {
            std::array<double, size> first{};
            double error = upper_bias[i] - y[i];
            for (std::size_t a = 0; a < width; ++a) {
                for (std::size_t m = 0; m < 2; ++m) first[2 * a + m] = by_lower * upper[2 * i + a] * gate[a] * x[m];
                first[4 + 2 * i + a] = by_upper * hidden[a];
                error += upper[2 * i + a] * hidden[a];
            }
            for (std::size_t p = 0; p < size; ++p)
                for (std::size_t q = 0; q < size; ++q) hessian[p][q] += share * first[p] * first[q];
            for (std::size_t a = 0; a < width; ++a) {
                for (std::size_t m = 0; m < 2; ++m) {
                    double const second = share * error * by_lower * by_upper * gate[a] * x[m];
                    hessian[2 * a + m][4 + 2 * i + a] += second;
                    hessian[4 + 2 * i + a][2 * a + m] += second;
                }
            }
        }
    }
};

using Targets = std::array<std::array<double, 2>, 2>;

constexpr std::array<std::array<double, 2>, 2> two_inputs{{{2, 1}, {1, -3}}};
constexpr double small_slope = 0.25;

double sign(unsigned bits, unsigned k) { return (bits >> k & 1U) != 0 ? 1.0 : -1.0; }

/// |H|_F^2 over every network with lower weights +-1 and upper ones 0 or +-sqrt(3/2), of variance 1/2 and kurtosis 3, and
/// biases of both layers +- these.
double mean_over_networks(Targets const& targets, double lower_bias = 0, double upper_bias = 0) {
    double const root = std::sqrt(1.5);
    double mean = 0;
    double total_weight = 0;
    for (unsigned lower = 0; lower < 256; ++lower) {
        for (unsigned upper = 0; upper < 81; ++upper) {
            SmallNetwork net{.lower = {}, .upper = {}, .slope = small_slope, .lower_factor = 2, .upper_factor = 0.5};
            for (unsigned a = 0; a < 2; ++a) {
                net.lower_bias[a] = lower_bias * sign(lower, 4 + a);
                net.upper_bias[a] = upper_bias * sign(lower, 6 + a);
            }
            double weight = 1;
            unsigned rest = upper;
            for (unsigned k = 0; k < 4; ++k, rest /= 3) {
                net.lower[k] = sign(lower, k);
                unsigned const which = rest % 3;
                net.upper[k] = which == 0 ? 0 : which == 1 ? root : -root;
                weight *= which == 0 ? 4 : 1;
            }
            SmallNetwork::Matrix hessian{};
            for (unsigned k = 0; k < 2; ++k) net.add(hessian, two_inputs[k], targets[k], 0.5);
            double square = 0;
            for (auto const& row : hessian)
                for (double const h : row) square += h * h;
            mean += weight * square;
            total_weight += weight;
        }
    }
    return mean / total_weight;
}

/// The same by the means of a neuron, from the eight rows of lower weights and biases, and E y_k.y_l.
double by_neuron_moments(auto const& products, double lower_bias = 0, double upper_bias = 0) {
    TwoLayers<double> const layers{.hidden = 2,
                                   .outputs = 2,
                                   .lower_variance = 1,
                                   .upper_variance = 0.5,
                                   .lower_factor = 2,
                                   .upper_factor = 0.5,
                                   .upper_bias = upper_bias * upper_bias};
    double sum = 0;
    for (std::size_t k = 0; k < 2; ++k) {
        for (std::size_t l = 0; l < 2; ++l) {
            auto const& x = two_inputs[k];
            auto const& y = two_inputs[l];
            NeuronMoments<double> m{};
            for (unsigned row = 0; row < 8; ++row) {
                double const b = lower_bias * sign(row, 2);
                double const u = sign(row, 0) * x[0] + sign(row, 1) * x[1] + b;
                double const w = sign(row, 0) * y[0] + sign(row, 1) * y[1] + b;
                double const gate = (u > 0 ? 1 : small_slope) * (w > 0 ? 1 : small_slope);
                m.gates += gate / 8;
                m.kernel += gate * u * w / 8;
                m.squares += gate * gate / 8;
                m.mixed += gate * gate * u * w / 8;
                m.fourth += gate * gate * u * u * w * w / 8;
            }
            sum += hessian_product(layers, m, x[0] * y[0] + x[1] * y[1], products(k, l)).total() / 4;
        }
    }
    return sum;
}

}  // namespace

TEST_SUITE("formula/mean_loss_hessian") {
    // docs/formulas/mean_loss_hessian.md, by hand: right angles factor, and at 45 degrees rest = 3/4, root = 1/pi.
    TEST_CASE("means of a neuron at known angles") {
        double const pi = std::acos(-1.0);
        auto const right = moments_of(0, 1, 4, 0);
        CHECK(right.gates == doctest::Approx(0.25));
        CHECK(right.kernel == doctest::Approx(1 / pi));  // 2/(2 pi)
        CHECK(right.squares == doctest::Approx(0.25));
        CHECK(right.mixed == doctest::Approx(1 / pi));
        CHECK(right.fourth == doctest::Approx(1));
        auto const half = moments_of(0, 1, 2, 1);
        CHECK(half.gates == doctest::Approx(3.0 / 8));
        CHECK(half.kernel == doctest::Approx(1 / (2 * pi) + 3.0 / 8));
        CHECK(half.fourth == doctest::Approx(3 / (2 * pi) + 1.5));
        auto const against = moments_of(0, 1, 1, -1);
        CHECK(against.gates == 0);
        CHECK(against.kernel == 0);
        CHECK(against.fourth == 0);
        // u and -u through a slope of 1/2: E g g = 1/2, E h h = -1/2, E g^2 g^2 = 1/4, E g g h h = -1/4, E h^2 h^2 = 3/4.
        auto const sides = moments_of(ratio(1, 2), 1, 1, -1);
        CHECK(sides.gates == doctest::Approx(0.5));
        CHECK(sides.kernel == doctest::Approx(-0.5));
        CHECK(sides.squares == doctest::Approx(0.25));
        CHECK(sides.mixed == doctest::Approx(-0.25));
        CHECK(sides.fourth == doctest::Approx(0.75));
    }

    // Slopes 2 and -3: the means of their products, of 4 and 9, and of E u^2 = 5, E u^4 = 75.
    TEST_CASE("means of a neuron of two slopes, at equal and opposite inputs") {
        Gate<Rational> const gate(2, -3);
        auto const equal = neuron_moments<Rational>(gate, {.xx = 5, .yy = 5, .xy = 5}, {.rest = 1, .root = 0});
        CHECK(equal.gates == ratio(13, 2));
        CHECK(equal.kernel == ratio(65, 2));
        CHECK(equal.squares == ratio(97, 2));
        CHECK(equal.mixed == ratio(485, 2));
        CHECK(equal.fourth == ratio(7275, 2));
        auto const opposite = neuron_moments<Rational>(gate, {.xx = 5, .yy = 5, .xy = -5}, {.rest = 0, .root = 0});
        CHECK(opposite.gates == -6);
        CHECK(opposite.kernel == 30);
        CHECK(opposite.squares == 36);
        CHECK(opposite.mixed == -180);
        CHECK(opposite.fourth == 2700);
    }

    // f = A W x, by hand, of n = 3 linear neurons and N = 2 outputs at one input of |x|^2 = s = 5, E|y|^2 = 7:
    // N E|h|^4 = N n (n + 2) s^2, twice s E|A|^2 E|h|^2 = N n^2 s^2, s^2 E|A^T A|^2 = n N (n + N + 1) s^2; the second
    // derivatives 2 n s E|f - y|^2, and beside the first ones 4 s E|f|^2.
    TEST_CASE("a linear network of three neurons by hand") {
        TwoLayers<Rational> const net{
            .hidden = 3, .outputs = 2, .lower_variance = 1, .upper_variance = 1, .lower_factor = 1, .upper_factor = 1};
        auto const norm =
            hessian_product<Rational>(net, {.gates = 1, .kernel = 5, .squares = 1, .mixed = 5, .fourth = 75}, 5, 7);
        CHECK(norm.gauss_newton == 750 + 900 + 900);
        CHECK(norm.functional == 900);
        CHECK(norm.cross == 600);
        CHECK(norm.target == 210);
    }

    // Lower weights of variance c at x are those of variance 1 at sqrt(c) x, where a derivative is sqrt(c) times smaller;
    // upper ones of variance v times sqrt(v) are a lower factor and targets.
    TEST_CASE("variances are inputs, factors and targets of other size") {
        TwoLayers<Rational> const net{.hidden = 4,
                                      .outputs = 3,
                                      .lower_variance = ratio(2, 5),
                                      .upper_variance = ratio(3, 7),
                                      .lower_factor = ratio(5, 3),
                                      .upper_factor = ratio(7, 2)};
        NeuronMoments<Rational> const m{.gates = 2, .kernel = 3, .squares = 5, .mixed = 7, .fourth = 11};
        auto const norm = hessian_product<Rational>(net, m, ratio(13, 2), 17);
        auto lower = net;
        lower.lower_variance = 1;
        lower.lower_factor = ratio(25, 6);
        NeuronMoments<Rational> const larger{
            .gates = 2, .kernel = ratio(2, 5) * 3, .squares = 5, .mixed = ratio(2, 5) * 7, .fourth = ratio(4, 25) * 11};
        CHECK(hessian_product<Rational>(lower, larger, ratio(13, 5), 17) == norm);
        auto upper = net;
        upper.upper_variance = 1;
        upper.lower_factor = ratio(5, 7);
        CHECK(hessian_product<Rational>(upper, m, ratio(13, 2), Rational(17) * ratio(7, 3)) == norm);
    }

    // Over the circle: E |G|^2 = 2, E |G|^4 = 8.
    TEST_CASE("means of a neuron by numerical integration, any slope") {
        double const slope = 0.3;
        std::array<double, 2> const x{1, 0.5};
        std::array<double, 2> const y{-2, 1.5};
        constexpr int steps = 400'000;
        NeuronMoments<double> sum{};
        for (int k = 0; k < steps; ++k) {
            double const a = 2 * std::acos(-1.0) * (k + 0.5) / steps;
            double const u = x[0] * std::cos(a) + x[1] * std::sin(a);
            double const w = y[0] * std::cos(a) + y[1] * std::sin(a);
            double const gate = (u > 0 ? 1 : slope) * (w > 0 ? 1 : slope);
            sum.gates += gate / steps;
            sum.kernel += 2 * gate * u * w / steps;
            sum.squares += gate * gate / steps;
            sum.mixed += 2 * gate * gate * u * w / steps;
            sum.fourth += 8 * gate * gate * u * u * w * w / steps;
        }
        auto const m = moments_of(ratio(3, 10), ratio(5, 4), ratio(25, 4), ratio(-5, 4));
        CHECK(m.gates == doctest::Approx(sum.gates).epsilon(1e-4));
        CHECK(m.kernel == doctest::Approx(sum.kernel).epsilon(1e-4));
        CHECK(m.squares == doctest::Approx(sum.squares).epsilon(1e-4));
        CHECK(m.mixed == doctest::Approx(sum.mixed).epsilon(1e-4));
        CHECK(m.fourth == doctest::Approx(sum.fourth).epsilon(1e-4));
    }

    // Brute force: lower weights +-1, upper ones 0 or +-sqrt(3/2) of variance 1/2 and kurtosis 3, targets +-1; every
    // network, and the means of a neuron from the same four rows of weights.
    TEST_CASE("every network of a small discrete law") {
        double mean = 0;
        for (unsigned targets = 0; targets < 16; ++targets)
            mean +=
                mean_over_networks({{{sign(targets, 0), sign(targets, 1)}, {sign(targets, 2), sign(targets, 3)}}}) / 16;
        double const sum = by_neuron_moments([](std::size_t k, std::size_t l) { return k == l ? 2.0 : 0.0; });
        CHECK(sum == doctest::Approx(mean).epsilon(1e-12));
    }

    TEST_CASE("every network of a small discrete law, at fixed targets") {
        Targets const targets{{{1, -0.5}, {2, 3}}};
        double const sum = by_neuron_moments([&](std::size_t k, std::size_t l) {
            return targets[k][0] * targets[l][0] + targets[k][1] * targets[l][1];
        });
        CHECK(sum == doctest::Approx(mean_over_networks(targets)).epsilon(1e-12));
    }

    TEST_CASE("every network of a small discrete law, with biases") {
        Targets const targets{{{1, -0.5}, {2, 3}}};
        double const sum = by_neuron_moments(
            [&](std::size_t k, std::size_t l) { return targets[k][0] * targets[l][0] + targets[k][1] * targets[l][1]; },
            0.75, 1.5);
        CHECK(sum == doctest::Approx(mean_over_networks(targets, 0.75, 1.5)).epsilon(1e-12));
    }

    // By strands, which know one input; labels run over weights.
    TEST_CASE("one input behind biases is what strands give") {
        for (auto const& slope : {Rational(0), ratio(1, 4)}) {
            auto net = raw_network({3, 4, 2}, slope);
            auto of_pairs = over<Surd>(net);
            for (std::size_t l = 0; l < 2; ++l) {
                Rational const variance = ratio(static_cast<int>(l) + 1, 5);
                net.layers[l].bias = Bias<Rational>{.variance = variance};
                of_pairs.layers[l].bias = Bias<Surd>{.variance = Surd(variance)};
            }
            CHECK(bias_in_products(of_pairs) == ratio(3, 10));  // 1/5 over 2/3
            auto const parts = *exact_mean_loss_hessian(of_pairs, {{5}}, Surd(3));
            CHECK(parts.gauss_newton == Surd(by_strands(net, "z[i;m] z[i;n] z[j;m] z[j;n]", 5)));
            CHECK(parts.functional == Surd(by_strands(net, "z[i] z[i;m,n] z[j] z[j;m,n]", 5)));
            CHECK(parts.cross == Surd(Rational(2 * by_strands(net, "z[i;m] z[i;n] z[j] z[j;m,n]", 5))));
            CHECK(parts.target == Surd(Rational(3 * by_strands(net, "z[1;m,n]^2", 5))));
            auto const rough = mean_loss_hessian(of_pairs, {{5, 5}, {5, 5}}, {{3, 3}, {3, 3}}, 64);
            CHECK(Surd(*rough.total().exact()) == parts.total());
            CHECK(biased_hessian(of_pairs, Surd(5), Surd(3)) == parts);
        }
    }

    TEST_CASE("laws and biases that angles ask for") {
        auto net = over<Surd>(raw_network({2, 3, 1}, 0));
        CHECK(bias_in_products(net) == Rational(0));
        net.layers[0].bias = Bias<Surd>{.variance = Surd(0)};
        CHECK(bias_in_products(net) == Rational(0));
        net.layers[0].variance = Surd(0);
        CHECK(bias_in_products(net) == Rational(0));
        net.layers[0].variance = Surd(ratio(2, 3));
        net.layers[0].bias->variance = Surd(2);
        CHECK(bias_in_products(net) == Rational(3));
        CHECK(has_gaussian_first_layer(net));
        net.layers[0].bias->law = {.kind = LawKind::uniform};
        CHECK_FALSE(has_gaussian_first_layer(net));
        CHECK_THROWS_AS((void)mean_loss_hessian(net, {{1, 0}, {0, 1}}, Surd(1), 64), UnsupportedError);
        net.layers[0].bias->variance = sqrt(Rational(2));
        CHECK(bias_in_products(net) == std::nullopt);
        CHECK(biased_hessian(net, Surd(1), Surd(1)).has_value());
        CHECK_THROWS_AS((void)exact_mean_loss_hessian(net, {{1}}, Surd(1)), UnsupportedError);
        net.layers[0].bias->variance = Surd(1);
        net.layers[0].variance = Surd(0);
        CHECK(bias_in_products(net) == std::nullopt);
        CHECK(biased_hessian(net, Surd(1), Surd(1)) == std::nullopt);
        auto signs = over<Surd>(raw_network({2, 3, 1}, 0));
        signs.layers[0].law = {.kind = LawKind::rademacher};
        CHECK_FALSE(has_gaussian_first_layer(signs));
        CHECK_THROWS_AS((void)mean_loss_hessian(signs, {{1, 0}, {0, 1}}, Surd(1), 64), UnsupportedError);
        CHECK(exact_mean_loss_hessian(signs, {{1, -1}, {-1, 1}}, Surd(1)) == std::nullopt);
        CHECK(exact_mean_loss_hessian(signs, {{1}}, Surd(1)).has_value());
    }

    // Their part is linear in the products.
    TEST_CASE("products of targets") {
        auto const net = over<Surd>(raw_network({2, 3, 2}, ratio(1, 4)));
        std::vector<std::vector<Rational>> const gram{{1, 1}, {1, 3}};
        auto const none = mean_loss_hessian(net, gram, Surd(0), 100);
        auto const apart = mean_loss_hessian(net, gram, Surd(3), 100);
        auto const target = [&](std::vector<std::vector<Enclosed>> const& products) {
            auto const norm = mean_loss_hessian(net, gram, products, 100);
            CHECK(middle(norm.gauss_newton) == middle(none.gauss_newton));
            return middle(norm.target);
        };
        CHECK(target({{3, 0}, {0, 3}}) == doctest::Approx(middle(apart.target)));
        CHECK(target({{3, 1}, {1, 3}}) + target({{3, -1}, {-1, 3}}) == doctest::Approx(2 * middle(apart.target)));
        CHECK(target({{3, 1}, {1, 3}}) > middle(apart.target));
        CHECK_THROWS_AS((void)target({{3}}), DomainError);
        // Collinear inputs are exact: E y.y' = 1 of equal ones of E|y|^2 = 3 is 2 of them.
        auto const equal =
            *exact_mean_loss_hessian(net, {{5, 5}, {5, 5}}, std::vector<std::vector<Surd>>{{3, 1}, {1, 3}});
        CHECK(equal == hessian_norm(net, Surd(5), Surd(2)));
    }

    TEST_CASE("one input, and equal ones with other targets, are what one input gives") {
        for (auto const& slope : {Rational(0), ratio(1, 4), Rational(1)}) {
            auto const net = over<Surd>(raw_network({3, 4, 2}, slope));
            auto const one = hessian_norm(net, Surd(5), Surd(3));
            CHECK(exact_mean_loss_hessian(net, {{5}}, Surd(3)) == one);
            auto const equal = *exact_mean_loss_hessian(net, {{5, 5}, {5, 5}}, Surd(3));
            CHECK(equal.gauss_newton == one.gauss_newton);
            CHECK(equal.functional == one.functional);
            CHECK(equal.cross == one.cross);
            CHECK(equal.target == one.target / Surd(2));  // of uncorrelated targets
        }
    }

    TEST_CASE("enclosures are those of exact values and hold at twice the precision") {
        auto const net = over<Surd>(raw_network({2, 3, 2}, ratio(1, 4)));
        auto const aligned = mean_loss_hessian(net, {{1, -2}, {-2, 4}}, Surd(3), 64).total();
        REQUIRE(aligned.exact() != nullptr);
        CHECK(Surd(*aligned.exact()) == exact_mean_loss_hessian(net, {{1, -2}, {-2, 4}}, Surd(3))->total());
        auto const rough = mean_loss_hessian(net, {{1, 1}, {1, 3}}, Surd(3), 64).total().enclose(64);
        auto const fine = mean_loss_hessian(net, {{1, 1}, {1, 3}}, Surd(3), 128).total().enclose(128);
        CHECK(mpfr_cmp(rough.lower(), fine.lower()) <= 0);
        CHECK(mpfr_cmp(rough.upper(), fine.upper()) >= 0);
        CHECK(mpfr_cmp(rough.lower(), rough.upper()) < 0);
        CHECK(exact_mean_loss_hessian(net, {{1, 1}, {1, 3}}, Surd(3)) == std::nullopt);
        CHECK(exact_mean_loss_hessian(over<Surd>(raw_network({2, 3, 1}, 1)), {{1, 1}, {1, 3}}, Surd(3)));
    }

    TEST_CASE("what is not closed is refused by name") {
        auto const deep = over<Surd>(raw_network({2, 3, 3, 1}, 0));
        CHECK_THROWS_WITH_AS((void)mean_loss_hessian(deep, {{1}}, Surd(1), 64),
                             "mean_loss_hessian: it is closed for one hidden layer", UnsupportedError);
        auto net = over<Surd>(raw_network({2, 3, 1}, 0));
        CHECK_THROWS_AS((void)mean_loss_hessian(net, {{1, 2}, {2, 1}}, Surd(1), 64), DomainError);
        auto run = over<Surd>(raw_network({3, 3}, 0));
        run.layers[0].count = 2;
        CHECK_THROWS_AS((void)mean_loss_hessian(run, {{1}}, Surd(1), 64), UnsupportedError);
        auto gated = net;
        gated.gated_head = true;
        CHECK_THROWS_AS((void)mean_loss_hessian(gated, {{1}}, Surd(1), 64), UnsupportedError);
        net.activation.kind = ActivationKind::crelu;
        CHECK_THROWS_AS((void)mean_loss_hessian(net, {{1}}, Surd(1), 64), UnsupportedError);
    }
}
