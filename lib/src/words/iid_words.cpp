// SPDX-License-Identifier: MIT
#include <isserlis/words/iid_words.hpp>

#include <algorithm>
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational.hpp>
#include <limits>

namespace isserlis::words {

template <class R>
R IidWords<R>::mean(TraceProduct const& product) {
    R factor(1);
    Terms terms;
    for (auto const& word : product) {
        if (is_fixed(word)) {
            factor = factor * fixed_.trace(word);
            continue;
        }
        // From a random letter on; the index behind the last letter is the one before the first.
        auto const random = std::find_if(word.begin(), word.end(), [](Letter x) { return !is_fixed(x); });
        auto const start = static_cast<std::size_t>(random - word.begin());
        auto& weights = terms.fixed.weights;
        std::size_t const first = weights.size();
        std::size_t index = first;
        weights.emplace_back();
        auto const next = [&] {
            weights.emplace_back();
            return weights.size() - 1;
        };
        std::size_t const entries = terms.entries.size();
        std::size_t const fixed = terms.fixed.entries.size();
        for (Letter const x : word.substr(start) + word.substr(0, start)) {
            auto const unit = is_fixed(x) && fixed_.unit_of ? fixed_.unit_of(x) : std::nullopt;
            if (unit) {
                // Two indices, each at a place of its own.
                weights[index] += unit->first;
                index = next();
                weights[index] += unit->second;
                continue;
            }
            if (is_fixed(x) && (!fixed_.is_diagonal || fixed_.is_diagonal(x))) {
                weights[index] += x;
                continue;
            }
            std::size_t left = index;
            std::size_t right = index = next();
            if (is_fixed(x)) {
                terms.fixed.entries.push_back({.letter = x, .row = left, .column = right});
                continue;
            }
            if (is_transposed(x)) std::swap(left, right);
            std::size_t const matrix = matrix_of(x);
            terms.entries.push_back({.matrix = matrix,
                                     .row = left,
                                     .column = right,
                                     .conjugated = matrices_[matrix].complex && is_conjugated(x)});
        }
        weights[first] += weights[index];
        weights[index].clear();
        auto const join = [&](auto& all, std::size_t from) {
            for (std::size_t i = from; i < all.size(); ++i) {
                for (auto* at : {&all[i].row, &all[i].column}) *at = *at == index ? first : *at;
            }
        };
        join(terms.entries, entries);
        join(terms.fixed.entries, fixed);
        // Between two units there may be no entry.
        for (std::size_t i = first; i < index; ++i) {
            auto const meets = [&](auto const& e) { return e.row == i || e.column == i; };
            if (std::none_of(terms.entries.begin(), terms.entries.end(), meets) &&
                std::none_of(terms.fixed.entries.begin(), terms.fixed.entries.end(), meets)) {
                factor = factor * fixed_.trace(weights[i]);
            }
        }
    }
    return factor * sum(terms);
}

/// The sum over all indices of the mean of the product. The indices are those of the entries, random and fixed: none is
/// apart.
template <class R>
R IidWords<R>::sum(Terms const& terms) {
    if (terms.entries.empty() && terms.fixed.entries.empty()) return R(1);
    Terms key = terms;
    key.fixed.weights.clear();
    std::map<std::size_t, std::size_t> number;
    auto const renumber = [&](auto& all) {
        for (auto& e : all) {
            for (auto* index : {&e.row, &e.column}) {
                auto const [at, fresh] = number.try_emplace(*index, number.size());
                if (fresh) {
                    key.fixed.weights.push_back(terms.fixed.weights[*index]);
                    std::sort(key.fixed.weights.back().begin(), key.fixed.weights.back().end());
                }
                *index = at->second;
            }
        }
    };
    renumber(key.entries);
    renumber(key.fixed.entries);
    std::sort(key.fixed.entries.begin(), key.fixed.entries.end());
    if (auto const at = known_.find(key); at != known_.end()) return at->second;
    R out(0);
    std::vector<std::size_t> block{0};
    if (key.entries.empty()) {
        out = fixed_.sum(key.fixed);
    } else {
        blocks(key, block, 1, out);
    }
    known_.emplace(std::move(key), out);
    return out;
}

/// Adds up the blocks of the first entry.
template <class R>
void IidWords<R>::blocks(Terms const& terms, std::vector<std::size_t>& block, std::size_t next, R& into) {
    auto const& entries = terms.entries;
    auto const& cumulants = cumulants_[entries[0].matrix];
    if (block.size() % 2 == 0) into = into + cumulants[block.size() / 2 - 1] * closed(terms, block);
    if (block.size() == 2 * cumulants.size()) return;
    for (std::size_t i = next; i < entries.size(); ++i) {
        if (entries[i].matrix != entries[0].matrix) continue;
        // Complex entries pair with their conjugates.
        if (matrices_[entries[0].matrix].complex && entries[i].conjugated == entries[0].conjugated) continue;
        block.push_back(i);
        blocks(terms, block, i + 1, into);
        block.pop_back();
    }
}

/// The entries of a block are one entry: its indices are joined, and those that no other entry has run freely.
template <class R>
R IidWords<R>::closed(Terms const& terms, std::vector<std::size_t> const& block) {
    auto const& entries = terms.entries;
    std::size_t const count = terms.fixed.weights.size();
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
    Terms rest{.entries = {}, .fixed = {.weights = std::vector<Word>(count), .entries = terms.fixed.entries}};
    auto& weights = rest.fixed.weights;
    for (std::size_t i = 0; i < count; ++i) weights[one[i]] += terms.fixed.weights[i];
    std::vector<bool> met(count);
    auto const meet = [&](auto& e) {
        e.row = one[e.row];
        e.column = one[e.column];
        met[e.row] = met[e.column] = true;
    };
    for (auto& e : rest.fixed.entries) meet(e);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (std::find(block.begin(), block.end(), i) != block.end()) continue;
        rest.entries.push_back(entries[i]);
        meet(rest.entries.back());
    }
    R out = sum(rest);
    WordMatrix const& matrix = matrices_[entries[first].matrix];
    auto const freely = [&](std::size_t index, std::size_t dimension) {
        out = out * (weights[index].empty() ? dimensions_[dimension] : fixed_.trace(weights[index]));
    };
    std::size_t const row = one[entries[first].row];
    std::size_t const column = one[entries[first].column];
    if (!met[row]) freely(row, matrix.rows);
    if (!met[column] && column != row) freely(column, matrix.columns);
    return out;
}

template class IidWords<Rational>;
template class IidWords<Polynomial>;

}  // namespace isserlis::words
