// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <ctime>
#include <isserlis/error.hpp>
#include <isserlis/formula/squared_norm.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "../timed.hpp"
#include "layers.hpp"
#include "real_network.hpp"

using isserlis::Activation;
using isserlis::ActivationKind;
using isserlis::Exponent;
using isserlis::FullyConnected;
using isserlis::Integer;
using isserlis::LawKind;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Reading;
using isserlis::relative_fourth_norm_moment;
using isserlis::relative_norm_moments;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::DiscreteLaw;
using isserlis::testing::holds;
using isserlis::testing::layer;
using isserlis::testing::network;
using isserlis::testing::network_of_widths;
using isserlis::testing::RealNetwork;

namespace {

using Count = std::uint64_t;

FullyConnected<Rational, Count> described(RealNetwork<std::int64_t> const& real, std::vector<DiscreteLaw> const& laws) {
    auto net = network_of_widths(std::vector<Rational>(real.widths.begin(), real.widths.end()), real.kind,
                                 Rational(real.slope));
    for (std::size_t l = 0; l < laws.size(); ++l) {
        net.layers[l].law = {.kind = LawKind::kurtosis, .kurtosis_value = laws[l].kurtosis()};
    }
    return net;
}

Reading reading(bool gated_head) { return gated_head ? Reading::activation : Reading::preactivation; }

/// The formula for E |v|^4 against every assignment of the weights of a real network.
void agrees_with_enumeration(RealNetwork<std::int64_t> const& real, std::vector<DiscreteLaw> const& laws,
                             bool expect_ties = false) {
    auto const enumerated = isserlis::testing::enumerated_norm(real, laws);
    Integer squares = 0;
    Integer fourths = 0;
    for (auto const x : real.input) {
        squares += x * x;
        fourths += x * x * x * x;
    }
    auto const net = described(real, laws);
    Rational const scale = Rational(squares);
    auto const moments = relative_norm_moments(net, reading(real.gated_head), 1);
    CHECK(enumerated.mean == scale * moments[1]);
    CHECK(enumerated.square ==
          scale * scale *
              relative_fourth_norm_moment(net, reading(real.gated_head), ratio(fourths, squares * squares)));
    CHECK((enumerated.ties > 0) == expect_ties);
}

/// Gauss-Hermite nodes for the weight exp(-x^2/2): five nodes integrate polynomials up to degree 9 exactly, so that no
/// moment E |v|^(2p) with p <= 4 can tell them from normal weights. Nodes: roots of x^5 - 10 x^3 + 15 x.
struct Node {
    double value;
    double weight;
};
std::vector<Node> gauss_hermite() {
    double const outer = std::sqrt(5 + std::sqrt(10.0));
    double const inner = std::sqrt(5 - std::sqrt(10.0));
    double const w_outer = (7 - 2 * std::sqrt(10.0)) / 60;
    double const w_inner = (7 + 2 * std::sqrt(10.0)) / 60;
    return {{outer, w_outer}, {-outer, w_outer}, {inner, w_inner}, {-inner, w_inner}, {0, 8.0 / 15}};
}

/// E |v|^(2p), p = 0 .. 4, of a real network with Gaussian weights, by quadrature over every weight.
std::array<double, 5> by_quadrature(RealNetwork<double> const& net) {
    auto const nodes = gauss_hermite();
    std::size_t count = 0;
    for (std::size_t l = 0; l < net.layers(); ++l) count += net.weights_in(l);
    std::vector<std::size_t> at(count, 0);
    std::vector<double> weights(count);
    std::array<double, 5> out{};
    int ties = 0;
    for (;;) {
        double probability = 1;
        for (std::size_t i = 0; i < count; ++i) {
            weights[i] = nodes[at[i]].value;
            probability *= nodes[at[i]].weight;
        }
        double const norm = net.squared_norm(weights, ties);
        double term = probability;
        for (auto& moment : out) {
            moment += term;
            term *= norm;
        }
        std::size_t i = 0;
        while (i < count && ++at[i] == nodes.size()) at[i++] = 0;
        if (i == count) return out;
    }
}

}  // namespace

