// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>

#include <optional>
#include <set>
#include <string>

namespace isserlis::quantity {

/// Stands for the number of residual blocks in what multiplies their branches.
inline constexpr char const* blocks_word = "blocks";

[[nodiscard]] inline bool speaks_of_blocks(std::optional<Expression> const& e) {
    return e && e->symbols().count(blocks_word) != 0;
}

/// The symbols but for the word.
[[nodiscard]] inline std::set<std::string> symbols_of_branches(std::optional<Expression> const& e) {
    std::set<std::string> out;
    if (e) out = e->symbols();
    out.erase(blocks_word);
    return out;
}

}  // namespace isserlis::quantity
