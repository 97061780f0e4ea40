// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "question/model_text.hpp"
#include "question/parameter_set.hpp"

namespace isserlis::quantity {

/// The parameters of a network that a command offers, bound to what they set.
[[nodiscard]] ParameterSet<ModelText> model_parameters(ModelParameters const& which);

// Rows that some commands call otherwise, or have alone.

/// With `biases` schemes that draw some are taken; without they are refused.
[[nodiscard]] Row<ModelText> scheme_parameter(bool biases);
[[nodiscard]] Row<ModelText> variance_parameter();
[[nodiscard]] Row<ModelText> parametrisation_parameter();
[[nodiscard]] Row<ModelText> law_parameter(bool matrix_laws = false);
/// The list of fourth moments, by a name of the command's.
[[nodiscard]] Row<ModelText> kurtosis_parameter(std::string const& name, std::string value, std::string help,
                                                More more = {});
/// A list of label factors or rates, by a name of the command's.
[[nodiscard]] Row<ModelText> label_factor_parameter(std::string const& name, std::string value, std::string help,
                                                    More more = {});
/// Without `head`: of commands whose networks have a linear one.
[[nodiscard]] ParameterSet<ModelText> with_linear_head(ParameterSet<ModelText> const& parameters);
/// `alpha`, `branch_widths` and `projections` of residual networks.
[[nodiscard]] ParameterSet<ModelText> branch_parameters();
[[nodiscard]] Row<ModelText> multiplier_parameter();
/// `effective` and `eta_squared`, which give label factors by learning rates.
[[nodiscard]] ParameterSet<ModelText> effective_parameters();

}  // namespace isserlis::quantity
