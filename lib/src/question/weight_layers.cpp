// SPDX-License-Identifier: MIT
#include "question/weight_layers.hpp"

namespace isserlis::quantity {

std::optional<Integer> weight_layers(ModelText const& text) {
    Integer items = 0;
    for (auto const& item : text.widths) {
        if (item.count.is_symbol) return std::nullopt;
        items += parse_integer(item.count.text, "widths");
    }
    return Integer(items - 1);
}

}  // namespace isserlis::quantity
