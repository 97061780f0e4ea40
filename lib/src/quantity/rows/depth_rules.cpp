// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* depth_law =
    "residual blocks y + m F(y) between plain matrices, Gaussian weights, zero biases, one fixed input; one step to "
    "first order, rates of the matrices beside m; targets of mean 0 and equal second moments; with symbols and with "
    "random biases, which stay, by strands (docs/strands.md); by --data or --with one step on samples or a mini-batch "
    "of "
    "linear units, means over the samples";

}  // namespace

QuantityRows depth_rules_quantities() {
    QuantityRows out{.command = "depth-rules"};
    out.quantities = {
        {"depth_multiplier", "depth,rule", "branch multiplier of a depth rule",
         "m: C, C/sqrt(L), C/L; of the rule fixed the m that keeps E (Delta y_i^L)^2 that of the first depth under "
         "C/sqrt(L)",
         "docs/formulas/depth_step.md", depth_law},
        {"depth_square", "depth,rule", "mean square of the last residual layer",
         "E (y_i^L)^2 = E (y_i^0)^2 (1 + m^2 mu)^L", "docs/formulas/depth_step.md", depth_law},
        {"depth_change_squared", "depth,rule", "mean square of its change in one step", "E (Delta y_i^L)^2",
         "docs/formulas/residual_step.md", depth_law},
        {"depth_learning_rate", "depth,rule", "rate at which it changes by 1",
         "(E (Delta y_i^L)^2)^(-1/2): the factor of all rates at which the last layer changes by 1",
         "docs/formulas/depth_step.md", depth_law},
        {"depth_rate_exponent", "depth,rule", "power of the depth that this rate follows",
         "the slope of log depth_learning_rate over log L, to the next depth", "docs/formulas/depth_step.md",
         depth_law},
        {"depth_fixed_exponent", "depth", "power of 1/depth that holds the change fixed",
         "of the rule fixed: minus the slope of log m over log L, to the next depth", "docs/formulas/depth_step.md",
         depth_law},
        {"depth_square_limit", "rule", "its mean square at infinite depth",
         "lim E (y_i^L)^2 as L goes to infinity: E (y_i^0)^2 exp(C^2 mu) under C/sqrt(L)",
         "docs/formulas/depth_step.md", depth_law},
        {"depth_change_limit", "rule", "its mean square change at infinite depth",
         "lim E (Delta y_i^L)^2 as L goes to infinity: exponential functions of C^2 under C/sqrt(L)",
         "docs/formulas/depth_step.md", depth_law},
        {"depth_square_leading", "rule", "how its mean square grows with the depth",
         "E (y_i^L)^2 as L goes to infinity, by strands, where it grows", "docs/strands.md", depth_law},
        {"depth_change_leading", "rule", "how its mean square change grows with the depth",
         "E (Delta y_i^L)^2 as L goes to infinity, by strands, where it grows", "docs/strands.md", depth_law},
    };
    out.verified = {
        {.asked = "depth-rules 2,3,1 network=resnet:1 depths=2,3 multiplier=1/4"},
        {.asked = "depth-rules 2,3,1 network=resnet:1 depths=2 bias_variance=1/2"},
        {.asked = "depth-rules 2,3,1 network=resnet:1 activation=linear depths=2 multiplier=1/4 data=cos size=2"},
    };
    return out;
}

}  // namespace isserlis::quantity
