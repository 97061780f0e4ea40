// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/loss_curve/curve_data.hpp>
#include <isserlis/loss_curve/numbers.hpp>
#include <isserlis/report/answer.hpp>

#include <string>

#include "question/model.hpp"

namespace isserlis::quantity {

/// Does a node shut, so that two samples meet different networks?
[[nodiscard]] bool has_shutting_gates(NumericModel const& model);
[[nodiscard]] inline bool has_shutting_gates(SymbolicModel const&) { return false; }

/// The curve of the mean squared error over samples of a network with gates on any wiring: the loss exact, slope and
/// curvature of drawn networks.
///
/// Errors  DomainError for widths that are not those of the data; UnsupportedError for what would take too long.
void add_gated_data_curve(NumericModel const& model, CurveData const& data, CurveSampling const& sampling, bool checked,
                          std::string const& k, Answer& answer);
inline void add_gated_data_curve(SymbolicModel const&, CurveData const&, CurveSampling const&, bool, std::string const&,
                                 Answer&) {}

}  // namespace isserlis::quantity
