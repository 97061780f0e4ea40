// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/mup_step.hpp>
#include <isserlis/ring/asymptotics.hpp>

#include <cmath>

#include "../ring/prime_field.hpp"
#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "hessian_networks.hpp"
#include "layers.hpp"
#include "mup_networks.hpp"
#include "pairings_by_layer.hpp"

using isserlis::ActivationKind;
using isserlis::mup_step;
using isserlis::MupLayer;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::testing::any_int;
using isserlis::testing::Count;
using isserlis::testing::holds;
using isserlis::testing::mup_network;
using isserlis::testing::PairingsByLayer;
using isserlis::testing::PrimeField;

namespace {

/// Input and hidden layers of width n, N outputs, one rate.
template <class R>
isserlis::FullyConnected<R, Count> uniform_network(R const& n, std::size_t depth, R const& outputs) {
    std::vector<R> widths(depth + 1, n);
    widths.push_back(outputs);
    return mup_network(widths, std::vector<R>{R(1)});
}

/// E of one neuron's squared change, by the strand engine: a sum over the neurons of layer l, divided by n_l.
MupLayer<Rational> by_strands(isserlis::FullyConnected<Rational, Count> const& net, std::size_t l,
                              Rational const& square) {
    std::string const z = "z{" + std::to_string(l) + "}";
    Rational const n = net.layers[l - 1].fan_out;
    auto strands = [&](std::string const& query) { return isserlis::testing::by_strands(net, query, square); };
    return {.a = strands(z + "[i;m] z[j;m] z[j] " + z + "[i;n] z[k;n] z[k]") / n,
            .b = strands(z + "[i;m] z[1;m] " + z + "[i;n] z[1;n]") / n,
            .b_tilde = 0,
            .c = 0,
            .c_tilde = 0,
            .fourth_power = strands(z + "[1]^4")};
}

}  // namespace

