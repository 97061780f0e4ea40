// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* ntk_law =
    "Gaussian weights, zero biases, one fixed input, linear head; label factors as given, times the variance under "
    "--scheme ntk, squared multiplier and rate under --parametrisation; by strands (docs/strands.md) with weights of "
    "any "
    "symmetric law, orthogonal matrices, random biases, and on other wirings than vanilla; of pairs of samples, by "
    "--data or "
    "--with, linear units";

}  // namespace

QuantityRows ntk_quantities() {
    QuantityRows out{.command = "ntk"};
    out.quantities = {
        {"ntk_mean", "", "mean of the tangent kernel",
         "E K_oo = g sum_k tau_k (+ sum_l b_l E|dz/dz^l|^2 with bias labels)", "docs/formulas/ntk_moments.md", ntk_law},
        {"ntk_second_moment", "", "mean square of the tangent kernel",
         "E K_oo^2 = g^2 R_L sum_(k,m) tau_k tau_m (1 + 2 P_km)/3 for weight labels", "docs/formulas/ntk_moments.md",
         ntk_law},
        {"ntk_variance", "", "variance of the tangent kernel", "E K_oo^2 - (E K_oo)^2", "docs/formulas/ntk_moments.md",
         ntk_law},
        {"ntk_trace_mean", "", "mean of its trace over the outputs", "E tr K = N E K_oo",
         "docs/formulas/ntk_moments.md", ntk_law},
        {"ntk_trace_second_moment", "", "mean square of that trace", "E (tr K)^2", "docs/formulas/ntk_moments.md",
         ntk_law},
        {"ntk_squared_trace_mean", "", "mean trace of its square",
         "E tr K^2, the Gauss-Newton part of the Hessian; at two samples E tr K K^T", "docs/formulas/ntk_moments.md",
         ntk_law},
    };
    out.verified = {
        {.asked = "ntk 2,3,2",
         .twins = {{"ntk_mean", {}, "'z[1;m]^2' 2,3,2"},
                   {"ntk_second_moment", {}, "'(z[1;m]^2)^2' 2,3,2"},
                   {"ntk_variance", {}, "'Var[z[1;m]^2]' 2,3,2"},
                   {"ntk_trace_mean", {}, "'z[i;m]^2' 2,3,2"},
                   {"ntk_trace_second_moment", {}, "'(z[i;m]^2)^2' 2,3,2"},
                   {"ntk_squared_trace_mean", {}, "'(z[i;m] z[i;n])^2' 2,3,2"}}},
        {.asked = "ntk 2,3,2 activation=linear data=cos size=2"},
    };
    return out;
}

}  // namespace isserlis::quantity
