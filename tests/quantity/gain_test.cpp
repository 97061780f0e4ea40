// SPDX-License-Identifier: MIT
// Gains: those of homogeneous units by hand, of others as published.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/quantity/ask.hpp>
#include <string>

#include "refusal.hpp"

using namespace isserlis;
using quantity::ask;
using test::refuses;

namespace {

double number(std::string const& unit, std::string const& name) {
    return std::stod(ask({"gain", {unit}}).at(name, {unit}).decimal.value());
}

}  // namespace

TEST_SUITE("quantity/gain") {
    // E z^2/2 = q/2 above 0; leaky has (1 + s^2)/2 of q: gain sqrt(2/(1 + s^2)) [He 2015].
    TEST_CASE("homogeneous units are exact at any variance") {
        for (std::string const q : {"1", "7/3"}) {
            auto const a = ask({"gain", {"relu", "leaky:1/2", "linear"}, {{"variance", {q}}}});
            CHECK(a.at("gain", {"relu"}).exact == "sqrt(2)");
            CHECK(a.at("derivative_gain", {"relu"}).exact == "sqrt(2)");
            CHECK(a.at("gain", {"leaky:1/2"}).exact == "2*sqrt(10)/5");
            CHECK(a.at("gain", {"linear"}).exact == "1");
            CHECK(a.at("unit_mean", {"linear"}).exact == "0");
        }
        CHECK(ask({"gain", {"relu"}, {{"variance", {"7/3"}}}}).at("unit_second_moment", {"relu"}).exact == "7/6");
        // Var relu(z) = 1/2 - 1/(2 pi).
        CHECK(number("relu", "centred_gain") == doctest::Approx(1 / std::sqrt(0.5 - 0.5 / M_PI)).epsilon(1e-15));
    }

    // The published ones were sampled, to three digits or so [Brock 2021, code]; tanh has 5/3 as a rule of thumb.
    TEST_CASE("gains of the literature") {
        CHECK(number("gelu", "centred_gain") == doctest::Approx(1.7015043497085571).epsilon(2e-3));
        CHECK(number("silu", "centred_gain") == doctest::Approx(1.7881293296813965).epsilon(2e-3));
        CHECK(number("tanh", "centred_gain") == doctest::Approx(1.5939117670059204).epsilon(2e-3));
        CHECK(number("sigmoid", "centred_gain") == doctest::Approx(4.803835391998291).epsilon(2e-3));
        CHECK(number("softplus", "centred_gain") == doctest::Approx(1.9203323125839233).epsilon(2e-3));
        CHECK(number("relu", "centred_gain") == doctest::Approx(1.7139588594436646).epsilon(2e-3));
    }

    TEST_CASE("SELU keeps mean 0 and variance 1, exactly") {
        auto const a = ask({"gain", {"selu"}});
        CHECK(a.at("unit_mean", {"selu"}).exact == "0");
        CHECK(a.at("unit_second_moment", {"selu"}).exact == "1");
        CHECK(a.at("gain", {"selu"}).exact == "1");
    }

    TEST_CASE("the engine's units agree at other variances") {
        auto const a = ask(
            {"gain",
             {"relu", "leaky:-1/2", "tanh", "sigmoid", "softplus", "silu", "gelu", "elu", "selu", "erf", "sin", "cos"},
             {{"variance", {"9/4"}}, {"check", {"20000"}}, {"seed", {"3"}}}});
        for (auto const& r : a.results()) {
            bool const sampled =
                r.name == "unit_mean" || r.name == "unit_second_moment" || r.name == "derivative_second_moment";
            CAPTURE(r.name + " " + r.index[0]);
            if (sampled) {
                REQUIRE(r.check.has_value());
                CHECK(r.check->verdict == Check::Verdict::agrees);
            } else {
                CHECK_FALSE(r.unchecked.empty());
            }
        }
    }

    TEST_CASE("what is no unit is refused") {
        refuses({"gain", {"relu7"}}, "'relu7' is not a unit; choose relu");
        refuses({"gain", {"crelu"}}, "two features");
        refuses({"gain", {"tanh"}, {{"variance", {"0"}}}}, "`variance`: 0; from 1/1000000");
        refuses({"gain", {"tanh"}, {{"variance", {"sqrt(2)"}}}}, "has a root in it");
        refuses({"gain", {"tanh"}, {{"layer", {"1"}}}}, "a unit has no layers");
    }
}
