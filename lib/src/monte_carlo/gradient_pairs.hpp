// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "scoped_query.hpp"

namespace isserlis::monte_carlo::detail {

/// The same sum, multiplied out as far as it takes to have two first derivatives by one summed label side by side in
/// one term: (z[i] z[i;m])^2 becomes z[i] z[i;m] z[j] z[j;m]. What has the label in a higher derivative, or more than
/// twice, stays as it is.
[[nodiscard]] ScopedSum with_gradients_paired(ScopedSum const& sum);

/// The places of the factors of a term by a label: of two first derivatives, one twice for a square, and nothing else;
/// otherwise none.
[[nodiscard]] std::vector<std::size_t> gradient_pair(ScopedTerm const& term, std::string const& label);

}  // namespace isserlis::monte_carlo::detail
