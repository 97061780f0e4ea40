// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* matrix_law =
    "independent matrices: of independent symmetric entries of one law, complex normal, or orthogonal by Haar measure; "
    "orthogonal formulas hold from a dimension on that the answer states";

}  // namespace

QuantityRows trace_quantities() {
    QuantityRows out{.command = "trace"};
    out.quantities = {
        {"value", "", "expectation of what was typed",
         "E of a polynomial in traces of words, or what EXPR makes of such expectations", "docs/random_matrices.md",
         matrix_law},
        {"leading_term", "", "leading term in width and depth",
         "the leading term as the one dimension that is a symbol goes to infinity", "docs/random_matrices.md",
         matrix_law},
        {"series_coefficient", "k", "coefficient of a power of 1/n",
         "the coefficient of (1/n)^k, every other symbol fixed", "docs/random_matrices.md", matrix_law},
    };
    out.verified = {
        {.asked = "trace tr(W*W^T)^2 shape=W=2,3"},
        {.asked = "trace tr(W*W^T)^2 shape=W=n"},
        {.asked = "trace tr(W*W^T)^2 shape=W=n series=1/n"},
    };
    return out;
}

}  // namespace isserlis::quantity
