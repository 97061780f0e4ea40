// SPDX-License-Identifier: MIT
#include "quantity/rows/first_step.hpp"

namespace isserlis::quantity {

std::vector<Quantity> first_step_quantities() {
    return {
        {"own_change_rms", "l,width", "rms change by the layer's own weights",
         "with --optimiser: sqrt(E (Delta W^l h^(l-1))_i^2), the part of Delta z^l that its own weights make, of a "
         "file all "
         "matrices into the node",
         "docs/formulas/first_step.md", first_step_law},
        {"unit_rate", "l,width", "rate at which that is 1",
         "with --optimiser: the rate of layer l at which own_change_rms is 1; with --parametrisation eta, beside its "
         "n^-C",
         "docs/formulas/first_step.md", first_step_law},
        {"joint_unit_rate", "width", "factor of unit rates that moves the output by 1",
         "with --optimiser sign, adam or muon and one output: the factor of the unit rates of all layers at which E "
         "|Delta z| "
         "= 1 at the output; does not depend on --eta",
         "docs/formulas/first_step.md", first_step_law},
    };
}

}  // namespace isserlis::quantity
