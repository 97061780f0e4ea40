// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/words/gaussian_words.hpp>

#include <map>
#include <vector>

namespace isserlis::words {

/// Means of products of traces of words in independent matrices of independent entries, those of one matrix of one
/// symmetric law.
///
/// Law     entries of mean 0 and variance 1; cumulants[m][j - 1] is that of order 2j of matrix m, and those beyond the
///         list are 0: {1} alone is Gaussian. Complex entries are Gaussian.
/// Shape   R is a ring that holds the dimensions and the cumulants. Words fit.
/// Units   as GaussianWords.
/// Errors  none; the cost is the number of ways to cut the letters of each matrix into blocks of even size.
/// Source  the sum over partitions into blocks of products of cumulants [Speed 1983]
template <class R>
class IidWords {
public:
    IidWords(std::vector<WordMatrix> matrices, std::vector<R> dimensions, std::vector<std::vector<R>> cumulants)
        : matrices_(std::move(matrices)), dimensions_(std::move(dimensions)), cumulants_(std::move(cumulants)) {}

    [[nodiscard]] R mean(TraceProduct const& product);

private:
    /// A letter as an entry: its row and its column are summed over, equal numbers together.
    struct Entry {
        std::size_t matrix;
        std::size_t row;
        std::size_t column;
        bool conjugated;  ///< of a complex matrix
        friend auto operator<=>(Entry const&, Entry const&) = default;
    };
    [[nodiscard]] R sum(std::vector<Entry> const& entries);
    void blocks(std::vector<Entry> const& entries, std::vector<std::size_t>& block, std::size_t next, R& into);
    [[nodiscard]] R closed(std::vector<Entry> const& entries, std::vector<std::size_t> const& block);

    std::vector<WordMatrix> matrices_;
    std::vector<R> dimensions_;
    std::vector<std::vector<R>> cumulants_;
    std::map<std::vector<Entry>, R> known_;
};

}  // namespace isserlis::words
