// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace isserlis::words {

/// A matrix by its number, as it stands, transposed, conjugated or both: tr(W W^H) has the letters W and W^H. Matrices
/// that are fixed have letters of their own; transposing does not change those of symmetric ones.
using Letter = char16_t;
using Word = std::u16string;

inline constexpr std::size_t most_matrices = 1'000;

[[nodiscard]] constexpr Letter letter(std::size_t matrix, bool transposed, bool conjugated) {
    return static_cast<Letter>(matrix * 8 + (conjugated ? 2U : 0U) + (transposed ? 1U : 0U));
}
[[nodiscard]] constexpr Letter fixed_letter(std::size_t matrix, bool symmetric = true, bool transposed = false) {
    return static_cast<Letter>(matrix * 8 + 4 + (symmetric ? 0U : 2U) + (transposed && !symmetric ? 1U : 0U));
}
[[nodiscard]] constexpr std::size_t matrix_of(Letter x) { return x / 8U; }
[[nodiscard]] constexpr bool is_fixed(Letter x) { return (x & 4U) != 0; }
[[nodiscard]] constexpr bool is_fixed_symmetric(Letter x) { return (x & 6U) == 4; }
[[nodiscard]] constexpr bool is_transposed(Letter x) { return (x & 1U) != 0; }
[[nodiscard]] constexpr bool is_conjugated(Letter x) { return (x & 2U) != 0; }

/// The word of the transpose: its letters backwards, each transposed.
[[nodiscard]] Word transposed(Word const& word);
/// The word of the entrywise conjugate.
[[nodiscard]] Word conjugated(Word const& word);

/// The least of the words that have the same trace: turned around, or transposed.
[[nodiscard]] Word canonical(Word const& word);

/// The traces of a product, each canonical, shortest first; none is of an empty word.
using TraceProduct = std::vector<Word>;

/// Puts the traces of a product in order.
void sort_traces(TraceProduct& product);

/// Has the word no random letter?
[[nodiscard]] bool is_fixed(Word const& word);

/// How often each random matrix occurs.
[[nodiscard]] std::vector<std::size_t> letter_counts(TraceProduct const& product, std::size_t matrices);

}  // namespace isserlis::words
