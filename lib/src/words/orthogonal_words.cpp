// SPDX-License-Identifier: MIT
#include <isserlis/words/orthogonal_words.hpp>

#include <algorithm>

namespace isserlis::words {
namespace {

void add_closed(CutProduct& rest, Word const& word, std::size_t dimension) {
    if (word.empty()) {
        rest.loops.push_back(dimension);
    } else {
        rest.traces.push_back(canonical(word));
    }
}

void put_in_order(CutProduct& rest) {
    sort_traces(rest.traces);
    std::sort(rest.loops.begin(), rest.loops.end());
}

/// The letters of the matrix, and what stands between them: strand s leads from the right end of letter s to the left
/// end of letter next[s].
struct Strands {
    std::vector<Word> words;
    std::vector<std::size_t> next;
    std::vector<std::size_t> before;  ///< the strand that ends at this letter
    std::vector<bool> flipped;        ///< the letter stands transposed: its columns are to the left
    TraceProduct untouched;

    Strands(TraceProduct const& product, std::size_t matrix) {
        for (auto const& word : product) {
            auto const is_ours = [&](Letter x) { return !is_fixed(x) && matrix_of(x) == matrix; };
            auto const first = std::find_if(word.begin(), word.end(), is_ours);
            if (first == word.end()) {
                untouched.push_back(word);
                continue;
            }
            auto const start = static_cast<std::size_t>(first - word.begin());
            std::size_t const first_letter = words.size();
            for (Letter const x : word.substr(start) + word.substr(0, start)) {
                if (is_ours(x)) {
                    words.emplace_back();
                    flipped.push_back(is_transposed(x));
                } else {
                    words.back() += x;
                }
            }
            for (std::size_t s = first_letter; s < words.size(); ++s)
                next.push_back(s + 1 < words.size() ? s + 1 : first_letter);
        }
        before.resize(words.size());
        for (std::size_t s = 0; s < words.size(); ++s) before[next[s]] = s;
    }

    /// Rows joined by p, columns by q.
    [[nodiscard]] CutProduct joined(Pairing const& p, Pairing const& q, WordMatrix const& shape) const {
        CutProduct rest{.traces = untouched, .loops = {}};
        std::vector<bool> seen(words.size());
        for (std::size_t start = 0; start < words.size(); ++start) {
            if (seen[start]) continue;
            Word word;
            std::size_t strand = start;
            bool forward = true;
            bool at_columns = false;
            do {
                seen[strand] = true;
                word += forward ? words[strand] : transposed(words[strand]);
                // The letter at whose left end (forward) or right end the strand stops.
                std::size_t const letter = forward ? next[strand] : strand;
                at_columns = forward == flipped[letter];
                std::size_t const partner = at_columns ? q[letter] : p[letter];
                forward = at_columns != flipped[partner];  // from its right end
                strand = forward ? partner : before[partner];
            } while (strand != start);
            add_closed(rest, word, at_columns ? shape.columns : shape.rows);
        }
        put_in_order(rest);
        return rest;
    }
};

}  // namespace

CutProduct cancelled(TraceProduct const& product, std::size_t matrix, WordMatrix const& shape, bool orthonormal_rows,
                     bool orthonormal_columns) {
    CutProduct out;
    auto const is_identity = [&](Letter x, Letter y) {
        if (matrix_of(x) != matrix || matrix_of(y) != matrix || is_transposed(x) == is_transposed(y)) return false;
        return is_transposed(y) ? orthonormal_rows : orthonormal_columns;
    };
    for (Word word : product) {
        std::size_t dimension = shape.rows;
        bool changed = true;
        while (changed && word.size() > 1) {
            changed = false;
            for (std::size_t i = 0; i < word.size() && !changed; ++i) {
                std::size_t const j = (i + 1) % word.size();
                if (!is_identity(word[i], word[j])) continue;
                dimension = is_transposed(word[j]) ? shape.rows : shape.columns;
                word.erase(std::max(i, j), 1);
                word.erase(std::min(i, j), 1);
                changed = true;
            }
        }
        add_closed(out, word, dimension);
    }
    put_in_order(out);
    return out;
}

std::map<CutProduct, std::vector<std::uint64_t>> cut_orthogonal(TraceProduct const& product, std::size_t matrix,
                                                                WordMatrix const& shape) {
    Strands const strands(product, matrix);
    auto const k = static_cast<unsigned>(strands.words.size() / 2);
    auto const pairings = all_pairings(k);
    auto const types = all_partitions(k);
    std::map<Partition, std::size_t> place;
    for (std::size_t i = 0; i < types.size(); ++i) place[types[i]] = i;
    std::map<CutProduct, std::vector<std::uint64_t>> out;
    for (auto const& p : pairings) {
        for (auto const& q : pairings) {
            auto& counts = out[strands.joined(p, q, shape)];
            counts.resize(types.size());
            ++counts[place.at(coset_type(p, q))];
        }
    }
    return out;
}

}  // namespace isserlis::words
