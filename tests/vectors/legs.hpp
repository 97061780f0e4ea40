// SPDX-License-Identifier: MIT
#pragma once
#include <nlohmann/json.hpp>

/// Independent ways to compute the items of the vector files. Each leg checks the item with doctest and says whether it
/// computes it at all.
namespace vectors {

/// By the closed forms and recursions of isserlis/formula.
bool run_hettinger_by_formulas(nlohmann::json const& item);
bool run_forms_by_formulas(nlohmann::json const& item);  ///< hettinger.json: quadratic and quartic forms
bool run_steps_by_formulas(nlohmann::json const& item);  ///< hettinger.json: derivatives of the loss
bool run_residual_by_formulas(nlohmann::json const& item);
bool run_hessian_mup_by_formulas(nlohmann::json const& item);

/// By the float engine, on networks with given weights.
bool run_hettinger_by_given_networks(nlohmann::json const& item);

/// By sampling networks whose expectations are no finite sums.
bool run_hettinger_by_sampling(nlohmann::json const& item);

/// By the strand engine, from a graph and a query.
bool run_products_by_strands(nlohmann::json const& item);  ///< hettinger.json: moments and forms of products
bool run_steps_by_strands(nlohmann::json const& item);     ///< hettinger.json: derivatives of the loss
bool run_residual_by_strands(nlohmann::json const& item);
bool run_hessian_mup_by_strands(nlohmann::json const& item);

}  // namespace vectors
