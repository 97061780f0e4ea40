// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"
#include "quantity/rows/assumptions.hpp"

namespace isserlis::quantity {

QuantityRows sharpness_quantities() {
    QuantityRows out{.command = "sharpness"};
    out.quantities = {
        {"top_eigenvalue", "epoch", "sharpness: the loss Hessian's largest eigenvalue",
         "lambda_1: largest eigenvalue by value of sqrt(h) H sqrt(h)", "[Iyer 2023, section 4.2]", one_run},
        {"top_eigenvalue_modulus", "epoch", "largest modulus of an eigenvalue of it",
         "largest modulus of an eigenvalue of sqrt(h) H sqrt(h)", "docs/engine.md", one_run},
        {"stable_rate", "epoch", "2 over the sharpness", "2/lambda_1, up to which descent on the quadratic model falls",
         "[Iyer 2023, section 4.2]", one_run},
    };
    out.unverified = {{"", "a number of one run from one seed, not an expectation"}};
    return out;
}

}  // namespace isserlis::quantity
