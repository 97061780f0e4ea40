// SPDX-License-Identifier: MIT
// The leg of the strand engine through the derivatives of the loss after one gradient step in hettinger.json.
#include <doctest/doctest.h>

#include <isserlis/ring/members.hpp>
#include <isserlis/ring/rational.hpp>

#include <string>

#include "legs.hpp"
#include "one_step.hpp"
#include "strand_value.hpp"
#include "vector_file.hpp"

namespace vectors {
namespace {

using isserlis::ActivationKind;

Surd exact_surd(json const& x) { return Surd(number(x)); }

/// One sample: the same through `loss`, half the squared error; and in a concatenated network, which is linear there.
void check_one_sample(json const& in, std::string const& query, int factor, Surd const& value) {
    if (in["X"].size() != 1) return;
    Setting<Rational> setting;
    setting.inputs.vectors = {numbers(in["X"][0])};
    setting.target_second = 0;
    for (auto const& y : numbers(in["Y"][0])) setting.target_second += y * y;
    auto const exact = isserlis::converted<Surd>(setting, [](Rational const& x) { return Surd(x); });
    for (auto const kind : {ActivationKind::linear, ActivationKind::crelu_tied}) {
        CAPTURE(name(kind));
        CHECK(Surd(factor) * expected(query, proportional_chain(in["d"], kind), exact) == value);
    }
}

void check_slope(json const& in, Surd const& value) {
    CHECK(slope_of_squared_error(in, ActivationKind::linear) == value);
    check_one_sample(in, "-(D[m] loss)^2", 4, value);
}
void check_curvature(json const& in, Surd const& value) {
    CHECK(curvature_of_squared_error(in, ActivationKind::linear) == value);
    check_one_sample(in, "(D[m] loss) (D[m,n] loss) (D[n] loss)", 8, value);
}

/// Squared error, weights inside the gradient.
bool check_squared_error(json const& item) {
    auto const& in = item["inputs"];
    if (starts_with(item["quantity"], "[E L'(0), E L''(0)]")) {
        check_slope(in, exact_surd(item["exact"][0]));
        check_curvature(in, exact_surd(item["exact"][1]));
    } else if (starts_with(item["quantity"], "E L''(0)")) {
        check_curvature(in, exact_surd(item["exact"]));
    } else {
        check_slope(in, exact_surd(item["exact"]));
    }
    return true;
}

bool check_constant_slope(json const& item) {
    Surd const value = slope_with_constant_gradients(item["inputs"], ActivationKind::linear);
    if (starts_with(item["method"], "POLY")) {
        CHECK(value == exact_surd(item["exact"]));
    } else {  // by quadrature, rounded to the ninth place
        Surd const off = value - exact_surd(item["exact"]);
        CHECK(sign(off * off - Surd(isserlis::ratio(1, isserlis::power(isserlis::Integer(10), 18)))) < 0);
    }
    return true;
}

bool check_constant_curvature(json const& item) {
    CHECK(curvature_with_constant_gradients(item["inputs"], ActivationKind::linear) == exact_surd(item["exact"]));
    return true;
}

struct StepCheck {
    char const* quantity;  ///< how it starts
    bool (*run)(json const& item);
};
StepCheck const step_checks[] = {
    {"Theorem 4.15", check_constant_slope},
    {"Theorem 4.19", check_constant_curvature},
    {"E L'(0), squared error, weights inside", check_squared_error},
    {"E L''(0), squared error, weights inside", check_squared_error},
    {"[E L'(0), E L''(0)], one sample", check_squared_error},
};

}  // namespace

bool run_steps_by_strands(json const& item) {
    for (auto const& check : step_checks) {
        if (starts_with(item["quantity"], check.quantity)) return check.run(item);
    }
    return false;
}

}  // namespace vectors
