// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string_view>

namespace isserlis::mlp {

/// The value of an enumeration, counted from 0, that `name` calls so; `name` gives "" beyond the last.
template <class Kind>
[[nodiscard]] std::optional<Kind> named(std::string_view wanted) {
    for (int k = 0;; ++k) {
        auto const kind = static_cast<Kind>(k);
        char const* const known = name(kind);
        if (*known == '\0') return std::nullopt;
        if (wanted == known) return kind;
    }
}

}  // namespace isserlis::mlp
