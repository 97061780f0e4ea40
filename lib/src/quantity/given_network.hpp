// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "question/curve_data.hpp"

namespace isserlis::quantity {

/// The loss curve of one network whose weights are in a file: nothing is random.
/// Errors  ParseError for parameters of random networks, and what is wrong in the file; DomainError when it does not fit
///         the data.
void add_given_network(Session const& session, CurveData const& data, std::string const& file, Answer& answer);

}  // namespace isserlis::quantity
