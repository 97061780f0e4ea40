// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/words/iid_words.hpp>
#include <limits>

namespace isserlis::words {

template <class R>
R IidWords<R>::mean(TraceProduct const& product) {
    std::vector<Entry> entries;
    std::size_t indices = 0;
    for (auto const& word : product) {
        for (std::size_t i = 0; i < word.size(); ++i) {
            std::size_t left = indices + i;
            std::size_t right = indices + (i + 1) % word.size();
            if (is_transposed(word[i])) std::swap(left, right);
            std::size_t const matrix = matrix_of(word[i]);
            entries.push_back({.matrix = matrix,
                               .row = left,
                               .column = right,
                               .conjugated = matrices_[matrix].complex && is_conjugated(word[i])});
        }
        indices += word.size();
    }
    return sum(entries);
}

/// The sum over all indices of the mean of the product. The indices are those of the entries: none is apart.
template <class R>
R IidWords<R>::sum(std::vector<Entry> const& entries) {
    if (entries.empty()) return R(1);
    std::vector<Entry> key = entries;
    std::map<std::size_t, std::size_t> number;
    for (auto& e : key) {
        for (auto* index : {&e.row, &e.column}) *index = number.try_emplace(*index, number.size()).first->second;
    }
    if (auto const at = known_.find(key); at != known_.end()) return at->second;
    R out(0);
    std::vector<std::size_t> block{0};
    blocks(key, block, 1, out);
    known_.emplace(std::move(key), out);
    return out;
}

/// Adds up the blocks of the first entry.
template <class R>
void IidWords<R>::blocks(std::vector<Entry> const& entries, std::vector<std::size_t>& block, std::size_t next,
                         R& into) {
    auto const& cumulants = cumulants_[entries[0].matrix];
    if (block.size() % 2 == 0) into = into + cumulants[block.size() / 2 - 1] * closed(entries, block);
    if (block.size() == 2 * cumulants.size()) return;
    for (std::size_t i = next; i < entries.size(); ++i) {
        if (entries[i].matrix != entries[0].matrix) continue;
        // Complex entries pair with their conjugates.
        if (matrices_[entries[0].matrix].complex && entries[i].conjugated == entries[0].conjugated) continue;
        block.push_back(i);
        blocks(entries, block, i + 1, into);
        block.pop_back();
    }
}

/// The entries of a block are one entry: its indices are joined, and those that nothing else has run freely.
template <class R>
R IidWords<R>::closed(std::vector<Entry> const& entries, std::vector<std::size_t> const& block) {
    std::size_t count = 0;
    for (auto const& e : entries) count = std::max({count, e.row + 1, e.column + 1});
    std::vector<std::size_t> one(count);
    for (std::size_t i = 0; i < count; ++i) one[i] = i;
    auto const join = [&](std::size_t a, std::size_t b) {
        std::size_t const from = one[a];
        std::size_t const to = one[b];
        for (auto& x : one) x = x == from ? to : x;
    };
    std::size_t const first = block.front();
    for (std::size_t const i : block) {
        join(entries[i].row, entries[first].row);
        join(entries[i].column, entries[first].column);
    }
    std::vector<Entry> rest;
    std::vector<bool> met(count);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (std::find(block.begin(), block.end(), i) != block.end()) continue;
        rest.push_back(entries[i]);
        rest.back().row = one[entries[i].row];
        rest.back().column = one[entries[i].column];
        met[rest.back().row] = met[rest.back().column] = true;
    }
    R out = sum(rest);
    WordMatrix const& matrix = matrices_[entries[first].matrix];
    std::size_t const row = one[entries[first].row];
    std::size_t const column = one[entries[first].column];
    if (!met[row]) out = out * dimensions_[matrix.rows];
    if (!met[column] && column != row) out = out * dimensions_[matrix.columns];
    return out;
}

template class IidWords<Rational>;
template class IidWords<Polynomial>;

}  // namespace isserlis::words
