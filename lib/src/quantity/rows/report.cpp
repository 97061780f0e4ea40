// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {

QuantityRows report_quantities() {
    QuantityRows out{.command = "report"};
    out.quantities = {
        {"parameters", "", "number of weights",
         "sum_l d_(l-1) d_l, twice that for concatenated ReLU; with --biases sum_l d_l more", "definition",
         "fully connected"},
        {"minimal_width_lower", "", "a width that universal ReLU networks need",
         "d_0 + 1 <= least hidden width of universal ReLU networks", "[Hanin 2017, Thm 1]",
         "ReLU with biases, any depth; continuous functions on a cube"},
        {"minimal_width_upper", "", "a width that is enough for them",
         "least hidden width of universal ReLU networks <= d_0 + d_n", "[Hanin 2017, Thm 1]",
         "ReLU with biases, any depth; continuous functions on a cube"},
    };
    out.verified = {
        {.asked = "report 2,3,1"},
    };
    return out;
}

}  // namespace isserlis::quantity
