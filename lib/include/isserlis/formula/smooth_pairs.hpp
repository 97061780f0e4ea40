// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/unit_moments.hpp>
#include <isserlis/ring/enclosed.hpp>

namespace isserlis {

/// Second moments of a pair (u, v) of normal numbers of mean 0.
struct PairCovariance {
    Enclosed uu;
    Enclosed uv;
    Enclosed vv;
};

/// Means over such a pair.
struct PairMeans {
    Enclosed value;       ///< E sigma(u) sigma(v)
    Enclosed derivative;  ///< E sigma'(u) sigma'(v)
};

inline constexpr long most_pair_variance = 100;  ///< of tanh, sigmoid, softplus, silu, elu and selu

/// What a smooth unit makes of two pre-activations that are jointly normal.
///
/// Law     (u, v) normal, mean 0.
/// Shape   uu and vv certainly positive; uv^2 - uu vv is cut off at 0.
/// Units   those of sigma squared.
/// Errors  DomainError for a variance that is not certainly positive, UnsupportedError for one above
///         most_pair_variance.
/// Source  docs/formulas/smooth_pairs.md: closed forms, for elu and selu with a bivariate normal distribution function
///         ([Owen 1956]); the trapezoidal rule over the plane for tanh, sigmoid, softplus and silu
[[nodiscard]] PairMeans smooth_pair_means(SmoothUnit unit, PairCovariance const& pair, unsigned bits);

/// The same for u = v of this variance.
[[nodiscard]] PairMeans smooth_square_means(SmoothUnit unit, Enclosed const& variance, unsigned bits);

}  // namespace isserlis
