// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>
#include <isserlis/words/gaussian_words.hpp>

#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

// Means of traces by brute force: every pairing of the letters, or every matrix. Neither takes words apart.
namespace isserlis::testing {

/// "AbA" with matrices A, B, ..: a small letter is the transpose.
inline words::Word word(std::string const& text) {
    words::Word out;
    for (char const c : text) {
        bool const small = c >= 'a';
        out += words::letter(static_cast<std::size_t>(c - (small ? 'a' : 'A')), small, false);
    }
    return out;
}

/// The same of complex matrices: a small letter is the conjugate transpose.
inline words::Word complex_word(std::string const& text) {
    words::Word out = word(text);
    for (auto& x : out) {
        if (words::is_transposed(x)) x = words::letter(words::matrix_of(x), true, true);
    }
    return out;
}

inline words::TraceProduct traces(std::vector<words::Word> const& given) {
    words::TraceProduct out;
    for (auto const& w : given) out.push_back(words::canonical(w));
    words::sort_traces(out);
    return out;
}
inline words::TraceProduct traces(std::vector<std::string> const& texts) {
    std::vector<words::Word> out;
    for (auto const& text : texts) out.push_back(word(text));
    return traces(out);
}

/// Isserlis' theorem as it is written: the sum over all pairings of the letters of the number of assignments of the
/// indices that each allows.
inline Integer mean_by_pairings(std::vector<words::Word> const& product, std::vector<words::WordMatrix> const& shapes,
                                std::vector<long> const& dimensions) {
    struct Entry {
        words::Letter letter;
        std::size_t row;
        std::size_t column;
    };
    std::vector<Entry> entries;
    std::vector<long> size_of;
    for (auto const& w : product) {
        std::size_t const first = size_of.size();
        for (std::size_t i = 0; i < w.size(); ++i) {
            auto const& shape = shapes[words::matrix_of(w[i])];
            bool const turned = words::is_transposed(w[i]);
            size_of.push_back(dimensions[turned ? shape.columns : shape.rows]);
            std::size_t const left = first + i;
            std::size_t const right = first + (i + 1) % w.size();
            entries.push_back({w[i], turned ? right : left, turned ? left : right});
        }
    }
    std::vector<std::size_t> root(size_of.size());
    std::function<std::size_t(std::size_t)> const find = [&](std::size_t i) {
        return root[i] == i ? i : find(root[i]);
    };
    std::vector<int> partner(entries.size(), -1);
    Integer sum = 0;
    std::function<void()> const extend = [&] {
        std::size_t first = 0;
        while (first < entries.size() && partner[first] >= 0) ++first;
        if (first < entries.size()) {
            for (std::size_t j = first + 1; j < entries.size(); ++j) {
                bool const one_matrix = words::matrix_of(entries[first].letter) == words::matrix_of(entries[j].letter);
                if (partner[j] >= 0 || !one_matrix) continue;
                if (shapes[words::matrix_of(entries[j].letter)].complex &&
                    words::is_conjugated(entries[first].letter) == words::is_conjugated(entries[j].letter))
                    continue;
                partner[first] = static_cast<int>(j);
                partner[j] = static_cast<int>(first);
                extend();
                partner[first] = partner[j] = -1;
            }
            return;
        }
        std::iota(root.begin(), root.end(), 0U);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            auto const& other = entries[static_cast<std::size_t>(partner[i])];
            root[find(entries[i].row)] = find(other.row);
            root[find(entries[i].column)] = find(other.column);
        }
        Integer ways = 1;
        for (std::size_t i = 0; i < root.size(); ++i) {
            if (root[i] == i) ways *= size_of[i];
        }
        sum += ways;
    };
    extend();
    return sum;
}

using Rows = std::vector<std::vector<Rational>>;

inline Rows times(Rows const& a, Rows const& b) {
    Rows out(a.size(), std::vector<Rational>(b[0].size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b[0].size(); ++j) {
            for (std::size_t l = 0; l < b.size(); ++l) out[i][j] += a[i][l] * b[l][j];
        }
    }
    return out;
}

inline Rows turned(Rows const& a) {
    Rows out(a[0].size(), std::vector<Rational>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < a[0].size(); ++j) out[j][i] = a[i][j];
    }
    return out;
}

/// The product of the traces, multiplied out.
inline Rational value_of(std::vector<words::Word> const& product, std::vector<Rows> const& matrices) {
    Rational out = 1;
    for (auto const& w : product) {
        auto const at = [&](words::Letter x) {
            auto const& m = matrices[words::matrix_of(x)];
            return words::is_transposed(x) ? turned(m) : m;
        };
        Rows m = at(w[0]);
        for (std::size_t i = 1; i < w.size(); ++i) m = times(m, at(w[i]));
        Rational trace = 0;
        for (std::size_t i = 0; i < m.size(); ++i) trace += m[i][i];
        out *= trace;
    }
    return out;
}

}  // namespace isserlis::testing
