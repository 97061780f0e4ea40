// SPDX-License-Identifier: MIT
// The leg of the formulas through the derivatives of the loss after one gradient step in hettinger.json.
#include <doctest/doctest.h>

#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/ring/members.hpp>

#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/network/scheme.hpp>
#include <isserlis/ring/decimal.hpp>

#include <cmath>
#include <string>

#include "layers.hpp"
#include "legs.hpp"
#include "vector_file.hpp"

namespace vectors {
namespace {

using isserlis::Rational;
using isserlis::Surd;
using Rows = isserlis::Rows<Rational>;

/// Given for each sample, or "2 for every sample".
std::vector<Rows> hessians(json const& in) {
    auto const outputs = in["d"].back().get<std::size_t>();
    std::vector<Rows> out;
    if (!in["H"].is_string()) {
        for (auto const& h : in["H"]) out.push_back(rows(h));
        return out;
    }
    Rows two(outputs, std::vector<Rational>(outputs, 0));
    for (std::size_t i = 0; i < outputs; ++i) two[i][i] = 2;
    return {two};
}

/// Exact, or to the last digit that a quadrature printed.
void check(Surd const& value, json const& exact, bool rounded) {
    if (!rounded) {
        CHECK(value == Surd(number(exact)));
        return;
    }
    Surd const off = value - Surd(number(exact));
    CHECK(sign(off * off - Surd(isserlis::ratio(1, isserlis::power(isserlis::Integer(10), 18)))) < 0);
}

}  // namespace

bool run_steps_by_formulas(json const& item) {
    std::string const quantity = item["quantity"];
    auto const& in = item["inputs"];
    if (starts_with(quantity, "Theorem 4.15") || starts_with(quantity, "Theorem 4.19")) {
        auto const data = isserlis::gradient_moments(rows(in["X"]), rows(in["grad"]),
                                                     in.contains("H") ? hessians(in) : std::vector<Rows>{});
        auto const curve =
            isserlis::linear_loss_curve(proportional_layers<Surd>(in["d"]), isserlis::converted<Surd>(data));
        bool const slope = starts_with(quantity, "Theorem 4.15");
        check(slope ? curve.slope : curve.curvature, item["exact"], !starts_with(item["method"], "POLY"));
        return true;
    }
    if (starts_with(quantity, "E L''(0), crelu, constant gradients and Hessians")) {
        std::string const printed = item["exact"];
        int const digits = static_cast<int>(printed.size()) - 1;
        CHECK(isserlis::decimal(
                  [&](unsigned bits) {
                      std::vector<isserlis::Rows<isserlis::Enclosed>> h;
                      for (auto const& one : hessians(in)) h.push_back(isserlis::converted<isserlis::Enclosed>(one));
                      return isserlis::crelu_curvature_of_two_layers(
                          proportional_layers<Surd>(in["d"]), isserlis::input_grams(rows(in["X"])),
                          isserlis::converted<isserlis::Enclosed>(rows(in["grad"])), h, bits);
                  },
                  digits) == printed);
        return true;
    }
    if (starts_with(quantity, "[kappa1, kappa2]")) {
        REQUIRE(in["theta_deg"] == 90);
        isserlis::IntervalKernels const kernels{200};
        auto const right = isserlis::input_pair(kernels, 1, 1, 0);
        Rational const rounding = isserlis::ratio(1, isserlis::power(isserlis::Integer(10), 20));
        auto near = [&](isserlis::Interval const& value, json const& exact) {
            return widened(value - isserlis::Interval(number(exact), 200), isserlis::Interval(rounding, 200))
                .contains_zero();
        };
        CHECK(near(first_kernel(kernels, right), item["exact"][0]));
        CHECK(near(second_kernel(kernels, right), item["exact"][1]));
        return true;
    }
    bool const first = starts_with(quantity, "E L'(0), squared error, weights inside");
    bool const second = starts_with(quantity, "E L''(0), squared error, weights inside");
    bool const both = starts_with(quantity, "[E L'(0), E L''(0)], one sample");
    if (first || second || both) {
        auto const data = isserlis::target_moments(rows(in["X"]), rows(in["Y"]));
        auto const curve =
            isserlis::squared_loss_curve(proportional_layers<Surd>(in["d"]), isserlis::converted<Surd>(data));
        if (first) check(curve.slope, item["exact"], false);
        if (second) check(curve.curvature(), item["exact"], false);
        if (both) {
            check(curve.slope, item["exact"][0], false);
            check(curve.curvature(), item["exact"][1], false);
        }
        return true;
    }
    return false;
}

}  // namespace vectors
