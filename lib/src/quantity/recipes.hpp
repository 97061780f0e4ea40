// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace isserlis::quantity {

/// A figure or table of a source, as questions.
struct Recipe {
    std::string id;
    std::string what;          ///< with its source
    std::string asked = {};    ///< the question that gives it; empty for a fit
    std::string quick = {};    ///< the same in seconds
    std::string charted = {};  ///< what `plot` draws of it; empty where that is the command's own
    bool fitted = false;       ///< sampled rates of many networks and a power law through them
};

/// All of them, in the order of the sources.
[[nodiscard]] std::vector<Recipe> const& recipes();

}  // namespace isserlis::quantity
