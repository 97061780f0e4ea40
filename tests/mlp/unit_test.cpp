// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <isserlis/mlp/unit.hpp>
#include <limits>
#include <string>
#include <vector>

TEST_SUITE("mlp/unit") {
    namespace {

    using isserlis::mlp::Unit;
    using isserlis::mlp::unit_jet;
    using isserlis::mlp::unit_kind;
    using isserlis::mlp::UnitKind;

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double tiny = std::numeric_limits<double>::min();

    std::vector<std::string> const names = {"identity", "relu",  "leaky",  "crelu",    "step",     "sigmoid",
                                            "tanh",     "prelu", "arctan", "softsign", "softplus", "elu",
                                            "selu",     "swish", "gelu",   "erf",      "sin",      "cos"};

    Unit unit(std::string const& name, double slope = 0.7) { return {.kind = unit_kind(name).value(), .slope = slope}; }

    /// In units of the last place of the reference; below the normal numbers, of the smallest of these.
    double error(double value, double reference) {
        double const unit = std::numeric_limits<double>::epsilon() * std::max(std::abs(reference), tiny);
        return value == reference ? 0 : std::abs(value - reference) / unit;
    }

    }  // namespace

    // tests/mlp/references/units.py: mpmath with 400 bits. z up to 1e100 on both sides.
    TEST_CASE("smooth units and both derivatives are within 8 units of the last place, tails included") {
        std::ifstream file(std::string(ISSERLIS_TEST_DATA) + "/mlp/references/units.txt");
        std::string name;
        double z = 0;
        double value = 0;
        double first = 0;
        double second = 0;
        int lines = 0;
        constexpr double most = 8;
        while (file >> name >> z >> value >> first >> second) {
            ++lines;
            CAPTURE(name);
            CAPTURE(z);
            auto const jet = unit_jet(unit(name), z);
            CHECK(error(jet.value, value) <= most);
            CHECK(error(jet.first, first) <= most);
            CHECK(error(jet.second, second) <= most);
            auto const in_float = unit_jet(unit(name), static_cast<float>(z));
            if (static_cast<double>(static_cast<float>(z)) == z) CHECK(in_float.value == static_cast<float>(jet.value));
        }
        CHECK(lines == 792);
    }

    // The limits, by hand.
    TEST_CASE("at infinity there are the limits, and NaN stays NaN") {
        for (auto const& name : names) {
            if (name == "sin" || name == "cos") continue;  // have none
            CAPTURE(name);
            auto const right = unit_jet(unit(name), infinity);
            auto const left = unit_jet(unit(name), -infinity);
            CHECK(right.second == 0);
            CHECK(left.second == 0);
            CHECK_FALSE(std::isnan(right.value));
            CHECK_FALSE(std::isnan(left.value));
            CHECK_FALSE(std::isnan(right.first));
            CHECK_FALSE(std::isnan(left.first));
            CHECK(std::isnan(unit_jet(unit(name), std::nan("")).value));
        }
        CHECK(unit_jet(unit("relu"), -infinity).value == 0);
        CHECK(unit_jet(unit("swish"), -infinity).value == 0);
        CHECK(unit_jet(unit("swish"), infinity).first == 1);
        CHECK(unit_jet(unit("gelu"), -infinity).value == 0);
        CHECK(unit_jet(unit("softsign"), infinity).value == 1);
        CHECK(unit_jet(unit("softplus"), infinity).value == infinity);
        CHECK(unit_jet(unit("elu"), -infinity).value == -0.7);
        CHECK(unit_jet(unit("arctan"), infinity).value == doctest::Approx(std::acos(0)));
        CHECK(unit_jet(unit("erf"), -infinity).value == -1);
        CHECK(std::isnan(unit_jet(unit("sin"), infinity).value));
        CHECK(std::isnan(unit_jet(unit("cos"), infinity).value));
    }

    // Pinned: [Liquet 2024, eq. (5.16), (5.17)] has relu'(0) = 1, [Hettinger 2019, Def 3.13] 1/2; PyTorch and this 0.
    TEST_CASE("at 0 the derivative is that from below, and step is 1") {
        CHECK(unit_jet(unit("relu"), 0.0).first == 0);
        CHECK(unit_jet(unit("leaky", 0.2), 0.0).first == 0.2);
        CHECK(unit_jet(unit("prelu", 0.2), 0.0).first == 0.2);
        CHECK(unit_jet(unit("elu", 0.2), 0.0).first == 0.2);
        CHECK(unit_jet(unit("selu"), 0.0).first == doctest::Approx(1.6732632423543772 * 1.0507009873554805));
        CHECK(unit_jet(unit("step"), 0.0).value == 1);
        CHECK(unit_jet(unit("step"), -1e-300).value == -1);
        CHECK(unit_jet(unit("step"), 3.0).first == 0);
        CHECK(unit_jet(unit("softsign"), 0.0).second == 0);
    }

    TEST_CASE("piecewise linear units by hand") {
        CHECK(unit_jet(unit("relu"), -2.0).value == 0);
        CHECK(unit_jet(unit("relu"), 2.0).value == 2);
        CHECK(unit_jet(unit("leaky", -0.5), -2.0).value == 1);
        CHECK(unit_jet(unit("prelu", -0.5), -2.0).first == -0.5);
        CHECK(unit_jet(unit("crelu"), -2.0).value == -2);
        CHECK(unit_jet(unit("identity"), -2.0F).value == -2.0F);
    }

    // PyTorch cuts softplus off at z = 20, where log(1 + e^-20) = 2.06e-9 is left out.
    TEST_CASE("softplus is not cut off at 20") {
        double const rest = unit_jet(unit("softplus"), 20.5).value - 20.5;
        CHECK(rest == doctest::Approx(1.25015287e-9).epsilon(1e-5));
    }

    TEST_CASE("constants that are not given are the usual ones") {
        CHECK(unit_jet({.kind = UnitKind::leaky}, -1.0).value == -0.01);
        CHECK(unit_jet({.kind = UnitKind::prelu}, -1.0).value == -0.25);
        CHECK(unit_jet({.kind = UnitKind::elu}, -infinity).value == -1);
        CHECK(unit_jet({.kind = UnitKind::leaky, .slope = 0}, -1.0).value == 0);
    }

    TEST_CASE("every name is read back, and no other is") {
        for (auto const& text : names) {
            REQUIRE(unit_kind(text).has_value());
            CHECK(name(*unit_kind(text)) == text);
        }
        CHECK(isserlis::mlp::unit_names() == names);
        CHECK_FALSE(unit_kind("Relu").has_value());
        CHECK_FALSE(unit_kind("").has_value());
    }

    TEST_CASE("a unit without curvature has second derivative 0 everywhere") {
        for (auto const& text : names)
            for (double const z : {-3.0, -0.5, 0.25, 1.0, 4.0}) {
                CAPTURE(text);
                bool const zero = unit_jet(unit(text), z).second == 0;
                // ELU and SELU are straight above 0.
                bool const straight = z > 0 && (text == "elu" || text == "selu");
                CHECK(zero == (straight || !is_curved(*unit_kind(text))));
            }
    }
}
