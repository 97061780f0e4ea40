// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/quantities.hpp>

#include <string>
#include <vector>

namespace isserlis::quantity {

/// The quantities that fit all words of a search: names of commands, parts of names, formulas, sources and summaries,
/// statements such as "Theorem 2", "Lemma A.8" or "eq. (76)", and their numbers alone, such as "4.11".
[[nodiscard]] std::vector<Quantity const*> find_quantities(std::vector<std::string> const& words);

}  // namespace isserlis::quantity
