// SPDX-License-Identifier: MIT
#include "quantity/rows/rows.hpp"

namespace isserlis::quantity {

QuantityRows reproduce_quantities() {
    QuantityRows out{.command = "reproduce"};
    out.quantities = {
        {"sampled_rate", "network", "2 over the mean of |lambda_1| at initialisation",
         "2 over the sampled mean of |lambda_1|, the Hessian's eigenvalue of largest modulus",
         "[Iyer 2023, section 4.2]", "those that the answer states"},
        {"power_law_alpha", "", "exponent of the rate in depth times width",
         "ln(2/E|lambda_1|) = -alpha ln(depth width) + gamma, by least squares", "[Iyer 2023, section 4.2]",
         "those that the answer states"},
        {"power_law_gamma", "", "constant of that power law", "the constant of that line", "[Iyer 2023, section 4.2]",
         "those that the answer states"},
        {"power_law_r_squared", "", "how well it fits", "the share of the variance that the line explains",
         "[Iyer 2023, section 4.2]", "those that the answer states"},
    };
    out.unverified = {{"", "a number of sampled networks and a fit"}};
    return out;
}

}  // namespace isserlis::quantity
