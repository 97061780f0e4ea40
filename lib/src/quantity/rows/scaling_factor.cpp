// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {

QuantityRows scaling_factor_quantities() {
    QuantityRows out{.command = "scaling-factor"};
    out.quantities = {
        {"scaling_factor", "k", "rule of thumb: rates scale with its inverse",
         "S_N = sum_i sqrt(d_(i-1) d_i) prod_(0<j<n) (1 + 2/d_j)", "[Hettinger 2019, Def 4.23]",
         "a rule of thumb: deep linear network, proportional scheme, constant gradients; equal d_0, d_n and data"},
        {"width_sum", "k", "the scaling factor's part of the widths", "sum_i sqrt(d_(i-1) d_i)",
         "[Hettinger 2019, Def 4.23]", "as scaling_factor"},
        {"depth_product", "k", "the scaling factor's part of the depth", "prod_(0<j<n) (1 + 2/d_j)",
         "[Hettinger 2019, Def 4.23]", "as scaling_factor"},
        {"relative_rate", "k", "learning rate beside that of the first network",
         "S_1/S_k: the learning rate of network k for a rate of 1 in network 1", "[Hettinger 2019, Def 4.23]",
         "as scaling_factor"},
    };
    out.verified = {
        {.asked = "scaling-factor 2,3,1 2,4,1"},
    };
    return out;
}

}  // namespace isserlis::quantity
