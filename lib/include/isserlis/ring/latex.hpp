// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>

#include <string>

namespace isserlis {

/// LaTeX (amsmath) of a formula, e.g. `\frac{3 n \left(n + 2\right)}{4}`. Trailing digits of a symbol become a
/// subscript.
/// Errors  none.
[[nodiscard]] std::string latex(Expression const& e);

}  // namespace isserlis
