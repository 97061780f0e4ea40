// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/words/cyclic_word.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace isserlis::words {

/// The shape of a matrix, by places in a list of dimensions, and whether its entries are complex.
struct WordMatrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    bool complex = false;

    [[nodiscard]] std::size_t rows_of(Letter x) const { return is_transposed(x) ? columns : rows; }
    [[nodiscard]] std::size_t columns_of(Letter x) const { return is_transposed(x) ? rows : columns; }
};

/// Means of products of traces of words in independent Gaussian matrices, and fixed ones.
///
/// Law     real entries: independent normals of mean 0 and variance 1. Complex entries: independent, E w^2 = 0,
///         E |w|^2 = 1.
/// Shape   R is a ring that holds the dimensions. Words fit: each letter has as many columns as the next has rows.
/// Units   products of dimensions; a variance v of one matrix is a factor v for each pair of its letters.
/// Errors  UnsupportedError past `most_states`.
/// Source  [Isserlis 1918]: the first letter with each of its partners, and what is left again, each product once.
template <class R>
class GaussianWords {
public:
    /// `fixed_trace` is the trace of a word of fixed letters.
    using FixedTrace = std::function<R(Word const&)>;
    GaussianWords(std::vector<WordMatrix> matrices, std::vector<R> dimensions, FixedTrace fixed_trace = {})
        : matrices_(std::move(matrices)), dimensions_(std::move(dimensions)), fixed_trace_(std::move(fixed_trace)) {}

    [[nodiscard]] R mean(TraceProduct const& product);

    /// Different products of traces that were met.
    [[nodiscard]] std::size_t states() const { return known_.size(); }

    static constexpr std::size_t most_states = 100'000;

private:
    using Number = char32_t;         ///< of a word, in the order in which they are met
    using Product = std::u32string;  ///< the words of a product of traces, in order

    /// Pairs that leave the same words: the sum over them of the loops that they close and of the traces of fixed words.
    struct Rest {
        R factor;
        Product words;  ///< two at most
    };
    using Rests = std::vector<Rest>;

    [[nodiscard]] Number number_of(Word const& word);
    [[nodiscard]] bool are_partners(Letter x, Letter y) const;
    void leave(Rest& rest, Word const& word, std::size_t dimension);
    [[nodiscard]] Rests const& within(Number cut);
    [[nodiscard]] Rests const& between(Number cut, Number other);
    [[nodiscard]] R known_mean(Product const& product);
    [[nodiscard]] R contracted(Product product);

    std::vector<WordMatrix> matrices_;
    std::vector<R> dimensions_;
    FixedTrace fixed_trace_;
    std::vector<Word> words_;
    std::unordered_map<Word, Number> numbers_;
    std::unordered_map<Number, Rests> within_;
    std::map<std::pair<Number, Number>, Rests> between_;
    std::unordered_map<Product, R> known_;
};

}  // namespace isserlis::words
