// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace isserlis::monte_carlo::detail {

/// The cheapest order in which to multiply tensors two at a time.
///
/// Law     none.
/// Shape   factor f has the axes of the bits in factors[f], sizes[k] is that of bit k, `kept` are the axes of the
///         result. Each pair (i, j), i < j, replaces factor i by the product and removes factor j; the last leaves one.
/// Units   the cost of a pair is the number of its multiplications.
/// Errors  none. Up to 6 factors all orders are tried; of more, the cheapest pair goes first until 6 are left.
/// Source  this library
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> contraction_order(std::vector<std::uint64_t> factors,
                                                                                 std::uint64_t kept,
                                                                                 std::vector<double> const& sizes);

/// Axes of factor i * factor j that the result or another factor still needs.
[[nodiscard]] std::uint64_t axes_after(std::vector<std::uint64_t> const& factors, std::size_t i, std::size_t j,
                                       std::uint64_t kept);

}  // namespace isserlis::monte_carlo::detail
