// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/words/cyclic_word.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace isserlis::words {

/// An entry of a fixed matrix: the indices that are its row and its column.
struct FixedEntry {
    Letter letter;
    std::size_t row;
    std::size_t column;
    friend auto operator<=>(FixedEntry const&, FixedEntry const&) = default;
};

/// A sum over all values of some indices of a product of entries of fixed matrices: each index has the diagonal
/// matrices of its word in `weights`, and `entries` join two of them, or one with itself.
struct IndexSum {
    std::vector<Word> weights;
    std::vector<FixedEntry> entries;
    friend auto operator<=>(IndexSum const&, IndexSum const&) = default;
};

/// The value of an IndexSum, one index after the other, first that which meets the fewest values of others.
///
/// Shape   V is a ring; `size` gives the values of an index, `value` the entry of a letter in a row and a column from 0.
///         Every index meets an entry.
/// Errors  UnsupportedError for more than `steps_left` products, which are taken from it.
/// Source  the definition
template <class V>
[[nodiscard]] V value_of(IndexSum const& sum, std::function<std::size_t(std::size_t)> const& size,
                         std::function<V(Letter, std::size_t, std::size_t)> const& value, double& steps_left);

}  // namespace isserlis::words