TEST_SUITE("formula/squared_norm") {
    // Outside check of issue 2: per hidden layer 1 + 2/n and (1 + 2/n)(1 + 4/n) for linear, 1 + 5/n and 1 + 15/n +
    // 44/n^2 for ReLU [Zavatone-Veth 2021, Noci 2021].
    TEST_CASE("each hidden layer multiplies the normalised moments by the published factors") {
        auto const n = RationalFunction::symbol("n");
        auto const d = RationalFunction::symbol("d");
        auto normalised = [&](ActivationKind kind, std::vector<RationalFunction> const& widths) {
            auto m = relative_norm_moments(network_of_widths(widths, kind), Reading::activation, 3);
            return std::pair(m[2] / (m[1] * m[1]), m[3] / (m[1] * m[1] * m[1]));
        };
        for (auto const kind : {ActivationKind::linear, ActivationKind::crelu, ActivationKind::crelu_tied}) {
            auto const [two, three] = normalised(kind, {d, n, n});
            auto const [two_before, three_before] = normalised(kind, {d, n});
            CHECK(two / two_before == 1 + 2 / n);
            CHECK(three / three_before == (1 + 2 / n) * (1 + 4 / n));
            CHECK(two_before == 1 + 2 / n);
        }
        auto const [two, three] = normalised(ActivationKind::relu, {d, n, n});
        auto const [two_before, three_before] = normalised(ActivationKind::relu, {d, n});
        CHECK(two / two_before == 1 + 5 / n);
        CHECK(three / three_before == 1 + 15 / n + 44 / (n * n));
        CHECK(three_before == (n + 4) * (n + 11) / (n * n));
    }

    // residual.md, section 4: E |y|^4 = n2 (n1 + 5)(n2 + 5)/(n0^2 n1) for two He layers, ReLU at the output too.
    TEST_CASE_TEMPLATE("two He layers of ReLU reproduce the worked example of the paper", R, Rational, double,
                       RationalFunction, Surd) {
        auto net = network_of_widths(std::vector<R>{R(4), R(3), R(2)}, ActivationKind::relu);
        net.layers[0].variance = R(2) / R(4);
        net.layers[1].variance = R(2) / R(3);
        auto const m = relative_norm_moments(net, Reading::activation, 2);
        R const expected = R(2) * R(8) * R(7) / (R(16) * R(3));
        if constexpr (std::is_floating_point_v<R>) {
            CHECK(m[2] == doctest::Approx(expected));
            CHECK(m[1] == doctest::Approx(0.5));
        } else {
            CHECK(m[0] == R(1));
            CHECK(m[1] == R(1) / R(2));  // n_2/n_0
            CHECK(m[2] == expected);
        }
    }

    // Real nets of up to eight weights, five Gauss-Hermite nodes each: max(0, z) is applied, nothing is known of gates.
    TEST_CASE("moments of order 1 to 4 equal real networks integrated over every weight") {
        struct Case {
            std::vector<int> widths;
            ActivationKind kind;
            double slope;
            bool gated_head;
            std::vector<double> input;
        };
        std::vector<Case> const cases = {{{1, 2, 1}, ActivationKind::relu, 0, false, {1.5}},
                                         {{2, 2, 1}, ActivationKind::relu, 0, false, {0.7, -1.1}},
                                         {{2, 2, 1}, ActivationKind::relu, 0, true, {0.7, -1.1}},
                                         {{1, 2, 2}, ActivationKind::leaky, 0.25, true, {0.9}},
                                         {{2, 1, 2, 1}, ActivationKind::leaky, -0.5, false, {0.3, 1.0}},
                                         {{1, 1, 1, 1, 1}, ActivationKind::relu, 0, true, {2.0}},
                                         {{2, 2, 1}, ActivationKind::linear, 0, true, {0.7, -1.1}},
                                         {{2, 1, 1}, ActivationKind::crelu, 0, false, {0.7, -1.1}},
                                         {{2, 2, 1}, ActivationKind::crelu_tied, 0, true, {0.7, -1.1}},
                                         {{2, 2, 2}, ActivationKind::relu, 0, true, {0.6, 0.8}}};
        for (auto const& c : cases) {
            RealNetwork<double> const real{
                .widths = c.widths, .kind = c.kind, .slope = c.slope, .gated_head = c.gated_head, .input = c.input};
            auto const enumerated = by_quadrature(real);
            auto const net = network_of_widths(std::vector<double>(c.widths.begin(), c.widths.end()), c.kind, c.slope);
            auto const formula = relative_norm_moments(net, reading(c.gated_head), 4);
            double norm = 0;
            for (double const x : c.input) norm += x * x;
            double scale = 1;
            for (unsigned p = 0; p <= 4; ++p) {
                INFO(name(c.kind), ", order ", p);
                CHECK(enumerated[p] == doctest::Approx(scale * formula[p]).epsilon(1e-11));
                scale *= norm;
            }
        }
    }

    // [Residual 2019, section 4] with kurtosis != 3, against every assignment of discrete weights.
    TEST_CASE("the fourth moment of linear and crelu networks equals full enumeration for any kurtosis") {
        auto const signs = isserlis::testing::rademacher();
        auto const two = isserlis::testing::three_point(2, 1);
        auto const heavy = isserlis::testing::three_point(7, 1);
        agrees_with_enumeration(
            {.widths = {2, 2, 2}, .kind = ActivationKind::linear, .gated_head = true, .input = {2, 1}}, {signs, two});
        agrees_with_enumeration({.widths = {3, 2, 1}, .kind = ActivationKind::linear, .input = {2, 1, -4}},
                                {heavy, signs});
        agrees_with_enumeration({.widths = {2, 1, 2, 1}, .kind = ActivationKind::linear, .input = {3, -1}},
                                {two, heavy, signs});
        agrees_with_enumeration(
            {.widths = {2, 2, 2}, .kind = ActivationKind::crelu, .gated_head = true, .input = {2, -1}}, {signs, signs});
        agrees_with_enumeration({.widths = {2, 1, 2}, .kind = ActivationKind::crelu, .input = {3, -1}}, {two, heavy});
        agrees_with_enumeration({.widths = {2, 2, 2}, .kind = ActivationKind::crelu_tied, .input = {2, -1}},
                                {signs, two});
        agrees_with_enumeration({.widths = {3, 2, 2}, .kind = ActivationKind::crelu_tied, .input = {2, -1, 1}},
                                {signs, signs});
    }

    // Inputs with no signed combination equal to 0, one gated layer and a linear head: no tie occurs.
    TEST_CASE("the fourth moment of ReLU and leaky networks equals full enumeration without ties for any kurtosis") {
        auto const signs = isserlis::testing::rademacher();
        auto const four = isserlis::testing::four_point();
        auto const heavy = isserlis::testing::three_point(7, 1);
        for (auto const kind : {ActivationKind::relu, ActivationKind::leaky}) {
            std::int64_t const slope = kind == ActivationKind::leaky ? -2 : 0;
            agrees_with_enumeration({.widths = {2, 2, 2}, .kind = kind, .slope = slope, .input = {5, 1}},
                                    {signs, heavy});
            agrees_with_enumeration({.widths = {2, 2, 1}, .kind = kind, .slope = slope, .input = {7, 1}}, {four, four});
            agrees_with_enumeration({.widths = {3, 2, 2}, .kind = kind, .slope = slope, .input = {7, 4, 1}},
                                    {signs, signs});
            agrees_with_enumeration({.widths = {1, 2, 2}, .kind = kind, .slope = slope, .input = {1}}, {four, heavy});
            agrees_with_enumeration(
                {.widths = {3, 3}, .kind = kind, .slope = slope, .gated_head = true, .input = {7, 4, 1}}, {signs});
            agrees_with_enumeration(
                {.widths = {2, 2}, .kind = kind, .slope = slope, .gated_head = true, .input = {7, 1}}, {four});
            agrees_with_enumeration(
                {.widths = {1, 1, 1, 1}, .kind = kind, .slope = slope, .gated_head = true, .input = {3}},
                {four, signs, four});
        }
    }

    // A unit with z = 0 gives h = 0 whatever its gate says, so that ties leave every norm as it is (they spoil
    // Jacobians).
    TEST_CASE("ties do not change norms: deeper networks of discrete weights agree all the same") {
        auto const signs = isserlis::testing::rademacher();
        auto const two = isserlis::testing::three_point(2, 1);
        agrees_with_enumeration(
            {.widths = {2, 2, 2, 1}, .kind = ActivationKind::relu, .gated_head = true, .input = {2, 1}},
            {signs, signs, signs}, true);
        agrees_with_enumeration({.widths = {2, 2, 2, 2}, .kind = ActivationKind::relu, .input = {2, 1}},
                                {signs, signs, signs}, true);
        agrees_with_enumeration(
            {.widths = {2, 2, 1}, .kind = ActivationKind::leaky, .slope = 3, .gated_head = true, .input = {1, 1}},
            {two, signs}, true);
    }

    // [Residual 2019, eq. (76)]: at kurtosis 3 both formulas are the same quantity.
    TEST_CASE("at kurtosis 3 the fourth moment is the second of relative_norm_moments, whatever the flatness") {
        holds([] {
            std::vector<Rational> widths;
            for (int i = any_int(2, 6); i > 0; --i) widths.push_back(any_int(1, 20));
            auto const net =
                network_of_widths(widths, any_int(0, 1) == 0 ? ActivationKind::relu : ActivationKind::leaky,
                                  isserlis::testing::any_rational());
            auto const read = any_int(0, 1) == 0 ? Reading::activation : Reading::preactivation;
            RC_ASSERT(relative_fourth_norm_moment(net, read, isserlis::testing::positive_rational()) ==
                      relative_norm_moments(net, read, 2)[2]);
        });
    }

    // One layer by hand: E |Wx|^4 = n (3 + (k - 3) f) + n (n - 1) at |x| = 1; n = 2, k = 1, f = 1: 2 * 1 + 2 = 4.
    TEST_CASE_TEMPLATE("one layer of signs on one coordinate has a constant norm", R, Rational, double,
                       RationalFunction) {
        auto net = network_of_widths(std::vector<R>{R(3), R(2)}, ActivationKind::linear);
        net.layers[0].law.kind = LawKind::rademacher;
        CHECK(relative_fourth_norm_moment(net, Reading::preactivation, R(1)) == R(4));
        // Flat input f = 1/3: 2 (3 - 2/3) + 2 = 20/3; through a ReLU: 2/2 (7/3) + 2/4 = 17/6.
        if constexpr (!std::is_floating_point_v<R>) {
            CHECK(relative_fourth_norm_moment(net, Reading::preactivation, R(1) / R(3)) == R(20) / R(3));
            net.activation.kind = ActivationKind::relu;
            CHECK(relative_fourth_norm_moment(net, Reading::activation, R(1) / R(3)) == R(17) / R(6));
            CHECK(relative_fourth_norm_moment(net, Reading::preactivation, R(1) / R(3)) == R(20) / R(3));
        }
    }

    TEST_CASE("runs of equal layers equal the same layers one by one") {
        holds([] {
            Rational const n = any_int(1, 15);
            auto const count = static_cast<Count>(any_int(1, 20));
            Rational const kurtosis = isserlis::testing::positive_rational() + 1;
            Rational const variance = isserlis::testing::positive_rational();
            auto const kind = any_int(0, 1) == 0 ? ActivationKind::relu : ActivationKind::leaky;
            Rational const slope = isserlis::testing::any_rational();
            auto const one = layer(n, n, Count{1}, variance, LawKind::kurtosis, kurtosis);
            auto single = network(std::vector{layer(Rational(3), n, Count{1}, variance)}, kind, slope);
            auto run = single;
            for (Count i = 0; i < count; ++i) single.layers.push_back(one);
            run.layers.push_back(one);
            run.layers.back().count = count;
            for (auto const read : {Reading::activation, Reading::preactivation}) {
                RC_ASSERT(relative_norm_moments(run, read, 4) == relative_norm_moments(single, read, 4));
                RC_ASSERT(relative_fourth_norm_moment(run, read, ratio(1, 2)) ==
                          relative_fourth_norm_moment(single, read, ratio(1, 2)));
            }
        });
    }

    TEST_CASE("floating point agrees with the rationals to rounding, at a depth where plain doubles overflow") {
        holds(
            [] {
                int const width = any_int(20, 60);
                auto const depth = static_cast<Count>(any_int(1, 1000));
                auto build = [&]<class R>(R const& n) {
                    auto const net =
                        network(std::vector{layer(n, n, depth, R(R(2) / n), LawKind::uniform)}, ActivationKind::relu);
                    return std::pair(relative_norm_moments(net, Reading::activation, 3),
                                     relative_fourth_norm_moment(net, Reading::activation, R(1) / n));
                };
                auto const [exact, exact_fourth] = build(Rational(width));
                auto const [approximate, approximate_fourth] = build(static_cast<double>(width));
                for (unsigned p = 1; p <= 3; ++p) {
                    double const expected = exact[p].convert_to<double>();
                    RC_ASSERT(std::abs(approximate[p] - expected) <= 1e-11 * expected);
                }
                // Relative to (prod v)^2, the fourth moment itself is beyond 10^308 for many of these.
                if (exact_fourth < power(Rational(10), 300)) {
                    double const expected = exact_fourth.convert_to<double>();
                    RC_ASSERT(std::abs(approximate_fourth - expected) <= 1e-10 * expected);
                } else {
                    RC_ASSERT(approximate_fourth > 1e299);
                }
            },
            40);
    }

    TEST_CASE("symbolic widths, variance and depth, substituted, equal numbers") {
        auto const n = RationalFunction::symbol("n");
        auto const v = RationalFunction::symbol("v");
        auto const s = RationalFunction::symbol("s");
        auto const net = network(std::vector{layer(RationalFunction::symbol("d0"), n, Exponent(1), v),
                                             layer(n, n, Exponent::symbol("L") - Exponent(1), 2 / n),
                                             layer(n, RationalFunction(3), Exponent(1), v)},
                                 ActivationKind::leaky, s);
        auto const z = relative_norm_moments(net, Reading::preactivation, 4);
        auto const h = relative_norm_moments(net, Reading::activation, 4);
        holds(
            [&] {
                Rational const width = any_int(1, 20);
                int const depth = any_int(1, 7);
                Rational const variance = isserlis::testing::positive_rational();
                Rational const slope = isserlis::testing::positive_rational();
                auto numeric =
                    network(std::vector{layer(Rational(2), width, Count{1}, variance),
                                        layer(width, width, static_cast<Count>(depth - 1), Rational(2 / width)),
                                        layer(width, Rational(3), Count{1}, variance)},
                            ActivationKind::leaky, slope);
                if (depth == 1) numeric.layers.erase(numeric.layers.begin() + 1);
                std::map<std::string, Rational> const at = {
                    {"n", width}, {"L", depth}, {"v", variance}, {"s", slope}, {"d0", 2}};
                for (unsigned p = 0; p <= 4; ++p) {
                    RC_ASSERT(z[p].evaluate(at) == Surd(relative_norm_moments(numeric, Reading::preactivation, 4)[p]));
                    RC_ASSERT(h[p].evaluate(at) == Surd(relative_norm_moments(numeric, Reading::activation, 4)[p]));
                }
            },
            40);
    }

    TEST_CASE("symbolic widths, kurtosis and flatness, substituted, equal numbers in the fourth moment") {
        auto const n = RationalFunction::symbol("n");
        auto const m = RationalFunction::symbol("m");
        auto const k = RationalFunction::symbol("kappa");
        auto const s = RationalFunction::symbol("s");
        auto symbolic_net = network_of_widths(
            std::vector<RationalFunction>{RationalFunction(2), n, m, RationalFunction(3)}, ActivationKind::leaky, s);
        for (auto& run : symbolic_net.layers) run.law = {.kind = LawKind::kurtosis, .kurtosis_value = k};
        symbolic_net.layers[1].law = {.kind = LawKind::laplace};
        auto const symbolic =
            relative_fourth_norm_moment(symbolic_net, Reading::activation, RationalFunction::symbol("f"));
        holds(
            [&] {
                Rational const a = any_int(1, 20);
                Rational const b = any_int(1, 20);
                Rational const kappa = isserlis::testing::positive_rational() + 1;
                Rational const slope = isserlis::testing::positive_rational();
                Rational const flatness = ratio(any_int(5, 10), 10);
                auto net = network_of_widths(std::vector<Rational>{Rational(2), a, b, Rational(3)},
                                             ActivationKind::leaky, slope);
                for (auto& run : net.layers) run.law = {.kind = LawKind::kurtosis, .kurtosis_value = kappa};
                net.layers[1].law = {.kind = LawKind::laplace};
                std::map<std::string, Rational> const at = {
                    {"n", a}, {"m", b}, {"kappa", kappa}, {"s", slope}, {"f", flatness}};
                RC_ASSERT(symbolic.evaluate(at) ==
                          Surd(relative_fourth_norm_moment(net, Reading::activation, flatness)));
            },
            40);
    }

    // Law of large numbers: the norm is constant in wide layers.
    TEST_CASE("wide layers have normalised moments 1, whatever the kurtosis") {
        for (auto const law : {LawKind::gaussian, LawKind::rademacher, LawKind::laplace}) {
            auto net = network_of_widths(std::vector<double>{1e8, 1e8, 1e8}, ActivationKind::relu);
            for (auto& run : net.layers) {
                run.variance = 2e-8;
                run.law.kind = law;
            }
            auto const m = relative_norm_moments(net, Reading::activation, 4);
            for (unsigned p = 1; p <= 4; ++p) CHECK(m[p] == doctest::Approx(1).epsilon(1e-5));
            CHECK(relative_fourth_norm_moment(net, Reading::activation, 1e-8) * 16e-32 ==
                  doctest::Approx(1).epsilon(1e-5));
        }
    }

    TEST_CASE("orders up to the limit are served, and the next is an UnsupportedError that names it") {
        auto const net = network_of_widths(std::vector<Rational>{2, 3, 1}, ActivationKind::relu);
        CHECK(isserlis::max_norm_order == 30);
        CHECK(relative_norm_moments(net, Reading::activation, isserlis::max_norm_order).size() ==
              isserlis::max_norm_order + 1);
        CHECK(relative_norm_moments(net, Reading::activation, 0) == std::vector<Rational>{1});
        CHECK_THROWS_AS(relative_norm_moments(net, Reading::activation, isserlis::max_norm_order + 1),
                        isserlis::UnsupportedError);
        try {
            (void)relative_norm_moments(net, Reading::activation, 31);
        } catch (isserlis::Error const& e) {
            CHECK(std::string(e.what()).find("order = 31") != std::string::npos);
            CHECK(e.argument() == "order");
        }
    }

    TEST_CASE("eight times the depth of an exact fourth moment costs far less than 64 times as much" * timed()) {
        auto seconds = [](Count depth) {
            auto const net =
                network(std::vector{layer(Rational(2), Rational(10), Count{1}, Rational(1), LawKind::uniform),
                                    layer(Rational(10), Rational(10), depth, Rational(1), LawKind::uniform)},
                        ActivationKind::relu);
            auto const start = std::clock();
            CHECK(relative_fourth_norm_moment(net, Reading::activation, ratio(1, 2)) > 0);
            return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        };
        // Issue 2: time(2L)/time(L) <= 3, hence 27 for three doublings.
        (void)seconds(1000);
        double const shallow = std::min(seconds(5'000), seconds(5'000));
        CHECK(seconds(40'000) <= 27 * shallow + 0.01);
    }
}
