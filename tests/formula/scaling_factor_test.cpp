// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/ring/decimal.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "layers.hpp"

using isserlis::Exponent;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::scaling_factor;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::holds;
using isserlis::testing::layer;

namespace {

using Count = std::uint64_t;

/// Runs of the widths `list`, equal neighbours gathered.
template <class R>
std::vector<isserlis::LayerRun<R, Count>> layers_of(std::vector<int> const& list) {
    std::vector<isserlis::WidthRun<R, Count>> runs;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i > 0 && list[i] == list[i - 1]) {
            ++runs.back().count;
        } else {
            runs.push_back({R(list[i]), 1});
        }
    }
    return isserlis::layers_between(runs);
}

/// Definition 4.23, layer by layer.
Surd by_definition(std::vector<int> const& d) {
    Surd sum;
    Rational product = 1;
    for (std::size_t i = 1; i < d.size(); ++i) sum = sum + isserlis::sqrt(Rational(d[i - 1] * d[i]));
    for (std::size_t k = 1; k + 1 < d.size(); ++k) product *= ratio(d[k] + 2, d[k]);
    return sum * Surd(product);
}

}  // namespace

TEST_SUITE("formula/scaling_factor") {
    // Vector S-3x10 of hettinger.json (SymPy); by hand (sqrt 20 + 10 + 10 + sqrt 10)(6/5)^3.
    TEST_CASE("3x10 of Table 4.1 is exact") {
        auto const out = scaling_factor(layers_of<Surd>({2, 10, 10, 10, 1}));
        CHECK(to_string(out.value()) == "216*sqrt(10)/125 + 432*sqrt(5)/125 + 864/25");
        CHECK(isserlis::decimal(out.value(), 20) == "47.752266727010232676");
        CHECK(out.depth_product == Surd(ratio(216, 125)));
        CHECK(out.width_sum == Surd(20) + isserlis::sqrt(Rational(20)) + isserlis::sqrt(Rational(10)));
    }

    // hettinger.md, section 6, column S_N.
    TEST_CASE("every network of Table 4.1 has its scaling factor, also in floating point") {
        struct Row {
            std::vector<int> widths;
            char const* value;
        };
        for (auto const& [widths, value] : std::vector<Row>{{{2, 10, 10, 10, 1}, "47.752"},
                                                            {{2, 20, 20, 20, 1}, "67.610"},
                                                            {{2, 10, 10, 10, 10, 1}, "78.039"},
                                                            {{2, 20, 20, 20, 20, 1}, "103.653"},
                                                            {{2, 10, 10, 10, 10, 10, 1}, "118.530"},
                                                            {{2, 20, 20, 20, 20, 20, 1}, "146.229"}}) {
            std::size_t const whole = std::string(value).find('.');
            CHECK(isserlis::decimal(scaling_factor(layers_of<Surd>(widths)).value(), static_cast<int>(whole) + 3) ==
                  value);
            CHECK(scaling_factor(layers_of<double>(widths)).value() == doctest::Approx(std::stod(value)).epsilon(1e-4));
        }
    }

    // By hand: one layer has no inner width; perfect squares need no root.
    TEST_CASE_TEMPLATE("one layer, and widths with whole roots", R, double, Surd, RationalFunction) {
        CHECK(scaling_factor(layers_of<R>({4, 9})).value() == R(6));
        CHECK(scaling_factor(layers_of<R>({1, 4, 1})).value() == R(6));
        CHECK(scaling_factor(layers_of<R>({5, 5})).value() == R(5));
        CHECK(scaling_factor(layers_of<R>({1, 1, 1, 1})).value() == R(27));
    }

    TEST_CASE("any list of widths equals the definition layer by layer") {
        holds([] {
            std::vector<int> list;
            for (int i = any_int(2, 14); i > 0; --i)
                list.push_back(any_int(0, 2) == 0 && !list.empty() ? list.back() : any_int(1, 30));
            Surd const expected = by_definition(list);
            auto const out = scaling_factor(layers_of<Surd>(list));
            RC_ASSERT(out.value() == expected);
            RC_ASSERT(RationalFunction(expected) == scaling_factor(layers_of<RationalFunction>(list)).value());
            double const approximate = scaling_factor(layers_of<double>(list)).value();
            double const exact = mpfr_get_d(isserlis::enclose(expected, 80).lower(), MPFR_RNDN);
            RC_ASSERT(std::abs(approximate - exact) <= 1e-12 * exact);
        });
    }

    // Wide layers: the product tends to 1 and leaves the sum of the roots.
    TEST_CASE("in wide networks only the sum of the roots is left") {
        auto const out = scaling_factor(
            std::vector{layer(1.0, 1e10, Count{1}), layer(1e10, 1e10, Count{3}), layer(1e10, 1.0, Count{1})});
        CHECK(out.depth_product == doctest::Approx(1).epsilon(1e-8));
        CHECK(out.width_sum == doctest::Approx(3e10 + 2e5));
    }

    TEST_CASE("symbolic widths and depth, substituted, equal concrete ones") {
        auto const n = RationalFunction::symbol("n");
        auto const d = RationalFunction::symbol("d0");
        auto const symbolic =
            scaling_factor(std::vector{layer(d, n, Exponent(1)), layer(n, n, Exponent::symbol("L") - Exponent(1)),
                                       layer(n, RationalFunction(1), Exponent(1))});
        holds([&] {
            int const width = any_int(1, 30);
            int const input = any_int(1, 30);
            int const depth = any_int(1, 9);
            std::vector<int> list(static_cast<std::size_t>(depth) + 2, width);
            list.front() = input;
            list.back() = 1;
            RC_ASSERT(symbolic.value().evaluate({{"n", width}, {"d0", input}, {"L", depth}}) == by_definition(list));
        });
    }
}
