// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"
#include "quantity/rows/assumptions.hpp"

namespace isserlis::quantity {

QuantityRows expect_quantities() {
    QuantityRows out{.command = "expect"};
    out.quantities = {
        {"value", "", "expectation of what was typed",
         "E of the observable, over the weights and targets, or what EXPR makes of such expectations",
         "docs/strands.md", strand_law},
        {"leading_term", "", "leading term in width and depth",
         "the leading term as the width, and then the depth, go to infinity", "docs/strands.md", strand_law},
        {"series_coefficient", "k", "coefficient of a power of 1/n",
         "the coefficient of (1/n)^k, every other symbol fixed", "docs/strands.md", strand_law},
        {"limit", "", "limit of width and depth together", "--limit: as n, L -> infinity with L/n = b",
         "docs/strands.md", strand_law},
        {"limit_leading", "", "how it is approached, where 0 or infinite",
         "leading order as n, L -> infinity with L/n = b, where the limit is 0 or infinite; with --order those below "
         "it too",
         "docs/strands.md", strand_law},
    };
    out.verified = {
        {.asked = "expect '(z[i]^2)^2' 2,4,1"},
        {.asked = "expect z[i]^2 n,n:L,1"},
        {.asked = "expect z[i]^2 n,n:L,1 series=1/n"},
        {.asked = "expect z[i]^2 n,n:L,1 variance=1/n limit=double-scaling"},
        {.asked = "expect z[i]^2 n,n:L,1 limit=double-scaling"},
    };
    return out;
}

}  // namespace isserlis::quantity
