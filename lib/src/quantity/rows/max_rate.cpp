// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"
#include "quantity/rows/assumptions.hpp"

namespace isserlis::quantity {

QuantityRows max_rate_quantities() {
    QuantityRows out{.command = "max-rate"};
    out.quantities = {
        {"max_initial_rate", "seed", "largest rate at which training begins well",
         "largest constant rate tried at which the network reaches the threshold within the epochs", "docs/engine.md",
         one_run},
        {"threshold", "", "accuracy that such a rate has to reach",
         "accuracy to be reached: as given, or of the linear classifier of least loss", "docs/engine.md", one_run},
    };
    out.unverified = {{"", "a number of one run from one seed, not an expectation"}};
    return out;
}

}  // namespace isserlis::quantity
