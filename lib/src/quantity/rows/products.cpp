// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* gaussian_stretch = "Gaussian weights; widths d_c .. d_(d-1)";

}  // namespace

QuantityRows products_quantities() {
    QuantityRows out{.command = "products"};
    out.quantities = {
        {"phi", "c,d", "moments tau + eta over squared widths, Gaussian",
         "(2 prod (1 + 2/d_q) + prod (1 - 1/d_q))/3, c <= q < d", "[Hettinger 2019, Def 4.18]", gaussian_stretch},
        {"psi", "c,d", "moment eta over squared widths, Gaussian",
         "(prod (1 + 2/d_q) - prod (1 - 1/d_q))/3, c <= q < d", "[Hettinger 2019, Def 4.18]", gaussian_stretch},
    };
    out.verified = {
        {.asked = "products 2,3,1"},
    };
    return out;
}

}  // namespace isserlis::quantity
