// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {

QuantityRows errata_quantities() {
    QuantityRows out{.command = "errata"};
    out.quantities = {
        {"printed", "id,case", "value of a formula as a source prints it",
         "what a source prints, by its formula; holds where the source is right", "docs/errata.md",
         "those of the entry"},
        {"correct", "id,case", "the value that is true instead",
         "what is true instead, by the commands where they have it", "docs/errata.md", "those of the entry"},
    };
    out.unverified = {{"", "errata sets the two sides of each entry beside one another itself"}};
    return out;
}

}  // namespace isserlis::quantity
