// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/layer_pair_sums.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/scaled_double.hpp>
#include <isserlis/ring/surd.hpp>

#include <cmath>
#include <type_traits>
#include <vector>

using isserlis::ChannelCube;
using isserlis::ChannelMatrix;
using isserlis::layer_pair_sums;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;

namespace {

template <class R>
using Layers = std::vector<isserlis::LayerRun<R, std::uint64_t>>;

template <class R>
Layers<R> proportional(std::vector<R> const& widths) {
    using std::sqrt;
    Layers<R> out;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        R const root = sqrt(widths[q - 1]) * sqrt(widths[q]);
        out.push_back({.fan_in = widths[q - 1], .fan_out = widths[q], .count = 1, .variance = R(1) / root});
    }
    return out;
}

Layers<Surd> surds(std::vector<int> const& widths) {
    return proportional(std::vector<Surd>(widths.begin(), widths.end()));
}

/// A channel at one width, from its definition.
template <class R, std::size_t C>
R channel(std::size_t x, R const& d) {
    R const two = R(1) + R(2) / d;
    R const one = R(1) - R(1) / d;
    if constexpr (C == 2) return x == 0 ? two : one;
    return x == 0 ? R(two * (R(1) + R(4) / d)) : x == 1 ? R(two * one) : R(one * (R(1) - R(2) / d));
}

/// Every sum, term by term: two layers, three products.
template <class R, std::size_t C>
struct ByDefinition {
    explicit ByDefinition(Layers<R> const& runs) {
        for (auto const& run : runs) {
            for (std::uint64_t i = 0; i < run.count; ++i) layers.push_back(run);
        }
    }
    Layers<R> layers;

    R prefactor() const {
        R out(1);
        for (std::size_t l = 0; l < layers.size(); ++l)
            out = out * layers[l].variance * (l == 0 ? R(1) : layers[l].fan_in);
        return out;
    }
    R factor(std::size_t a) const { return prefactor() * layers[a - 1].label_factor / layers[a - 1].variance; }
    /// X_cd over the widths d_c .. d_(d-1).
    R product(std::size_t x, std::size_t c, std::size_t d) const {
        R out(1);
        for (std::size_t q = c; q < d; ++q) out = out * channel<R, C>(x, layers[q - 1].fan_out);
        return out;
    }
    R pairs(ChannelMatrix<R, C> const& same, ChannelCube<R, C> const& different) const {
        std::size_t const n = layers.size();
        R out(0);
        for (std::size_t a = 1; a <= n; ++a) {
            for (std::size_t x = 0; x < C; ++x) {
                for (std::size_t z = 0; z < C; ++z) {
                    out = out + factor(a) * factor(a) * same[x][z] * product(x, 1, a) * product(z, a, n);
                    for (std::size_t b = a + 1; b <= n; ++b) {
                        for (std::size_t y = 0; y < C; ++y)
                            out = out + factor(a) * factor(b) * different[x][y][z] * product(x, 1, a) *
                                            product(y, a, b) * product(z, b, n);
                    }
                }
            }
        }
        return out;
    }
    R singles(ChannelMatrix<R, C> const& weights) const {
        std::size_t const n = layers.size();
        R out(0);
        for (std::size_t a = 1; a <= n; ++a) {
            for (std::size_t x = 0; x < C; ++x) {
                for (std::size_t z = 0; z < C; ++z)
                    out = out + factor(a) * weights[x][z] * product(x, 1, a) * product(z, a, n);
            }
        }
        return out;
    }
};

/// Weights that are all different.
template <class R, std::size_t C>
std::pair<ChannelMatrix<R, C>, ChannelCube<R, C>> weights() {
    ChannelMatrix<R, C> same;
    ChannelCube<R, C> different;
    int next = 1;
    for (std::size_t x = 0; x < C; ++x) {
        for (std::size_t z = 0; z < C; ++z) {
            same[x][z] = R(next++);
            for (std::size_t y = 0; y < C; ++y) different[x][y][z] = R(next++);
        }
    }
    return {same, different};
}