TEST_SUITE("formula/mup_step") {
    TEST_CASE("A, B and the fourth moment equal the strand engine at every layer") {
        for (auto const& widths : std::vector<std::vector<int>>{
                 {1, 1, 1}, {2, 3, 1}, {2, 3, 2}, {2, 3, 2, 1}, {3, 2, 4, 3}, {1, 2, 1, 3, 2}}) {
            std::vector<Rational> rates;
            for (std::size_t l = 0; l + 1 < widths.size(); ++l) rates.push_back(ratio(static_cast<int>(l) + 2, 3));
            auto const net = mup_network(std::vector<Rational>(widths.begin(), widths.end()), rates);
            Rational const target = ratio(5, 2);
            auto const layers = mup_step(net, Rational(3), target);
            REQUIRE(layers.size() == widths.size() - 2);
            for (std::size_t l = 1; l <= layers.size(); ++l) {
                INFO("layer ", l, " of ", layers.size());
                auto const strands = by_strands(net, l, 3);
                CHECK(layers[l - 1].a == strands.a);
                CHECK(layers[l - 1].b == target * strands.b);
                CHECK(layers[l - 1].fourth_power == strands.fourth_power);
            }
        }
    }

    // Section 4 of the specification: exact small cases, X = E|y|^2 = eta = 1, n_0 = n, N = 1, l = L.
    TEST_CASE("constant width gives the published polynomials in 1/n") {
        auto const n = RationalFunction::symbol("n");
        auto last = [&](std::size_t depth) {
            return mup_step(uniform_network<RationalFunction>(n, depth, 1), n, RationalFunction(1)).back();
        };
        CHECK(last(1).b == RationalFunction(ratio(1, 2)));
        CHECK(last(2).b == 3 + 5 / n);
        CHECK(last(3).b == ratio(19, 2) + 35 / n + ratio(91, 2) / (n * n));
        CHECK(last(4).b == 22 + 130 / n + 358 / (n * n) + 354 / (n * n * n));
        CHECK(last(1).a == 1 / (2 * n) + ratio(5, 2) / (n * n));
        CHECK(isserlis::series_at_infinity(last(2).a, "n", 2).coefficients[0] == RationalFunction(3));
        CHECK(isserlis::series_at_infinity(last(2).a, "n", 2).coefficients[1] == RationalFunction(45));
        CHECK(isserlis::series_at_infinity(last(2).a, "n", 2).coefficients[2] == RationalFunction(213));
    }

    // The recursions (2.14) to (2.25) with their coincidence terms, in the letters of the paper.
    TEST_CASE("the letters follow the corrected recursions of the paper") {
        std::vector<Rational> const widths{3, 2, 4, 3, 5, 1};
        std::vector<Rational> const rates{ratio(1, 2), ratio(2, 3), 1, ratio(3, 4), 1};
        auto const net = mup_network(widths, rates);
        Rational const square = 2;
        auto const layers = mup_step(net, square, Rational(1));
        Rational const last = widths[widths.size() - 2];
        Rational const mean_square = square / widths[0];
        Rational printed_b = 0, b = 0, c = 0, c_tilde = 0, spread = 1;
        for (std::size_t l = 1; l <= layers.size(); ++l) {
            Rational const in = 1 / widths[l - 1];
            Rational const out = 1 / widths[l];
            Rational const u = rates[l - 1] * widths[l - 1];
            Rational const s = mean_square * mean_square * spread;
            Rational const c_star = l == 1 ? Rational(0) : Rational((c + 2 * c_tilde) / (1 + 2 * in));
            Rational const b_star = l == 1 ? Rational(0) : Rational((b + 2 * printed_b) / (1 + 2 * in));
            Rational const next_printed = u * u * s * out / last + u * out * (c + c_star * in) + out * b +
                                          (1 + out) * printed_b + in * (1 + 2 * out) * b_star;
            Rational const next_b =
                u * u * s / last + u * (c + c_star * in) + b + 2 * out * printed_b + in * (1 + 2 * out) * b_star;
            Rational const next_c = 2 * u * s / last + c + 2 * out * c_tilde + in * (1 + 2 * out) * c_star;
            c_tilde = 2 * u * s * out / last + (1 + out) * c_tilde + out * c + in * (1 + 2 * out) * c_star;
            printed_b = next_printed;
            b = next_b;
            c = next_c;
            spread *= 1 + 5 * out;
            CHECK(layers[l - 1].b == printed_b / 2);
            CHECK(layers[l - 1].b_tilde == b);
            CHECK(layers[l - 1].c == c);
            CHECK(layers[l - 1].c_tilde == c_tilde);
        }
    }

    // Section 4: eta*/(sqrt(3) L^(-3/2)), one output, five digits.
    TEST_CASE("the learning rate reproduces the published table") {
        std::vector<std::size_t> const depths{1, 2, 4, 8, 16};
        std::vector<std::pair<double, std::vector<double>>> const table{
            {16, {0.78494, 0.84524, 0.71694, 0.34387, 0.02827}},
            {64, {0.80971, 0.92202, 0.92906, 0.86270, 0.70169}},
            {256, {0.81488, 0.93783, 0.97131, 0.96389, 0.92833}},
            {4096, {0.81640, 0.94250, 0.98390, 0.99411, 0.99461}}};
        for (auto const& [n, row] : table) {
            for (std::size_t i = 0; i < depths.size(); ++i) {
                auto const layer = mup_step(uniform_network<double>(n, depths[i], 1), n, 1.0).back();
                double const depth = static_cast<double>(depths[i]);
                double const rate = 1 / std::sqrt(layer.change_squared());
                CHECK(std::abs(rate / (std::sqrt(3.0) * std::pow(depth, -1.5)) - row[i]) < 6e-6);
            }
        }
    }

    TEST_CASE("one layer by balanced products is that of the sweep and that of all 15 pairings, on random networks") {
        holds([] {
            std::vector<Rational> widths{any_int(1, 5)};
            std::vector<Rational> rates;
            int const hidden = any_int(1, 24);
            for (int l = 0; l <= hidden; ++l) {
                bool const again = l > 0 && any_int(0, 1) == 0;
                widths.push_back(again ? widths.back() : Rational(any_int(1, 9)));
                rates.push_back(again ? rates.back() : ratio(any_int(0, 5), any_int(1, 4)));
            }
            auto const net = mup_network(widths, rates);
            Rational const square = ratio(any_int(1, 9), 4);
            Rational const target = ratio(any_int(0, 6), 5);
            auto const layers = mup_step(net, square, target);
            auto const part = PairingsByLayer<Rational>::squared_output_part(net, square);
            auto const l = static_cast<std::size_t>(any_int(1, hidden));
            CHECK(layers[l - 1].a == part[l - 1]);
            CHECK(isserlis::mup_step_of_layer(net, square, target, l) == layers[l - 1]);
        });
    }

    TEST_CASE("runs of equal layers are the same layers one by one") {
        isserlis::FullyConnected<Rational, Count> runs = mup_network<Rational>({3, 5, 5, 2, 2, 4}, {1});
        runs.layers[1].count = 20;
        runs.layers[3].count = 9;
        auto one_by_one = runs;
        one_by_one.layers.clear();
        for (auto run : runs.layers) {
            std::size_t const count = run.count;
            run.count = 1;
            one_by_one.layers.insert(one_by_one.layers.end(), count, run);
        }
        auto const layers = mup_step(one_by_one, Rational(3), ratio(1, 2));
        REQUIRE(layers.size() == 31);
        for (std::size_t l = 1; l <= layers.size(); ++l)
            CHECK(isserlis::mup_step_of_layer(runs, Rational(3), ratio(1, 2), l) == layers[l - 1]);
    }

    // The second route goes through all pairings of every layer, and through the recursion of the functionals, modulo a
    // prime of 61 bits.
    TEST_CASE("ten thousand layers are exact") {
        std::size_t const hidden = 10'000;
        std::vector<int> widths{3};
        std::vector<std::pair<int, int>> rates;
        for (std::size_t l = 0; l < hidden; ++l) {
            widths.push_back(2 + static_cast<int>(l * l % 11));
            rates.emplace_back(1 + static_cast<int>(l % 5), 3);
        }
        widths.push_back(2);
        auto net_over = [&]<class R>(R) {
            std::vector<R> n, eta;
            for (int const w : widths) n.push_back(R(w));
            for (auto const& [p, q] : rates) eta.push_back(R(p) / R(q));
            return mup_network(n, eta);
        };
        auto const exact = net_over(Rational());
        auto const residues = net_over(PrimeField());
        auto const part = PairingsByLayer<PrimeField>::squared_output_part(residues, PrimeField(2));
        PrimeField const mean_square = PrimeField(2) / PrimeField(3);
        isserlis::YFunctionals<PrimeField> y;
        y.s = mean_square * mean_square;
        std::vector<isserlis::YFunctionals<PrimeField>> functionals;
        for (std::size_t l = 0; l < hidden; ++l) {
            auto const& run = residues.layers[l];
            y = isserlis::next_y_functionals(y, run.fan_in, run.fan_out, PrimeField(run.label_factor * run.fan_in),
                                             mean_square);
            functionals.push_back(y);
        }
        PrimeField const last(widths[hidden]);
        for (std::size_t const l : {std::size_t{1}, std::size_t{4321}, hidden}) {
            auto const layer = isserlis::mup_step_of_layer(exact, Rational(2), Rational(3), l);
            CHECK(PrimeField(layer.a) == part[l - 1]);
            // 2/n_(j-1) over n_j/2 telescopes: n_l of one factor is left of the gates above.
            CHECK(PrimeField(layer.b) == PrimeField(3) * functionals[l - 1].p1 / (PrimeField(2) * last));
            CHECK(PrimeField(layer.b_tilde) == functionals[l - 1].p0 / last);
            CHECK(PrimeField(layer.c) == functionals[l - 1].y0 / last);
            CHECK(PrimeField(layer.c_tilde) == functionals[l - 1].y1 / last);
        }
        auto const all = isserlis::y_functionals_of_layer(exact, Rational(2), hidden);
        CHECK(PrimeField(all.v) == functionals.back().v);
        CHECK(PrimeField(all.q1) == functionals.back().q1);
        CHECK(PrimeField(all.r0) == functionals.back().r0);
        CHECK(PrimeField(all.rstar) == functionals.back().rstar);
        CHECK(PrimeField(all.s) == functionals.back().s);
    }

    TEST_CASE("a sweep may begin at any depth") {
        auto const all = isserlis::mup_last_changes<Rational>(4, 3, 1, 40, 2, ratio(1, 3));
        auto const some = isserlis::mup_last_changes<Rational>(4, 3, 37, 40, 2, ratio(1, 3));
        CHECK(some == std::vector<Rational>(all.end() - 4, all.end()));
    }

    TEST_CASE("a sweep over depths gives the last layer of each network") {
        auto const changes = isserlis::mup_last_changes<Rational>(3, 2, 1, 5, 4, ratio(3, 2));
        REQUIRE(changes.size() == 5);
        for (std::size_t depth = 1; depth <= 5; ++depth) {
            auto const layers = mup_step(uniform_network<Rational>(3, depth, 2), Rational(4), ratio(3, 2));
            CHECK(changes[depth - 1] == layers.back().change_squared());
        }
    }

    // Section 4: one output, B -> l(2l^2+1)/6 for every L >= l; as many outputs as width, the change tends to
    // l (2 l^2 + 1)(L + 1)/3.
    TEST_CASE("at great width the change has the published limits") {
        double const n = 1e7;
        for (std::size_t const depth : {1U, 2U, 4U}) {
            auto const one = mup_step(uniform_network<double>(n, depth, 1), n, 1.0);
            auto const many = mup_step(uniform_network<double>(n, depth, n), n, 1.0);
            for (std::size_t l = 1; l <= depth; ++l) {
                double const x = static_cast<double>(l);
                double const layers = static_cast<double>(depth);
                CHECK(one[l - 1].b == doctest::Approx(x * (2 * x * x + 1) / 6).epsilon(1e-5));
                CHECK(many[l - 1].change_squared() ==
                      doctest::Approx(x * (2 * x * x + 1) * (layers + 1) / 3).epsilon(1e-5));
            }
        }
    }

    // The limits of the specification were read off interpolations up to L = 5; here every depth, at a width where the
    // next order in 1/n is below 10^-9. A value of the right form, a whole number over 6, cannot be that near by
    // chance.
    TEST_CASE("the limits in the width hold at every depth, for few outputs and for as many as the width") {
        Rational const n = isserlis::parse_rational("1000000000000000000000", "n");
        for (int const per_width : {0, 1, 3}) {
            Rational const outputs = per_width == 0 ? Rational(4) : Rational(per_width * n);
            Rational const target = ratio(3, 2);
            auto const changes = isserlis::mup_last_changes<Rational>(n, outputs, 1, 64, n, target);
            for (int depth = 1; depth <= 64; ++depth) {
                Rational const limit = isserlis::mup_limit_change<Rational>(depth, per_width, target);
                Rational const gap = changes[static_cast<std::size_t>(depth) - 1] - limit;
                CHECK(abs(gap) < limit / 1'000'000'000);
                CHECK(abs(gap) < ratio(1, 1000));
            }
        }
    }

    TEST_CASE("every ring gives one number") {
        std::vector<Rational> const widths{2, 3, 2, 3};
        std::vector<Rational> const rates{ratio(1, 2), ratio(2, 3)};
        auto const exact = mup_step(mup_network(widths, rates), Rational(3), Rational(2));
        auto const surd = mup_step(isserlis::testing::over<isserlis::Surd>(mup_network(widths, rates)),
                                   isserlis::Surd(3), isserlis::Surd(2));
        auto const formula = mup_step(isserlis::testing::over<RationalFunction>(mup_network(widths, rates)),
                                      RationalFunction(3), RationalFunction(2));
        auto const number = mup_step(isserlis::testing::over<double>(mup_network(widths, rates)), 3.0, 2.0);
        for (std::size_t l = 0; l < exact.size(); ++l) {
            CHECK(surd[l].a == isserlis::Surd(exact[l].a));
            CHECK(surd[l].b == isserlis::Surd(exact[l].b));
            CHECK(formula[l].a == RationalFunction(exact[l].a));
            CHECK(number[l].a == doctest::Approx(exact[l].a.convert_to<double>()));
        }
    }

    TEST_CASE("the change of a network without muP variances is refused") {
        auto net = uniform_network<Rational>(3, 2, 1);
        net.layers.back().variance = 1;
        CHECK_THROWS_AS((void)mup_step(net, Rational(1), Rational(1)), isserlis::UnsupportedError);
        net = uniform_network<Rational>(3, 2, 1);
        net.layers[1].law.kind = isserlis::LawKind::uniform;
        CHECK_THROWS_AS((void)mup_step(net, Rational(1), Rational(1)), isserlis::UnsupportedError);
        net = uniform_network<Rational>(3, 2, 1);
        net.layers.resize(1);
        CHECK_THROWS_AS((void)mup_step(net, Rational(1), Rational(1)), isserlis::UnsupportedError);
    }
}
