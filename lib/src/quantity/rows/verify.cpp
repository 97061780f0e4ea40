// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {

QuantityRows verify_quantities() {
    QuantityRows out{.command = "verify"};
    out.quantities = {
        {"strands", "quantity,row", "a row again, by the strand engine",
         "a row of a command again, by the strand engine; holds where they are equal", "docs/strands.md",
         "those of the row"},
    };
    return out;
}

}  // namespace isserlis::quantity
