// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace isserlis::quantity {

/// How a figure or table comes out.
enum class RecipeKind {
    asked,         ///< by one question
    thesis,        ///< points of many training runs
    maximal_rate,  ///< points of many searches or networks
    residual,      ///< exact curves beside sampled points, [Residual 2019]
    mup,           ///< the same, [Jelassi 2023]
    book,          ///< curves and numbers of given networks, [Liquet 2024]
};

/// A figure or table of a source, as questions.
struct Recipe {
    std::string id;
    std::string what;          ///< with its source
    std::string asked = {};    ///< the question that gives it; empty for other kinds
    std::string quick = {};    ///< the same in seconds
    std::string charted = {};  ///< what `plot` draws of it; empty where that is the command's own
    RecipeKind kind = RecipeKind::asked;
    bool draws = true;       ///< weights or data, by a seed; one question says so itself
    bool is_smaller = true;  ///< by `quick`
};

/// All of them, in the order of the sources.
[[nodiscard]] std::vector<Recipe> const& recipes();

}  // namespace isserlis::quantity
