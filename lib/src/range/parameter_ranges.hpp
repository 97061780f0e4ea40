// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "range/asker.hpp"

namespace isserlis::quantity {

/// Results hold for positive values of a parameter, such as the slope of a leaky ReLU. Where numbers at 0 and below it
/// are answered, and are what the formula says, its range has them too.
void widen_parameters(Variation const& question, std::vector<Declared> const& declared, Asker& asker,
                      std::vector<Result>& results);

}  // namespace isserlis::quantity
