// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <optional>

#include "question/model_text.hpp"

namespace isserlis::quantity {

/// The number of weight layers of fully connected networks; none of a depth in symbols.
[[nodiscard]] std::optional<Integer> weight_layers(ModelText const& text);

}  // namespace isserlis::quantity
