// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/network/weight_law.hpp>
#include <vector>

namespace isserlis::monte_carlo {

/// Moments of the entries of a product of random matrices, with i != k and j != l.
struct ProductMoments {
    Estimate second;  ///< E b_ij^2
    Estimate rho;     ///< E b_ij^4
    Estimate gamma;   ///< E b_ij^2 b_kj^2, one column
    Estimate nu;      ///< E b_ij^2 b_il^2, one row
    Estimate tau;     ///< E b_ij^2 b_kl^2
    Estimate eta;     ///< E b_ij b_il b_kj b_kl
};

/// Sampled moments of B = A_q .. A_1.
///
/// Law     entries of A_r independent, of variance 1 and law laws[r - 1].
/// Shape   sizes m_0 .. m_q, A_r is m_r x m_(r-1). No moment depends on m_0 and m_q, so B is drawn 2 x 2 and each
///         sample averages over all choices of i, j, k, l.
/// Units   pure numbers.
/// Errors  DomainError for fewer than two sizes, a size of 0, a number of laws other than q, fewer than 2 samples;
///         UnsupportedError when a moment is beyond double; Interrupted.
/// Source  [Hettinger 2019, Lemma A.1]
[[nodiscard]] ProductMoments product_moments(std::vector<std::size_t> const& sizes,
                                             std::vector<WeightLaw<double>> const& laws, std::uint64_t samples,
                                             std::uint64_t seed, RunControl const& control = {});

/// Forms in the first two columns of B: phi - psi and psi when every law is Gaussian.
struct ColumnForms {
    Estimate norms;  ///< E |B e_1|^2 |B e_2|^2
    Estimate dot;    ///< E (B e_1 . B e_2)^2
};

/// Sampled column forms of B = W_(e-1) .. W_c, normalised so that E |B e_1|^2 = 1.
///
/// Law     entries of W_r are N(0, 1 / d_r), independent.
/// Shape   widths d_c .. d_(e-1); W_c has two columns. No widths: B is the identity, the forms are exactly 1 and 0.
/// Units   pure numbers, already divided by the product of d_r^2.
/// Errors  DomainError for a width of 0 or fewer than 2 samples; UnsupportedError when a form is beyond double; Interrupted.
/// Source  [Hettinger 2019, Lemma A.8 and Def 4.18]
[[nodiscard]] ColumnForms column_forms(std::vector<std::size_t> const& widths, std::uint64_t samples,
                                       std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
