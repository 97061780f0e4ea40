// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::words {

/// The partner of each of 2k points.
using Pairing = std::vector<std::uint8_t>;
/// Parts in decreasing order.
using Partition = std::vector<unsigned>;

/// All pairings of 2k points, (2k - 1)!! of them; the first one pairs neighbours.
[[nodiscard]] std::vector<Pairing> all_pairings(unsigned k);

/// All partitions of k, 1 + 1 + .. + 1 last.
[[nodiscard]] std::vector<Partition> all_partitions(unsigned k);

/// Half the lengths of the loops that two pairings form together.
[[nodiscard]] Partition coset_type(Pairing const& p, Pairing const& q);

/// Weingarten functions of the orthogonal group O(n), one for each of `all_partitions(k)`:
/// E o_(i1 j1) .. o_(i2k j2k) = sum over pairings p of the i and q of the j that pair equal indices, of
/// Wg(coset_type(p, q)).
///
/// Law     Haar measure.
/// Shape   for a number n, any n >= 1: below k, where they are not unique, some that give the same means. For a formula
///         n, rational functions that hold for n >= k.
/// Units   pure numbers.
/// Errors  none for k up to `largest_weingarten`.
/// Source  [Collins 2006]: the inverse of the matrix n^(loops of p and q); for formulas interpolated, with the
///         denominators of [Matsumoto 2011], products of n + 2(j - 1) - (i - 1) over the cells (i, j) of a diagram.
[[nodiscard]] std::vector<Rational> orthogonal_weingarten(unsigned k, Integer const& n);
[[nodiscard]] std::vector<RationalFunction> orthogonal_weingarten(unsigned k, RationalFunction const& n);

inline constexpr unsigned largest_weingarten = 6;

}  // namespace isserlis::words
