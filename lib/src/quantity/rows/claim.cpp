// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {

QuantityRows claim_quantities() {
    QuantityRows out{.command = "claim"};
    out.quantities = {
        {"actual", "claim,network", "the mean that a claim is about", "the mean that a claim is about, by its command",
         "docs/claims.md", "those of the command"},
        {"claimed", "claim,network", "value of a claim's formula",
         "the formula of the claim there; holds where both are equal", "docs/claims.md", "those of the command"},
    };
    out.unverified = {{"", "claim sets the two sides beside one another itself"}};
    return out;
}

}  // namespace isserlis::quantity
