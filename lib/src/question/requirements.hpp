// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <vector>

#include "question/model.hpp"

namespace isserlis::quantity {

/// Tells the answer for which values of the symbols there is such a model: as ends of a symbol's range where the value
/// is linear in it alone, else as a condition.
void declare_requirements(std::vector<Requirement<RationalFunction>> const& requirements, Answer& answer);

}  // namespace isserlis::quantity
