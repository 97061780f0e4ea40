// SPDX-License-Identifier: MIT
// Targets of a mean other than 0, against sums over all values of small discrete laws.
#include <isserlis/strand/target_shift.hpp>

#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/strand/query_terms.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "graphs.hpp"

namespace {

using namespace graphs;

/// Values and their probabilities.
using Law = std::vector<std::pair<Rational, Rational>>;

/// 0, 1 and 3, of no symmetry.
Law const skewed = {{0, ratio(1, 2)}, {1, ratio(1, 3)}, {3, ratio(1, 6)}};
/// 1, 2 and 3, even about its mean 2.
Law const even = {{1, ratio(1, 4)}, {2, ratio(1, 2)}, {3, ratio(1, 4)}};

Rational mean(Law const& law, std::function<Rational(Rational const&)> const& f) {
    Rational out(0);
    for (auto const& [y, p] : law) out += p * f(y);
    return out;
}
Rational moment(Law const& law, unsigned k) {
    return mean(law, [&](Rational const& y) { return power(y, k); });
}
Rational central(Law const& law, unsigned k) {
    Rational const m = moment(law, 1);
    return mean(law, [&](Rational const& y) { return power(Rational(y - m), k); });
}

/// Over two targets that are independent.
Rational mean_of_two(Law const& law, std::function<Rational(Rational const&, Rational const&)> const& f) {
    return mean(law, [&](Rational const& y) { return mean(law, [&](Rational const& t) { return f(y, t); }); });
}

ObservableSetting<Rational> with_targets(std::vector<Rational> const& x, Law const& law, unsigned outputs) {
    auto out = at_input(x);
    out.target_mean = moment(law, 1);
    out.target_second = outputs * moment(law, 2);
    out.target_third = outputs * moment(law, 3);
    out.target_fourth = outputs * moment(law, 4);
    return out;
}

}  // namespace

