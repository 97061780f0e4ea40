// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace isserlis {

/// True for names that Python, SymPy or PARI/GP read as something else than a free symbol.
[[nodiscard]] bool is_reserved_symbol(std::string_view name);

}  // namespace isserlis
