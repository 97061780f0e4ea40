// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "quantity/mup/coordinate_layers.hpp"
#include "question/measured_file.hpp"

namespace isserlis::quantity {

/// Its results.
void add_layer(CoordinateLayer const& x, Answer& answer);

/// The CSV of `coord-check`; the covariance, of the change with the pre-activation, stands in the lines of the change.
[[nodiscard]] std::string exact_table(std::vector<CoordinateLayer> const& all, int digits);

/// Sets what was measured beside what is exact; the result as CSV.
/// Errors  DomainError for a layer and width that there is none of.
[[nodiscard]] std::string add_measured(std::vector<MeasuredRow> const& rows, std::string const& path,
                                       std::vector<CoordinateLayer> const& all, int digits, Answer& answer);

}  // namespace isserlis::quantity
