// SPDX-License-Identifier: MIT
#pragma once
#include "model_text.hpp"
#include "option_set.hpp"

namespace isserlis::cli {

/// The options of a network that a command offers, bound to what they set.
[[nodiscard]] OptionSet<ModelText> model_options(ModelOptions const& which);

// Rows that some commands call otherwise, or have alone.

[[nodiscard]] Option<ModelText> scheme_option();
[[nodiscard]] Option<ModelText> variance_option();
[[nodiscard]] Option<ModelText> law_option();
/// The list of fourth moments, by a name of the command's.
[[nodiscard]] Option<ModelText> kurtosis_option(std::string const& name, std::string value, std::string help,
                                                More more = {});
/// A list of label factors or rates, by a name of the command's.
[[nodiscard]] Option<ModelText> label_factor_option(std::string const& name, std::string value, std::string help,
                                                    More more = {});
/// --effective and --eta-squared, which give label factors by learning rates.
[[nodiscard]] OptionSet<ModelText> effective_options();

}  // namespace isserlis::cli
