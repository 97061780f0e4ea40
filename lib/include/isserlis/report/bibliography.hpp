// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace isserlis {

/// The entries of docs/references.md for BibTeX; the key of [Hettinger 2019] is hettinger2019.
[[nodiscard]] std::string_view bibtex();

}  // namespace isserlis
