// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>

#include <cstddef>

namespace isserlis {

/// E L(0), E L'(0) and E L''(0) of the mean squared error (1/s) sum |z^k - y^k|^2 of one weight layer after a step of
/// lambda along minus its gradient: linear regression in fixed features from a random start.
///
/// Law     weights of any law with mean 0 and this variance, uncorrelated: nothing higher enters.
/// Shape   `start` has s rows by whose inner products the outputs are correlated at the start, `features` the s rows
///         that the weights multiply. They are the same, the inputs, but for a concatenated ReLU: its features are the
///         `signed_parts`; its start too where P and N are independent, and the inputs where P = N. `products` is
///         sum_k y^k features_k' and `squares` sum_k |y^k|^2: the sums can be exact where targets are not. O(s d_0^2).
/// Units   (1/2)|z - y|^2 is `scaled(1/2)`. curvature_gamma is 0: the outputs are linear in the weights.
/// Errors  DomainError for no samples or unlike sizes.
/// Source  docs/formulas/one_layer_curve.md
template <Field R>
[[nodiscard]] SquaredLossCurve<R> one_layer_squared_curve(R const& variance, R const& outputs, Rows<R> const& start,
                                                          Rows<R> const& features, Rows<R> const& products,
                                                          R const& squares) {
    namespace detail = loss_curve_detail;
    detail::require_samples("rows of features", features.size(), start.size());
    detail::require_columns("row of the start", start, start.front().size());
    detail::require_columns("row of features", features, features.front().size());
    detail::require_columns("row of sum y x'", products, features.front().size());
    Rows<R> const b = detail::outer_sum(start, features);
    Rows<R> const m = detail::outer_sum(features, features);
    // Of g^k = 2 (z^k - y^k): a row of B for each random weight, of the products for each output.
    R slope(0);
    R curvature(0);
    auto const add = [&](R const& factor, Rows<R> const& rows) {
        for (auto const& row : rows) {
            slope = slope + factor * dot(row, row);
            curvature = curvature + factor * bilinear(row, m, row);
        }
    };
    R const random = outputs * variance;
    add(random, b);
    add(R(1), products);
    R loss = squares;
    for (auto const& row : start) loss = loss + random * detail::squared_norm(row);
    R const n = from_count<R>(start.size());
    return {.loss = loss / n,
            .slope = R(-4) * slope / (n * n),
            .curvature_chi = R(8) * curvature / (n * n * n),
            .curvature_gamma = R(0)};
}

}  // namespace isserlis