TEST_SUITE("strand/target_moments") {
    TEST_CASE("moments about 0 become moments about the mean") {
        for (Rational const& outputs : {Rational(1), Rational(3)}) {
            for (auto const& law : {skewed, even}) {
                TargetShift<Rational> const shift{.mean = moment(law, 1), .outputs = outputs};
                Rational const v = outputs * central(law, 2);
                Rational const t = outputs * central(law, 3);
                CHECK(shift.second_about_mean(outputs * moment(law, 2)) == v);
                CHECK(outputs * moment(law, 3) - shift.third_of_even(outputs * moment(law, 2)) == t);
                CHECK(outputs * moment(law, 4) - shift.fourth_beyond(v, t) == outputs * central(law, 4));
            }
        }
        CHECK(central(even, 3) == 0);
    }

    TEST_CASE("means of targets alone are sums over their values") {
        auto const net = vanilla<Rational>({1, 2});
        for (auto const& law : {skewed, even}) {
            auto const setting = with_targets({1}, law, 2);
            auto const two = [&](auto const& f) { return mean_of_two(law, f); };
            using Y = Rational const&;
            CHECK(engine("y[1]", net, setting) == moment(law, 1));
            CHECK(engine("y[1] + 1", net, setting) == moment(law, 1) + 1);
            CHECK(engine("y[1]^2 - y[1] y[2] + y[2] - 3", net, setting) ==
                  two([](Y y, Y t) { return Rational(y * y - y * t + t - 3); }));
            CHECK(engine("y[i]^2", net, setting) == 2 * moment(law, 2));
            CHECK(engine("y[1]^3", net, setting) == moment(law, 3));
            CHECK(engine("y[1]^4", net, setting) == moment(law, 4));
            CHECK(engine("y[i]^4", net, setting) == 2 * moment(law, 4));
            CHECK(engine("y[1]^2 y[2]", net, setting) == moment(law, 2) * moment(law, 1));
            CHECK(engine("(y[i]^2)^2", net, setting) ==
                  two([](Y y, Y t) { return power(Rational(y * y + t * t), 2); }));
            CHECK(engine("y[i] y[1] y[i] y[1]", net, setting) ==
                  two([](Y y, Y t) { return Rational(y * y * y * y + t * t * y * y); }));
            CHECK(engine("y[i] y[2] y[1] y[i]", net, setting) ==
                  two([](Y y, Y t) { return Rational((y * y + t * t) * y * t); }));
            CHECK(engine("(y[i]^2) y[1]", net, setting) == two([](Y y, Y t) { return Rational((y * y + t * t) * y); }));
            // Sums over the outputs of 1 y_i and of constants.
            auto constants = setting;
            constants.constants = {{"w", {{Rational(2), Rational(-5)}}}};
            CHECK(engine("w[i] y[i]", net, constants) == two([](Y y, Y t) { return Rational(2 * y - 5 * t); }));
            CHECK(engine("(w[i] y[i])^2", net, constants) ==
                  two([](Y y, Y t) { return power(Rational(2 * y - 5 * t), 2); }));
        }
    }

    // A linear layer z_i = w_i x of variance 2 at x = 1: E z_i^2 = 2, E z_i^4 = 12, odd moments 0, z_1 and z_2 independent.
    TEST_CASE("losses are sums over the values of their targets") {
        auto const net = vanilla<Rational>({1, 2});
        for (auto const& law : {skewed, even}) {
            auto const setting = with_targets({1}, law, 2);
            using Y = Rational const&;
            CHECK(engine("loss", net, setting) ==
                  mean_of_two(law, [](Y y, Y t) { return Rational((4 + y * y + t * t) / 2); }));
            // |z|^4 = 12 + 2*4 + 12 = 32 in the mean; (z . y)^2 = 2 |y|^2.
            CHECK(engine("loss^2", net, setting) == mean_of_two(law, [](Y y, Y t) {
                      Rational const square = y * y + t * t;
                      return Rational((32 + 8 * square + square * square + 8 * square) / 4);
                  }));
            CHECK(engine("z[i] y[i] z[j] y[j]", net, setting) == 4 * moment(law, 2));
            CHECK(engine("z[1] y[1]", net, setting) == 0);
        }
    }

    // z = x + V relu(W x) of width 1 at x = 2, W of variance 2 and V of 1: E z = 2, E z^2 = 4 + 4, and z is independent of y.
    TEST_CASE("odd powers of an output with a mean meet those of the targets") {
        auto const net = residual<Rational, std::uint64_t>(1, 1, 2, 2, 1);
        auto const setting = with_targets({2}, skewed, 1);
        CHECK(engine("z", net, setting) == 2);
        CHECK(engine("z^2", net, setting) == 8);
        CHECK(engine("z y", net, setting) == 2 * moment(skewed, 1));
        CHECK(engine("z y^2", net, setting) == 2 * moment(skewed, 2));
        CHECK(engine("z y^3", net, setting) == 2 * moment(skewed, 3));
        CHECK(engine("z^2 y^4", net, setting) == 8 * moment(skewed, 4));
    }

    // E relu(w) is no rational number, so that what it multiplies has to be 0.
    TEST_CASE("a third moment of 0 takes its terms away") {
        auto const head = vanilla<Rational>({1, 1}, {.gated_head = true});
        auto setting = at_input({1});
        setting.target_third = 0;
        CHECK(engine("h y^3", head, setting) == 0);
        CHECK(engine("h^2 y^2 + h y^3", head, setting) == 1);
        setting.target_third = 1;
        CHECK_THROWS_AS((void)engine("h y^3", head, setting), UnsupportedError);
        CHECK(engine("z y^3", residual<Rational, std::uint64_t>(1, 1, 2, 2, 1), setting) == 1);
    }

    // E y^4 about 0 has the third moment among those about the mean, where it cancels; in y_1^2 y_2 it does not enter.
    TEST_CASE("a third moment that is missing is not asked for where it leaves no trace") {
        auto setting = with_targets({1}, skewed, 2);
        setting.target_third.reset();
        auto const net = vanilla<Rational>({1, 2});
        CHECK(engine("y[i]^4", net, setting) == 2 * moment(skewed, 4));
        CHECK(engine("y[1]^2 y[2]", net, setting) == moment(skewed, 2) * moment(skewed, 1));
        CHECK_THROWS_AS((void)engine("y[1]^3", net, setting), OddTargetsError);
        // About the mean m the third moment falls out of this, 4 m of it less 4 m, and the fourth one is not known without.
        CHECK_THROWS_AS((void)engine("y[1]^4 - 4 y[2] y[1]^3", net, setting), OddTargetsError);
        // The same behind layers of a symbolic number: E z_1^2 = 2^(L+1) of variances 2/n.
        using F = RationalFunction;
        auto const deep = repeated<F, Exponent>(F(2), F(2), Exponent::symbol("L"), F(2), {.slope = F(1)});
        ObservableSetting<F> symbols;
        symbols.inputs.squared_norm = F(2);
        symbols.target_mean = F(setting.target_mean);
        symbols.target_second = F(setting.target_second);
        symbols.target_fourth = F(*setting.target_fourth);
        auto const mean = [&](std::string const& text) {
            return expectation(parse_query(text), deep, symbols).formula().evaluate({{"L", Rational(3)}});
        };
        CHECK(mean("z[1]^2 + y[i]^4") == Surd(Rational(16 + 2 * moment(skewed, 4))));
        CHECK_THROWS_AS((void)mean("z[1]^2 + y[1]^3"), OddTargetsError);
    }

    TEST_CASE("coefficients are products of moments") {
        auto const setting = with_targets({1}, skewed, 3);
        Coefficient const c{
            .number = 2, .parameters = {}, .first = 1, .second = 2, .third = 1, .fourth = 1, .outputs = 2};
        Graph<Surd, std::uint64_t> const net = vanilla<Surd>({Surd(1), Surd(3)});
        ObservableSetting<Surd> surds;
        surds.target_mean = Surd(setting.target_mean);
        surds.target_second = Surd(setting.target_second);
        surds.target_third = Surd(*setting.target_third);
        surds.target_fourth = Surd(*setting.target_fourth);
        auto const by_hand = [&](int outputs) {
            Rational const v = 3 * central(skewed, 2);
            return Surd(2 * moment(skewed, 1) * v * v * 3 * central(skewed, 3) * 3 * central(skewed, 4) *
                        (outputs == 2   ? Rational(9)
                         : outputs == 0 ? Rational(1)
                                        : ratio(1, 3)));
        };
        for (int const outputs : {2, 0, -1}) {
            Coefficient d = c;
            d.outputs = outputs;
            CHECK(coefficient_value(d, net.output_width(), surds) == by_hand(outputs));
        }
        CHECK(coefficient_value(Coefficient{.number = 7, .parameters = {}}, Surd(3), surds) == Surd(7));
        surds.parameters = {{"a", Surd(3)}, {"b", Surd(5)}};
        CHECK(coefficient_value(Coefficient{.number = 7, .parameters = {{"a", 2}, {"b", 1}}}, Surd(3), surds) ==
              Surd(7 * 9 * 5));
        CHECK_THROWS_AS((void)coefficient_value(Coefficient{.number = 7, .parameters = {{"c", 1}}}, Surd(3), surds),
                        DomainError);
    }
}
