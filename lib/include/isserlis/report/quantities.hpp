// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis {

/// One line of the registry that feeds `isserlis list`, `--explain` and the documentation.
struct Quantity {
    char const* name;
    char const* index;         ///< what the index means: "q", "c,d", "l,p", "k" or ""
    char const* summary;       ///< what it is, in a few words
    char const* formula;       ///< in plain text
    char const* source;        ///< citation key of docs/references.md, page of its derivation, or the definition
    char const* assumptions;   ///< under which it holds
    char const* command = "";  ///< that prints it
};

/// What the parts of its index are called: "layer", "epoch", "order", "network" ..
[[nodiscard]] std::vector<std::string> index_names(Quantity const& quantity);

/// All quantities, by command in the order of the help text; each command has its own in quantity/rows.
[[nodiscard]] std::span<Quantity const> quantities();

/// The entry of that name, or null.
[[nodiscard]] Quantity const* find_quantity(std::string_view name);

/// The entry of that name among those of a command, else that of what it expands (NAME of NAME_limit, NAME_leading and
/// NAME_series_coefficient), else one of any command, or null.
[[nodiscard]] Quantity const* find_quantity(std::string_view command, std::string_view name);

}  // namespace isserlis
