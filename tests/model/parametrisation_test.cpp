// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <isserlis/error.hpp>
#include <isserlis/model/model.hpp>
#include <isserlis/model/parametrisation.hpp>

#include <algorithm>
#include <string>

using namespace isserlis;

namespace {

ParametrisedLayer<Surd> layer(std::string const& name, LayerKind kind, int fan_in, int fan_out) {
    return {parse_parametrisation(name), kind, ratio(1, 2), Surd(fan_in), Surd(fan_out)};
}

void check_layer(ParametrisedLayer<Surd> const& x, Surd const& variance, Surd const& squared_multiplier,
                 Surd const& rate) {
    CHECK(x.parameter_variance() == variance);
    CHECK(x.squared_multiplier() == squared_multiplier);
    CHECK(x.rate() == rate);
    CHECK(x.weight_variance() == variance * squared_multiplier);
    CHECK(x.label_factor() == squared_multiplier * rate);
}

}  // namespace

TEST_SUITE("model/parametrisation") {
    // 3,8,16,2 with ReLU: g2 = 1/2, so that the constants are 2/3, 2 and 1; widths 8 (the fan-out), 8 and 16.
    TEST_CASE("the rules of muP for SGD: fan_out, 1 and 1/fan_in [Yang 2022, Table 3]") {
        check_layer(layer("mup", LayerKind::input, 3, 8), ratio(2, 3), 1, 8);
        check_layer(layer("mup", LayerKind::hidden, 8, 16), ratio(1, 4), 1, 1);
        check_layer(layer("mup", LayerKind::output, 16, 2), ratio(1, 256), 1, ratio(1, 16));
    }

    TEST_CASE("standard, NTK and mean-field by hand") {
        check_layer(layer("standard", LayerKind::input, 3, 8), ratio(2, 3), 1, 1);
        check_layer(layer("standard", LayerKind::hidden, 8, 16), ratio(1, 4), 1, 1);
        check_layer(layer("standard", LayerKind::output, 16, 2), ratio(1, 16), 1, 1);
        check_layer(layer("ntk", LayerKind::input, 3, 8), 1, ratio(2, 3), 1);
        check_layer(layer("ntk", LayerKind::hidden, 8, 16), 1, ratio(1, 4), 1);
        check_layer(layer("ntk", LayerKind::output, 16, 2), 1, ratio(1, 16), 1);
        check_layer(layer("mean-field", LayerKind::input, 3, 8), 1, ratio(2, 3), 8);
        check_layer(layer("mean-field", LayerKind::hidden, 8, 16), 1, ratio(1, 4), 8);
        check_layer(layer("mean-field", LayerKind::output, 16, 2), 1, ratio(1, 256), 16);
    }

    TEST_CASE("one's own, one exponent for all or one for each kind") {
        check_layer(layer("0,1/2,-1:0:1", LayerKind::input, 3, 8), ratio(1, 12), 1, 8);
        check_layer(layer("1,0:0.5:1,2", LayerKind::hidden, 4, 16), ratio(1, 2), ratio(1, 16), ratio(1, 16));
        CHECK(exponents_text(parse_parametrisation("1,0:0.5:1,2"), &WidthExponents::a) == "1");
        CHECK(exponents_text(parse_parametrisation("1,0:0.5:1,2"), &WidthExponents::b) == "0:1/2:1");
        // A root of a width that is none of its own; it cancels in the variance of W.
        auto const roots = layer("1/4,1/4,1/2", LayerKind::hidden, 8, 8);
        CHECK(roots.weight_variance() == ratio(1, 4));
        CHECK(roots.rate() == sqrt(ratio(1, 8)));
        CHECK(roots.label_factor() == ratio(1, 8));
        CHECK_THROWS_AS((void)layer("1/3,0,0", LayerKind::hidden, 8, 8).squared_multiplier(), UnsupportedError);
        ParametrisedLayer<RationalFunction> const symbolic(
            parse_parametrisation("0,1/2,1/2"), LayerKind::hidden, RationalFunction(1) / RationalFunction(2),
            RationalFunction::symbol("n"), RationalFunction::symbol("n"));
        CHECK(to_string(symbolic.weight_variance()) == "2/n");
        CHECK_THROWS_AS((void)symbolic.rate(), UnsupportedError);
    }

    // The constant stands in the variance of w, of unit parameters in the multiplier; rates have none.
    TEST_CASE("a factor of the constant scales what the constant scales") {
        ParametrisedLayer<Surd> const mup(parse_parametrisation("mup"), LayerKind::hidden, 1, 8, 16, 3);
        check_layer(mup, ratio(3, 8), 1, 1);
        ParametrisedLayer<Surd> const mean_field(parse_parametrisation("mean-field"), LayerKind::hidden, 1, 8, 16, 3);
        check_layer(mean_field, 1, ratio(3, 8), 8);
    }

    TEST_CASE("what is no parametrisation is refused by name") {
        for (char const* text : {"", "mu", "0,0", "0,0,0,0", "0:1,0,0", "0,,0", "::,0,0", "a,b,c", "MUP"}) {
            CAPTURE(text);
            CHECK_THROWS_AS((void)parse_parametrisation(text), ParseError);
        }
        CHECK_THROWS_AS((void)parse_parametrisation("21,0,0"), UnsupportedError);
        CHECK_THROWS_AS((void)parse_parametrisation("0,1/0,0"), DomainError);
    }

    // [Yang 2021]: a + t, b - t, c - 2 t trains the same functions, layer by layer.
    TEST_CASE("the symmetry of abc-parametrisations") {
        rc::check("weights and their steps are those of the shifted one", [] {
            auto const half = [] { return ratio(*rc::gen::inRange(-4, 5), 2); };
            Rational const a = half(), b = half(), c = half(), t = half();
            auto const text = [](Rational const& x, Rational const& y, Rational const& z) {
                return to_string(x) + "," + to_string(y) + "," + to_string(z);
            };
            auto const kind = static_cast<LayerKind>(*rc::gen::inRange(0, 3));
            int const fan_in = *rc::gen::inRange(1, 30);
            int const fan_out = *rc::gen::inRange(1, 30);
            auto const one = layer(text(a, b, c), kind, fan_in, fan_out);
            auto const other = layer(text(a + t, b - t, c - 2 * t), kind, fan_in, fan_out);
            RC_ASSERT(one.weight_variance() == other.weight_variance());
            RC_ASSERT(one.label_factor() == other.label_factor());
        });
    }

    TEST_CASE("doubles are those of the surds") {
        for (char const* name : {"standard", "ntk", "mean-field", "mup", "1/4,1/4,-1/2"}) {
            CAPTURE(name);
            for (auto const kind : {LayerKind::input, LayerKind::hidden, LayerKind::output}) {
                // A leaky gate of slope 1/2, and a factor of the constant.
                ParametrisedLayer<double> const numbers(parse_parametrisation(name), kind, 0.625, 6, 10, 0.75);
                ParametrisedLayer<Surd> const exact(parse_parametrisation(name), kind, ratio(5, 8), 6, 10, ratio(3, 4));
                CHECK(numbers.rate() == doctest::Approx(to_double(exact.rate())));
                CHECK(numbers.parameter_variance() == doctest::Approx(to_double(exact.parameter_variance())));
                CHECK(numbers.squared_multiplier() == doctest::Approx(to_double(exact.squared_multiplier())));
                CHECK(numbers.parameter_variance() * numbers.squared_multiplier() ==
                      doctest::Approx(to_double(exact.weight_variance())));
                CHECK(numbers.squared_multiplier() * numbers.rate() ==
                      doctest::Approx(to_double(exact.label_factor())));
            }
        }
    }
}
