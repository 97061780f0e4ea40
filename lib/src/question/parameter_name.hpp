// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis::quantity {

/// Refuses a parameter that only EXPR has where it looks like something else: a word of the language in another case,
/// the input x, a neuron or layer without its brackets, a sum sign, or a function. Names that WIDTHS, a parameter or
/// `set` has are not asked about: there the intention is plain.
/// Errors  ParseError with what to write.
void check_parameter(std::string const& name);

}  // namespace isserlis::quantity
