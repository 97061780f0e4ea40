// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scoped_query.hpp"

namespace isserlis::monte_carlo::detail {

/// The same sum, multiplied out as far as it takes to have two first derivatives by one summed label side by side in
/// one term: (z[i] z[i;m])^2 becomes z[i] z[i;m] z[j] z[j;m]. Brackets with second derivatives are multiplied out too
/// where all labels of the terms are then pairs or curvatures; what is left stays as it is.
[[nodiscard]] ScopedSum with_gradients_paired(ScopedSum const& sum);

/// The places of the factors of a term by a label: of two first derivatives, one twice for a square, and nothing else;
/// otherwise none.
[[nodiscard]] std::vector<std::size_t> gradient_pair(ScopedTerm const& term, std::string const& label);

/// The places of the factors of a term with a second derivative by two labels that nothing else has, but for one first
/// derivative by each (a bend), or a second one by both (a square; y is x for a power of 2).
struct Curvature {
    std::string other;  ///< the second label
    bool is_square = false;
    std::size_t x = 0, y = 0;                ///< of a square
    std::size_t by_label = 0, by_other = 0;  ///< first derivatives of a bend
    std::size_t by_both = 0;
};
[[nodiscard]] std::optional<Curvature> curvature(ScopedTerm const& term, std::string const& label);

/// The places of the other factors with the letter of the derivative at `place`, where the term sums it and those have
/// neither other axes nor derivatives: (z[i] - y[i]) z[i;m] is one gradient. None elsewhere.
[[nodiscard]] std::vector<std::size_t> factors_along(ScopedTerm const& term, std::size_t place);

}  // namespace isserlis::monte_carlo::detail
