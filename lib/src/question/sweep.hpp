// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace isserlis::quantity {

using Bindings = std::map<std::string, Rational>;

/// "n = 5, L = 2"; empty without values.
[[nodiscard]] std::string values_text(Bindings const& bindings);

/// The values that `table` gives to one symbol, in the order given.
struct Sweep {
    std::string symbol;
    std::vector<Rational> values;
};

/// Reads the values of `table`, each NAME=ITEM,ITEM,.. with items V, A..B, A..B..STEP and A..B..xFACTOR.
/// Errors  ParseError and DomainError with the item; UnsupportedError with the number of rows beyond the limit.
[[nodiscard]] std::vector<Sweep> read_sweeps(std::vector<std::string> const& texts);

/// Calls f with the bindings and with the values as text, for each combination; the last symbol changes fastest.
void for_each_value(std::vector<Sweep> const& sweeps, Bindings const& bindings,
                    std::function<void(Bindings const&, std::vector<std::string> const&)> const& f);

}  // namespace isserlis::quantity
