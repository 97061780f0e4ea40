// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/words/gaussian_words.hpp>
#include <isserlis/words/orthogonal_words.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace isserlis::words {

enum class MatrixLaw {
    gaussian,    ///< independent normal entries
    complex,     ///< independent complex normal entries, E w^2 = 0
    iid,         ///< independent entries of one symmetric law
    orthogonal,  ///< Haar measure; a matrix that is not square has orthonormal rows or columns
    diagonal,    ///< no random matrix: `diagonal` is what it is
    fixed,       ///< no random matrix: `values` is what it is
    unit,        ///< e_i e_j^T, of no shape of its own: entry (j, i) of A is tr(A e_i e_j^T)
};

/// One random matrix. Dimensions are positive numbers or formulas in positive symbols.
struct RandomMatrix {
    std::string name;
    RationalFunction rows;
    RationalFunction columns;
    MatrixLaw law = MatrixLaw::gaussian;
    RationalFunction variance = 1;  ///< of an entry; E |w|^2 of a complex one; not of an orthogonal matrix
    /// Of an iid law: E w^4, E w^6, .. over the variance's powers, as far as they are known.
    std::vector<RationalFunction> moments = {};
    std::vector<RationalFunction> diagonal = {};
    std::vector<std::vector<RationalFunction>> values = {};  ///< of a fixed matrix, by rows
    std::pair<unsigned, unsigned> unit = {};                 ///< i and j, from 1

    [[nodiscard]] bool is_random() const { return law < MatrixLaw::diagonal; }
    /// Is a matrix that is not random equal to its transpose?
    [[nodiscard]] bool is_symmetric() const;
};

/// Means of products of traces of words in independent random matrices of any of the laws.
///
/// Shape   numbers for numbers, else rational functions of the dimensions, variances and moments.
/// Units   those of the words.
/// Errors  UnsupportedError naming EXPR, before the work: for a moment that an iid law does not give, for more letters
///         of an orthogonal matrix than 2 `most_orthogonal_pairs`, for iid laws of too many letters, for an orthogonal
///         matrix of which neither dimension is known to be the larger; within it, past GaussianWords::most_states, and
///         for sums over large fixed matrices that are not diagonal beside four letters of an iid law.
/// Source  [Isserlis 1918], [Collins 2006], [Speed 1983]
class TraceMoments {
public:
    /// `entries` are the rows and columns of single entries that are asked for.
    explicit TraceMoments(std::vector<RandomMatrix> matrices,
                          std::vector<std::pair<unsigned, unsigned>> const& entries = {});
    ~TraceMoments();
    TraceMoments(TraceMoments&&) noexcept;
    TraceMoments& operator=(TraceMoments&&) noexcept;

    /// E of the product of the traces; its words are canonical, in order, and fit.
    [[nodiscard]] RationalFunction mean(TraceProduct const& product);

    /// The random and fixed matrices, and units behind them.
    [[nodiscard]] std::vector<RandomMatrix> const& matrices() const { return matrices_; }
    /// The letter of e_i e_j^T, if entry (i, j) or (j, i) is one of those asked for.
    [[nodiscard]] Letter unit(unsigned i, unsigned j) const;
    [[nodiscard]] std::vector<WordMatrix> const& shapes() const { return shapes_; }
    [[nodiscard]] RationalFunction const& dimension(std::size_t place) const { return dimensions_[place]; }
    /// The dimensions of orthogonal matrices that are formulas, with what they have to be at least: the formula holds
    /// from there on. Known after `mean`.
    [[nodiscard]] std::vector<std::pair<RationalFunction, unsigned>> const& least_dimensions() const { return least_; }

    static constexpr unsigned most_orthogonal_pairs = 5;
    static constexpr std::uint64_t most_blocks = 5'000'000;
    static constexpr std::size_t largest_fixed = 100;  ///< rows or columns

private:
    class Inner;

    [[nodiscard]] RationalFunction standard_mean(TraceProduct const& product);
    [[nodiscard]] RationalFunction cut(TraceProduct const& product, std::size_t matrix);
    [[nodiscard]] RationalFunction scale(std::vector<std::size_t> const& counts) const;
    [[nodiscard]] CutProduct without_identities(TraceProduct const& product) const;
    void check_cost(TraceProduct const& product) const;

    std::vector<RandomMatrix> matrices_;
    std::vector<WordMatrix> shapes_;
    std::vector<RationalFunction> dimensions_;
    std::vector<bool> orthonormal_rows_;
    std::vector<bool> orthonormal_columns_;
    std::vector<std::pair<RationalFunction, unsigned>> least_;
    std::unique_ptr<Inner> inner_;
};

/// E w^2, E w^4, .. to E w^(2j) of a standardised law make its cumulants of orders 2, 4, .., 2j.
[[nodiscard]] std::vector<RationalFunction> even_cumulants(std::vector<RationalFunction> const& even_moments);

}  // namespace isserlis::words