template <std::size_t C>
void check(Layers<Surd> const& layers) {
    auto const sums = layer_pair_sums<C>(layers);
    ByDefinition<Surd, C> const expected(layers);
    auto const [same, different] = weights<Surd, C>();
    CHECK(sums.prefactor == expected.prefactor());
    CHECK(sums.pairs(same, different) == expected.pairs(same, different));
    CHECK(sums.singles(same) == expected.singles(same));
    Surd factors;
    for (std::size_t a = 1; a <= expected.layers.size(); ++a) factors = factors + expected.factor(a);
    CHECK(sums.factor_sum() == factors);
    for (std::size_t x = 0; x < C; ++x) CHECK(sums.whole(x) == expected.product(x, 1, expected.layers.size()));
}

}  // namespace

TEST_SUITE("formula/layer_pair_sums") {
    // Widths with rational factors, one root, one root throughout, two roots, many; width 1; one layer.
    TEST_CASE("exact sums equal their definition") {
        for (auto const& widths : std::vector<std::vector<int>>{{2, 3},
                                                                {1, 4, 9, 4, 1},
                                                                {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                                                                {1, 2, 2, 2, 1},
                                                                {2, 1, 2, 1, 2},
                                                                {3, 1, 1, 5},
                                                                {2, 10, 10, 1},
                                                                {2, 3, 5, 7, 11, 13}}) {
            CAPTURE(widths.size());
            check<2>(surds(widths));
            check<3>(surds(widths));
        }
    }
    TEST_CASE("any variances: rational ones, sums of roots") {
        auto layers = surds({2, 3, 2, 4, 2});
        layers[0].variance = ratio(3, 7);
        layers[1].variance = Surd(1) + isserlis::sqrt(Rational(5));
        layers[2].variance = isserlis::sqrt(Rational(5)) / Surd(3);
        layers[3].variance = 2;
        check<2>(layers);
        check<3>(layers);
        // Multiples of one number whose reciprocal has a term below 0.
        for (std::size_t l = 0; l < layers.size(); ++l)
            layers[l].variance =
                Surd(static_cast<int>(l) + 1) * (isserlis::sqrt(Rational(2)) + isserlis::sqrt(Rational(3)));
        check<2>(layers);
        check<3>(layers);
    }
    // The last one is the NTK parametrisation, where u_a = prefactor for every layer.
    TEST_CASE("label factors multiply the layer factors, and prefactor has none of them") {
        auto layers = surds({2, 4, 9, 4, 3});
        for (std::size_t l = 0; l < layers.size(); ++l) layers[l].label_factor = ratio(static_cast<int>(l) + 1, 3);
        check<2>(layers);
        check<3>(layers);
        layers[1].label_factor = isserlis::sqrt(Rational(5));
        check<2>(layers);
        auto equal = surds({2, 4, 9, 3});
        for (auto& run : equal) run.label_factor = 2;
        check<2>(equal);
        check<3>(equal);
        auto runs = surds({3, 3, 2});
        runs[0].count = 9;
        for (auto& run : runs) run.label_factor = run.variance;
        check<2>(runs);
        CHECK(layer_pair_sums<2>(runs).factor_sum() == Surd(10) * layer_pair_sums<2>(runs).prefactor);
        for (int const none : {0, -2}) {
            layers[1].label_factor = none;
            CHECK_THROWS_WITH_AS((void)layer_pair_sums<2>(layers), doctest::Contains("a label factor is"),
                                 isserlis::DomainError);
        }
    }
    TEST_CASE("widths that are no whole numbers are refused") {
        auto layers = surds({2, 3, 2});
        layers[0].fan_out = layers[1].fan_in = ratio(5, 2);
        CHECK_THROWS_AS((void)layer_pair_sums<2>(layers), isserlis::DomainError);
    }
    TEST_CASE("widths and factors beyond a machine word") {
        for (unsigned const bits : {20U, 29U, 31U, 33U, 40U, 58U, 70U}) {
            Surd const d(isserlis::power(isserlis::Integer(2), 2 * bits));
            auto layers = surds({1, 4, 9, 4, 1, 1});
            layers[1].fan_out = layers[2].fan_in = d;
            layers[3].fan_out = layers[4].fan_in = d;
            layers[1].variance = Surd(1) / Surd(isserlis::power(isserlis::Integer(3), bits));
            check<2>(layers);
            check<3>(layers);
        }
    }
    // 2^64 + 13, a prime.
    TEST_CASE("a root beyond a machine word") {
        isserlis::Integer const radicand = isserlis::power(isserlis::Integer(2), 64) + 13;
        auto layers = surds({2, 3, 2});
        layers[0].variance = 2;
        layers[1].variance = isserlis::sqrt(Rational(radicand));
        check<2>(layers);
        check<3>(layers);
    }
    TEST_CASE("runs are their layers, whether equal layers are many or few") {
        for (std::uint64_t const count : {1U, 2U, 7U, 9U, 20U}) {
            auto layers = surds({2, 3, 3, 2});
            layers[1].count = count;
            check<2>(layers);
            check<3>(layers);
            auto squares = surds({4, 9, 9, 1});  // whole factors
            squares[1].count = count;
            check<2>(squares);
            if (count < 9) check<3>(squares);
        }
    }
    TEST_CASE("doubles and formulas give the same numbers") {
        std::vector<int> const widths{2, 4, 1, 3, 5};
        auto const exact = layer_pair_sums<3>(surds(widths));
        auto const [same, different] = weights<Surd, 3>();
        auto const numbers = layer_pair_sums<3>(proportional(std::vector<double>(widths.begin(), widths.end())));
        auto const [same_d, different_d] = weights<double, 3>();
        double const value = numbers.pairs(same_d, different_d);
        Surd const pairs = exact.pairs(same, different);
        double const expected = mpfr_get_d(isserlis::enclose(pairs, 80).lower(), MPFR_RNDN);
        CHECK(value == doctest::Approx(expected).epsilon(1e-13));
        std::vector<RationalFunction> symbols{2, RationalFunction::symbol("a"), 1, RationalFunction::symbol("b"), 5};
        auto const formulas = layer_pair_sums<3>(proportional(symbols));
        auto const [same_f, different_f] = weights<RationalFunction, 3>();
        CHECK(formulas.pairs(same_f, different_f).evaluate({{"a", 4}, {"b", 3}}) == pairs);
    }
    // Channels that differ, that are equal, and that vanish (width 1).
    TEST_CASE_TEMPLATE("runs of symbolic length, at numbers", Channels, std::integral_constant<std::size_t, 2>,
                       std::integral_constant<std::size_t, 3>) {
        constexpr std::size_t C = Channels::value;
        auto const L = isserlis::Exponent::symbol("L");
        auto const n = RationalFunction::symbol("n");
        for (bool const symbol : {true, false}) {
            for (int const width : {1, 2, 3, 7}) {
                RationalFunction const d = symbol && width > 1 ? n : RationalFunction(width);
                std::vector<isserlis::LayerRun<RationalFunction, isserlis::Exponent>> layers{
                    {.fan_in = 3, .fan_out = d, .count = 1},
                    {.fan_in = d, .fan_out = d, .count = L - isserlis::Exponent(1)},
                    {.fan_in = d, .fan_out = 2, .count = 1}};
                for (auto& run : layers) run.variance = RationalFunction(1) / sqrt(run.fan_in * run.fan_out);
                auto const sums = layer_pair_sums<C>(layers);
                auto const [same, different] = weights<RationalFunction, C>();
                auto const pairs = sums.pairs(same, different);
                auto const [same_s, different_s] = weights<Surd, C>();
                for (int const depth : {1, 2, 5}) {
                    std::vector<int> widths{3};
                    widths.insert(widths.end(), static_cast<std::size_t>(depth), width);
                    widths.push_back(2);
                    CHECK(pairs.evaluate({{"L", depth}, {"n", width}}) ==
                          layer_pair_sums<C>(surds(widths)).pairs(same_s, different_s));
                }
            }
        }
    }
    // 0^L of a layer of width 1, and sums of the factors alone.
    TEST_CASE("runs of symbolic length at the input") {
        auto const L = isserlis::Exponent::symbol("L");
        for (int const width : {1, 4}) {
            RationalFunction const d(width);
            std::vector<isserlis::LayerRun<RationalFunction, isserlis::Exponent>> const layers{
                {.fan_in = d, .fan_out = d, .count = L, .variance = RationalFunction(ratio(1, 3))},
                {.fan_in = d, .fan_out = 2, .count = 1, .variance = 1}};
            auto numbers = surds({width, width, 2});
            numbers[0].count = 3;
            numbers[0].variance = ratio(1, 3);
            numbers[1].variance = 1;
            auto const sums = layer_pair_sums<2>(layers);
            auto const at_three = layer_pair_sums<2>(numbers);
            for (std::size_t x = 0; x < 2; ++x) CHECK(sums.whole(x).evaluate({{"L", 3}}) == at_three.whole(x));
            CHECK(sums.factor_sum().evaluate({{"L", 3}}) == at_three.factor_sum());
        }
    }
    // 3000 square widths: the exact value, rounded, is the double sum.
    TEST_CASE("deep sums stay exact") {
        std::vector<int> widths{1};
        for (int r = 1; r < 3000; ++r) widths.push_back((20 + r * 7 % 13) * (20 + r * 7 % 13));
        widths.push_back(1);
        auto const exact = layer_pair_sums<2>(surds(widths));
        auto const numbers = layer_pair_sums<2>(proportional(std::vector<double>(widths.begin(), widths.end())));
        auto const [same, different] = weights<Surd, 2>();
        auto const [same_d, different_d] = weights<double, 2>();
        Surd const pairs = exact.pairs(same, different);
        CHECK(pairs.is_rational());
        CHECK(numbers.pairs(same_d, different_d) ==
              doctest::Approx(mpfr_get_d(isserlis::enclose(pairs, 80).lower(), MPFR_RNDN)).epsilon(1e-10));
    }
    // At width 1 the first channel is 3 and the others vanish: products of 65 of them beside factors of 20 bits take more
    // than 128 bits.
    TEST_CASE("widths of 1 beside long factors") {
        std::vector<int> const widths(66, 1);
        auto layers = surds(widths);
        auto doubles = proportional(std::vector<double>(widths.begin(), widths.end()));
        for (std::size_t l = 0; l < layers.size(); ++l) {
            layers[l].variance = ratio(1'000'000, l % 2 == 0 ? 1'000'003 : 1'000'033);
            doubles[l].variance = 1e6 / (l % 2 == 0 ? 1'000'003 : 1'000'033);
        }
        auto const [same, different] = weights<Surd, 2>();
        auto const [same_d, different_d] = weights<double, 2>();
        auto const numbers = layer_pair_sums<2>(doubles);
        double const scaled = numbers.pairs(same_d, different_d) / numbers.prefactor / numbers.prefactor;
        auto const exact = layer_pair_sums<2>(layers);
        auto const expected = mpfr_get_d(
            isserlis::enclose(exact.pairs(same, different) / (exact.prefactor * exact.prefactor), 80).lower(),
            MPFR_RNDN);
        CHECK(scaled == doctest::Approx(expected).epsilon(1e-10));
    }
    TEST_CASE("what has no sums is refused") {
        CHECK_THROWS_AS((void)layer_pair_sums<2>(Layers<Surd>{}), isserlis::DomainError);
        auto layers = surds({2, 3, 2});
        layers[0].variance = 0;
        CHECK_THROWS_AS((void)layer_pair_sums<2>(layers), isserlis::DomainError);
        layers = surds({2, 3, 2});
        layers[0].fan_out = 0;
        CHECK_THROWS_AS((void)layer_pair_sums<2>(layers), isserlis::DomainError);
        std::vector<int> unlike;
        for (int r = 1; r < 200; ++r) unlike.push_back(r);
        CHECK_THROWS_AS((void)layer_pair_sums<2>(surds(unlike)), isserlis::UnsupportedError);
    }
}
