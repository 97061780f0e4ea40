// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* form_law =
    "entries of each matrix i.i.d., mean 0, of the law given; inputs and constants as given";

}  // namespace

QuantityRows form_quantities() {
    QuantityRows out{.command = "form"};
    out.quantities = {
        {"value", "", "expectation of what was typed", "E of the form A.9 .. A.15, over the matrices",
         "[Hettinger 2019, Lemmas A.9 .. A.15]", form_law},
    };
    out.unverified = {{"", "its constants are in a file; form with `check` sets it beside sampled matrices"}};
    return out;
}

}  // namespace isserlis::quantity
