// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/jacobian/jacobian_request.hpp"

namespace isserlis::quantity {

/// `budget`: other architectures with as many parameters as the ReLU network WIDTHS, their exact moments side by side.
///
/// Errors  ParseError for options that name an architecture; UnsupportedError for symbols.
void add_budget(ModelText const& text, Bindings const& bindings, Answer& answer);

}  // namespace isserlis::quantity
