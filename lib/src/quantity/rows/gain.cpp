// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* unit_law =
    "z normal, mean 0, variance q: exact of a first layer with Gaussian weights, of deeper ones at infinite width";

}  // namespace

QuantityRows gain_quantities() {
    QuantityRows out{.command = "gain"};
    out.quantities = {
        {"unit_mean", "unit", "mean of a unit at normal pre-activations", "E sigma(z)", "docs/formulas/unit_moments.md",
         unit_law},
        {"unit_second_moment", "unit", "its mean square", "E sigma(z)^2", "docs/formulas/unit_moments.md", unit_law},
        {"derivative_second_moment", "unit", "mean square of its derivative", "E sigma'(z)^2",
         "docs/formulas/unit_moments.md", unit_law},
        {"unit_variance", "unit", "its variance", "E sigma(z)^2 - (E sigma(z))^2", "docs/formulas/unit_moments.md",
         unit_law},
        {"gain", "unit", "weights of variance gain^2/fan_in keep q",
         "sqrt(q/E sigma(z)^2): weights of variance gain^2/fan_in keep the variance of pre-activations", "[He 2015]",
         unit_law},
        {"centred_gain", "unit", "scales the centred unit to variance q",
         "sqrt(q/Var sigma(z)): gain*(sigma(z) - E sigma(z)) has variance q", "[Brock 2021]", unit_law},
        {"derivative_gain", "unit", "weights of variance gain^2/fan_in keep gradients",
         "1/sqrt(E sigma'(z)^2): weights of variance gain^2/fan_in keep the squared length of gradients",
         "[Schoenholz 2017]", unit_law},
    };
    out.verified = {
        {.asked = "gain tanh"},
    };
    return out;
}

}  // namespace isserlis::quantity
