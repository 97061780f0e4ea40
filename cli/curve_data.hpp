// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/loss_curve/curve_data.hpp>

#include <string>
#include <vector>

#include "session.hpp"

namespace isserlis::cli {

/// --data, --size, --standardize and --c.
[[nodiscard]] std::vector<OptionText> data_set_options();
/// Errors  ParseError and DomainError naming the option, or the place in the file.
[[nodiscard]] DataSet read_data_set(Arguments const& arguments);

[[nodiscard]] std::vector<OptionText> curve_data_options();

/// Reads --data, --loss, --gradient and their kin; `outputs` is d_n, for the default of --at-output.
/// Errors  ParseError and DomainError naming the option, or the place in the file.
[[nodiscard]] CurveData read_curve_data(Arguments const& arguments);

/// The data and how they were standardised.
[[nodiscard]] std::string data_text(DataSet const& data, Arguments const& arguments);

/// One line on the data, one on the loss and its gradients.
void state_curve_data(CurveData const& data, Arguments const& arguments, Answer& answer);

}  // namespace isserlis::cli
