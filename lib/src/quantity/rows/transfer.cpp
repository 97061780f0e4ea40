// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {

QuantityRows transfer_quantities() {
    QuantityRows out{.command = "transfer"};
    out.quantities = {
        {"transfer_rate", "rule", "rate that a rule predicts for another network",
         "the rate times the quotient of what the rule says that rates go like",
         "docs/learning_rates.md; [Hettinger 2019, Def 4.23], [Jelassi 2023, section 1], [Iyer 2023, section 5]",
         "Gaussian weights, or those of the scheme where the rule is served for them; one sample, one gradient step on "
         "half "
         "the squared error; with random biases, which stay, of units other than ReLU and of residual networks by "
         "strands (docs/strands.md); sizes alone are rules of thumb"},
    };
    out.verified = {
        {.asked = "transfer 2,3,1 2,4,1"},
        {.asked = "transfer 2,3,1 2,4,1 bias_variance=1/2"},
        {.asked = "transfer 2,3:2,1 2,3:3,1 network=resnet:1 projections multiplier=1/blocks"},
    };
    return out;
}

}  // namespace isserlis::quantity
