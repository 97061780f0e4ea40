// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/range.hpp>
#include <isserlis/ring/rational.hpp>

#include <string>
#include <utility>
#include <vector>

#include "quantity/claim_text.hpp"

namespace isserlis::quantity {

/// Values of all symbols.
using Point = std::vector<std::pair<std::string, Rational>>;

/// Small networks, the smallest first, and one with a prime of its own for each symbol. A count that begins beyond the
/// small numbers in `range` is tried from its first number on.
/// Errors  UnsupportedError for too many symbols.
[[nodiscard]] std::vector<Point> small_networks(ClaimSymbols const& symbols, Range const& range);

/// "n=1, L=2"
[[nodiscard]] std::string shown(Point const& point, char const* separator);

}  // namespace isserlis::quantity
