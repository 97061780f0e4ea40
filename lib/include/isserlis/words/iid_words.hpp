// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/words/gaussian_words.hpp>
#include <isserlis/words/index_sum.hpp>

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace isserlis::words {

/// Means of products of traces of words in independent matrices of independent entries, those of one matrix of one
/// symmetric law, fixed ones, and units e_i e_j^T.
///
/// Law     entries of mean 0 and variance 1; cumulants[m][j - 1] is that of order 2j of matrix m, and those beyond the
///         list are 0: {1} alone is Gaussian. Complex entries are Gaussian.
/// Shape   R is a ring that holds the dimensions and the cumulants. Words fit.
/// Units   as GaussianWords.
/// Errors  those of `fixed_sum`; the cost is the number of ways to cut the letters of each matrix into blocks of even
///         size.
/// Source  the sum over partitions into blocks of products of cumulants [Speed 1983]
template <class R>
class IidWords {
public:
    using FixedTrace = typename GaussianWords<R>::FixedTrace;
    /// Of a letter e_i e_j^T with i other than j, those of e_i e_i^T and e_j e_j^T, which are diagonal; else none.
    using UnitOf = std::function<std::optional<std::pair<Letter, Letter>>(Letter)>;
    /// The value of what is left of a sum over indices: entries of fixed matrices alone.
    using FixedSum = std::function<R(IndexSum const&)>;
    using IsDiagonal = std::function<bool(Letter)>;
    /// What is known of fixed letters.
    struct Fixed {
        FixedTrace trace;
        FixedSum sum;
        IsDiagonal is_diagonal;
        UnitOf unit_of;
    };
    IidWords(std::vector<WordMatrix> matrices, std::vector<R> dimensions, std::vector<std::vector<R>> cumulants,
             Fixed fixed = {})
        : matrices_(std::move(matrices)),
          dimensions_(std::move(dimensions)),
          cumulants_(std::move(cumulants)),
          fixed_(std::move(fixed)) {}

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
    /// What the sum runs over, and the fixed matrices that its indices have.
    struct Terms {
        std::vector<Entry> entries;
        IndexSum fixed;
        friend auto operator<=>(Terms const&, Terms const&) = default;
    };
    [[nodiscard]] R sum(Terms const& terms);
    void blocks(Terms const& terms, std::vector<std::size_t>& block, std::size_t next, R& into);
    [[nodiscard]] R closed(Terms const& terms, std::vector<std::size_t> const& block);

    std::vector<WordMatrix> matrices_;
    std::vector<R> dimensions_;
    std::vector<std::vector<R>> cumulants_;
    Fixed fixed_;
    std::map<Terms, R> known_;
};

}  // namespace isserlis::words
