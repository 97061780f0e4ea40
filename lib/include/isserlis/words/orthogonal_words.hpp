// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/words/gaussian_words.hpp>
#include <isserlis/words/weingarten.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace isserlis::words {

/// What is left of a product of traces when the letters of one orthogonal matrix are taken out.
struct CutProduct {
    TraceProduct traces;
    std::vector<std::size_t> loops;  ///< dimensions, by their places

    friend auto operator<=>(CutProduct const&, CutProduct const&) = default;
};

/// Letters next to each other that make the identity are left out: o o^T where it has orthonormal rows, o^T o where it
/// has orthonormal columns. A trace of nothing is a loop.
[[nodiscard]] CutProduct cancelled(TraceProduct const& product, std::size_t matrix, WordMatrix const& shape,
                                   bool orthonormal_rows, bool orthonormal_columns);

/// For each rest, how often each Weingarten function (a place of `all_partitions`) multiplies it.
///
/// Law     Haar measure.
/// Shape   2k letters of the matrix, k from 1 to `largest_weingarten`: (2k - 1)!!^2 pairs of pairings.
/// Errors  none.
/// Source  [Collins 2006]: rows are joined by one pairing, columns by another.
[[nodiscard]] std::map<CutProduct, std::vector<std::uint64_t>> cut_orthogonal(TraceProduct const& product,
                                                                              std::size_t matrix,
                                                                              WordMatrix const& shape);

}  // namespace isserlis::words
