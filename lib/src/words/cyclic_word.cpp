// SPDX-License-Identifier: MIT
#include <isserlis/words/cyclic_word.hpp>

#include <algorithm>

namespace isserlis::words {
namespace {

/// Where the least rotation begins, in linear time (two candidates that skip what they have compared).
std::size_t least_rotation(Word const& word) {
    std::size_t const n = word.size();
    std::size_t i = 0;
    std::size_t j = 1;
    std::size_t k = 0;
    while (i < n && j < n && k < n) {
        Letter const a = word[(i + k) % n];
        Letter const b = word[(j + k) % n];
        if (a == b) {
            ++k;
            continue;
        }
        (a > b ? i : j) += k + 1;
        if (i == j) ++j;
        k = 0;
    }
    return std::min(i, j);
}

Word rotated(Word const& word) {
    std::size_t const start = least_rotation(word);
    return word.substr(start) + word.substr(0, start);
}

}  // namespace

Word transposed(Word const& word) {
    Word out(word.rbegin(), word.rend());
    for (auto& x : out) x = is_fixed_symmetric(x) ? x : static_cast<Letter>(x ^ 1U);
    return out;
}

Word conjugated(Word const& word) {
    Word out = word;
    for (auto& x : out) x = static_cast<Letter>(x ^ 2U);
    return out;
}

Word canonical(Word const& word) { return std::min(rotated(word), rotated(transposed(word))); }

bool is_fixed(Word const& word) {
    return std::all_of(word.begin(), word.end(), [](Letter x) { return is_fixed(x); });
}

void sort_traces(TraceProduct& product) {
    std::sort(product.begin(), product.end(),
              [](Word const& a, Word const& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
}

std::vector<std::size_t> letter_counts(TraceProduct const& product, std::size_t matrices) {
    std::vector<std::size_t> out(matrices);
    for (auto const& word : product) {
        for (Letter const x : word) out[matrix_of(x)] += is_fixed(x) ? 0U : 1U;
    }
    return out;
}

}  // namespace isserlis::words
