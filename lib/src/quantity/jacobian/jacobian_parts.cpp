// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_parts.hpp"

namespace isserlis::quantity {

std::optional<Surd> positive_square(std::vector<Surd> const& input) {
    if (input.empty()) return std::nullopt;
    Surd sum(0);
    for (auto const& x : input) {
        if (sign(x) > 0) sum = sum + x * x;
    }
    return sum;
}

std::optional<RationalFunction> positive_square(std::vector<RationalFunction> const& input) {
    std::vector<Surd> numbers;
    for (auto const& x : input) {
        if (!x.is_numeric()) return std::nullopt;
        numbers.push_back(x.evaluate({}));
    }
    auto const square = positive_square(numbers);
    if (!square || !square->is_rational()) return std::nullopt;
    return RationalFunction(square->to_rational());
}

}  // namespace isserlis::quantity
